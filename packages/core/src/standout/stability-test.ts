/**
 * The test of propose-test-release: is a gap so wide that no individual can change which candidates are above it? The
 * gap, less what one individual can do to it, gets integer noise and must exceed a threshold, strictly. Anyone who sees
 * the answer learns a noisy comparison; a set that one individual could change passes with probability at most δ.
 *
 *   Gaussian noise of σ²     δ-approximate ρ-zCDP with ρ = Δ_gap²/(2σ²)
 *   Laplace noise of scale   (ε, δ)-DP with ε = Δ_gap/scale
 *
 * Proof: propose-test-release.proof.md.
 * @module
 */

import { gaussianCurve, pureCurve, renyi } from "../accounting/curve.js";
import { isBounded } from "../accounting/extended.js";
import { scaleAtLeast, varianceAtLeast } from "../accounting/least-noise.js";
import { approx, type LossOf, pure, zcdp } from "../accounting/loss.js";
import { gaussianThreshold, laplaceThreshold, type ThresholdRule } from "../accounting/profile/tails.js";
import type { LooseSpend } from "../accounting/spend.js";
import type { Entropy } from "../entropy.js";
import { Rational, type RationalLike } from "../exact/rational.js";
import { exactlyOneOf, oneOf, positiveRational, properProbability, readOptions } from "../options.js";
import { drawDiscreteGaussian } from "../sample/discrete-gaussian.js";
import { drawDiscreteLaplace } from "../sample/discrete-laplace.js";
import { type Taker, takeStep } from "./recorder.js";

/** The noise of a stability test, before it is known that just one is given. */
export type LooseTest = LooseSpend<"rho" | "epsilon" | "variance" | "scale">;

/**
 * How likely the test may let an unstable set pass, and how its threshold is found.
 *
 * @inline
 */
export interface FailureOptions {
  /** The largest probability with which an unstable set may pass, above 0 and below 1. */
  readonly delta: RationalLike;
  /** The smallest safe threshold, or the published one, which is larger. Default "smallest". */
  readonly thresholdRule?: ThresholdRule | undefined;
}

/** The reader of how the threshold is found. */
export const THRESHOLD = { thresholdRule: oneOf("smallest", "closed-form") };

/** The readers of what says which noise a test has. */
export const TEST_SIZES = {
  rho: positiveRational,
  epsilon: positiveRational,
  variance: positiveRational,
  scale: positiveRational,
};

/** The reader of a budget for a test. */
export function testBudget(field: string, value: LooseTest): LooseTest {
  return readOptions(value, {}, TEST_SIZES, field);
}

/** One guarantee in up to three measures. */
interface TestLoss {
  /** Not with Gaussian noise. */
  readonly approx?: LossOf<Rational>["approx"];
  readonly zcdp: LossOf<Rational>["zcdp"];
  readonly renyi: LossOf<Rational>["renyi"];
}

interface TestNoise {
  readonly law: "gaussian" | "laplace";
  /** σ², or the scale. */
  readonly size: Rational;
}

export class StabilityTest {
  readonly loss: TestLoss;
  readonly threshold: bigint;
  /** From this gap on a set is released, except with probability at most δ. */
  readonly certainGap: bigint;
  readonly #gapSensitivity: bigint;
  readonly #noise: TestNoise;

  constructor(
    gapSensitivity: bigint,
    budget: LooseTest,
    { delta, thresholdRule = "smallest" }: FailureOptions,
  ) {
    THRESHOLD.thresholdRule("thresholdRule", thresholdRule);
    const failure = properProbability("delta", delta);
    this.#gapSensitivity = gapSensitivity;
    this.#noise = noiseFor(budget, gapSensitivity);
    this.loss = lossOf(this.#noise, gapSensitivity, failure);
    const { law, size } = this.#noise;
    this.threshold = (law === "gaussian" ? gaussianThreshold : laplaceThreshold)(
      size,
      failure,
      thresholdRule,
    );
    this.certainGap = gapSensitivity + 2n * this.threshold + 1n;
  }

  /** Whether a set with this gap after it is released. */
  passes(gap: number | bigint, by: Taker): boolean {
    const announced = () => ({
      name: "stability test",
      parameters: { threshold: this.threshold, loss: this.loss.zcdp },
      input: [gap],
      sensitivity: this.#gapSensitivity,
    });
    return takeStep(by, announced, (entropy) => this.passesWith(BigInt(gap), this.#draw(entropy)));
  }

  /** Whether a set with this gap after it is released, with this noise. */
  passesWith(gap: bigint, noise: bigint): boolean {
    const margin = gap > this.#gapSensitivity ? gap - this.#gapSensitivity : 0n;
    return margin + noise > this.threshold;
  }

  #draw(entropy: Entropy): bigint {
    const { law, size } = this.#noise;
    return law === "gaussian" ? drawDiscreteGaussian(size, entropy) : drawDiscreteLaplace(size, entropy);
  }
}

function noiseFor({ rho, epsilon, variance, scale }: LooseTest, gapSensitivity: bigint): TestNoise {
  exactlyOneOf({ rho, epsilon, variance, scale });
  if (variance !== undefined) return { law: "gaussian", size: positiveRational("variance", variance) };
  if (scale !== undefined) return { law: "laplace", size: positiveRational("scale", scale) };
  if (rho !== undefined) {
    const target = zcdp(positiveRational("rho", rho));
    return { law: "gaussian", size: varianceAtLeast(target, { sensitivity: gapSensitivity }) };
  }
  const target = pure(positiveRational("epsilon", epsilon as RationalLike));
  return { law: "laplace", size: scaleAtLeast(target, { distance: gapSensitivity }) };
}

function lossOf({ law, size }: TestNoise, gapSensitivity: bigint, delta: Rational): TestLoss {
  const curve =
    law === "gaussian"
      ? gaussianCurve({ sensitivity: gapSensitivity, variance: size })
      : pureCurve(Rational.of(gapSensitivity).dividedBy(size));
  const { epsilon, rho } = curve;
  return {
    ...(isBounded(epsilon) && { approx: approx(epsilon, delta) }),
    zcdp: zcdp(rho as Rational, delta), // noise of some size has a ρ
    renyi: renyi(curve, delta),
  };
}
