/**
 * `noisyMaxLoss`: what it costs to report the index of the largest noisy score and nothing else, in every measure in which
 * the noise has a guarantee. With r = Δ if `monotone` and 2Δ if not, and m candidates:
 *
 *   noise              pure ε   zCDP ρ        Rényi curve
 *   exponential of β   r/β      x + e^−x − 1  that of the Laplace mechanism at distance x = r/β
 *   Laplace of b       r/b      x + e^−x − 1  that of the Laplace mechanism at distance x = r/b
 *   Gumbel of τ        r/τ      y − 1 − ln y  that of bounded range η = r/τ, with y = η/(e^η − 1)
 *   Gaussian of σ²     none     m·r²/(8σ²)    min(α·r²/(2σ²) + ln m/(α − 1), α·m·r²/(8σ²))
 *
 * Proofs: report-noisy-max.proof.md, accounting/price.proof.md.
 * @module
 */

import { boundedRangeCurve, pureCurve, renyi } from "../accounting/curve.js";
import { isBounded } from "../accounting/extended.js";
import { type LossOf, pure, zcdp } from "../accounting/loss.js";
import { gaussianMaxCurve, laplaceCurve } from "../accounting/noisy-max-curve.js";
import { rhoOfRounds } from "../accounting/price.js";
import type { RenyiCurve } from "../accounting/renyi-curve.js";
import type { Rational } from "../exact/rational.js";
import { boolean, integer, positiveRational, readOptions } from "../options.js";
import { type GaussianNoise, type NoisyMaxNoise, readNoise, type ScaledNoise } from "./noisy-max-noise.js";
import { rangeOf, type SelectionOptions } from "./options.js";

/**
 * The noise, and how one individual can move scores.
 *
 * @inline
 */
export type NoisyMaxLossOptions = NoisyMaxNoise & Pick<SelectionOptions, "sensitivity" | "monotone">;

/**
 * One guarantee in up to three measures.
 *
 * @inline
 */
export type NoisyMaxLoss = {
  /** As ε; not with Gaussian noise. */
  readonly pure?: LossOf<Rational>["pure"];
  /** As ρ. */
  readonly zcdp: LossOf<Rational>["zcdp"];
  /** As a curve, which composes best where the noise is Gaussian. */
  readonly renyi: LossOf<Rational>["renyi"];
};

/**
 * What `reportNoisyMax` costs with this noise, in every measure in which the noise has a guarantee.
 *
 * With r = Δ if `monotone` and 2Δ if not, noise of a scale b is r/b-DP. As zCDP it costs less than (r/b)²/2, and Gumbel
 * noise less than (r/b)²/8. The losses of exponential noise are those of permute-and-flip too.
 * Proof: report-noisy-max.proof.md.
 *
 * @example
 * ```ts
 * import { noisyMaxLoss } from "winnow-dp";
 *
 * const { pure, zcdp } = noisyMaxLoss({ noise: "gumbel", scale: 2 });
 * pure?.epsilon; // → 1
 * zcdp.rho; // → 0.1233015614822446
 * ```
 */
export function noisyMaxLoss(options: NoisyMaxLossOptions): NoisyMaxLoss {
  const read = readOptions<AllOptions>(options, { noise: readNoise }, READERS);
  return inMeasures(curveOf(read as NoisyMaxNoise, rangeOf(read), laplaceCurve));
}

/**
 * What mechanisms state of the same noise, for scores that move by `range` against each other: the ρ for which it was
 * calibrated, x²/2 or x²/8, and for exponential and Laplace noise the curve of ε-DP. Releases and ledgers hold it.
 */
export function statedMaxLoss(noise: NoisyMaxNoise, range: Rational): NoisyMaxLoss {
  const curve = curveOf(noise, range, pureCurve);
  const loss = inMeasures(curve);
  if (!isBounded(curve.epsilon)) return loss;
  const rho = rhoOfRounds(curve.epsilon, noise.noise === "gumbel" ? "bounded-range" : "pure");
  return { ...loss, zcdp: zcdp(rho) };
}

/** The curve of noise of some size, which has a ρ. */
function inMeasures(curve: RenyiCurve): NoisyMaxLoss {
  const { epsilon, rho } = curve;
  return {
    ...(isBounded(epsilon) && { pure: pure(epsilon) }),
    zcdp: zcdp(rho as Rational),
    renyi: renyi(curve),
  };
}

type AllOptions = Pick<NoisyMaxNoise, "noise"> &
  Partial<ScaledNoise | GaussianNoise> &
  Pick<SelectionOptions, "sensitivity" | "monotone">;

const READERS = {
  sensitivity: positiveRational,
  monotone: boolean,
  scale: positiveRational,
  variance: positiveRational,
  maxCandidates: integer,
};

function curveOf(options: NoisyMaxNoise, range: Rational, ofScaled: typeof pureCurve): RenyiCurve {
  switch (options.noise) {
    case "exponential":
    case "laplace":
      return ofScaled(range.dividedBy(positiveRational("scale", options.scale)));
    case "gumbel":
      return boundedRangeCurve(range.dividedBy(positiveRational("scale", options.scale)));
    default: {
      const maxCandidates = integer("maxCandidates", options.maxCandidates);
      const variance = positiveRational("variance", options.variance);
      return gaussianMaxCurve({ distance: range, maxCandidates, variance });
    }
  }
}
