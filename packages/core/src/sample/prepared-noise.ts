/**
 * Discrete Laplace or Gaussian noise of one size for many values: tables are made with the first draw, and up to 2^40, the
 * largest size they are for, a draw takes about ten nanoseconds. The laws are those of `drawDiscreteLaplace` and
 * `drawDiscreteGaussian`. Proof: strip-sampler.proof.md.
 * @module
 */

import type { Entropy } from "../entropy.js";
import { Rational } from "../exact/rational.js";
import { drawDiscreteGaussian } from "./discrete-gaussian.js";
import { drawDiscreteLaplace } from "./discrete-laplace.js";
import { StripSampler } from "./strip-sampler.js";

/** 2^40, beyond which there are no tables. */
const LARGEST_TABLE = 0x100_0000_0000n;

/** A sampler of this scale (Laplace) or variance (Gaussian). */
export function preparedNoise(law: "laplace" | "gaussian", size: Rational): (entropy: Entropy) => bigint {
  if (size.compare(LARGEST_TABLE) > 0) {
    const draw = law === "laplace" ? drawDiscreteLaplace : drawDiscreteGaussian;
    return (entropy) => draw(size, entropy);
  }
  const [rate, none] = [Rational.ONE.dividedBy(size), Rational.ZERO];
  const minusLnOfLaw =
    law === "laplace" ? { linear: rate, quadratic: none } : { linear: none, quadratic: rate.dividedBy(2n) };
  let tables: StripSampler | undefined;
  return (entropy) => {
    tables ??= new StripSampler(minusLnOfLaw, { signed: true });
    return BigInt(tables.sample(entropy));
  };
}
