/**
 * `noisyThreshold`: is one value at least a threshold? In integers: above with probability P(value + X ≥ threshold), where X is
 * two-sided with P(X = k) proportional to B^|k|, B = (x/2^y)^z. For the distance k = threshold − value in steps of the grid:
 *
 *     P(above) = B^k/(1 + B) for k ≥ 0,    1 − B^(1−k)/(1 + B) for k < 0
 *
 * The noise has two sides because one-sided noise would not be private here: it could never answer below where k ≤ 0. Many
 * queries are cheaper with `AboveThreshold`, whose threshold is noisy too.
 *
 * Guarantee: ⌈Δ⌉η in base 2. Cost: a few coins. Proof: above-threshold.proof.md.
 * @module
 */

import type { Base2Parameter } from "../accounting/base2-parameter.js";
import { base2, type LossOf } from "../accounting/loss.js";
import { weightsOf } from "../base2/weights.js";
import { anEntropy, type Entropy } from "../entropy.js";
import { invalidData, invalidParameter } from "../errors.js";
import { type Rational, type RationalLike, rational } from "../exact/rational.js";
import { anyRational, positiveRational, readOptions } from "../options.js";
import { toDouble } from "../race/scores.js";
import { withEntropy } from "../system-entropy.js";
import { drawOdds } from "./comparison.js";
import { aParameter } from "./threshold-parameters.js";

/**
 * The threshold, the noise, and how one individual can move the value.
 *
 * @inline
 */
export interface NoisyThresholdOptions {
  /** What the value is compared with: a multiple of the step. */
  readonly threshold: RationalLike;
  /** The base of the noise, made by `eta` or `etaAtMost`. */
  readonly eta: Base2Parameter;
  /** How much one individual can change the value. Default 1. */
  readonly sensitivity?: RationalLike | undefined;
  /** The grid, to which the value is rounded down. Default 1. */
  readonly step?: RationalLike | undefined;
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
}

/**
 * Whether the noisy value is at least the threshold, and what that cost.
 *
 * @inline
 */
export type NoisyThreshold = {
  /** Whether it is. */
  readonly above: boolean;
  /** The loss. */
  readonly privacy: LossOf<Rational>["base2"];
};

const OPTIONAL = { sensitivity: positiveRational, step: positiveRational, entropy: anEntropy };

/**
 * Whether one value is at least a threshold, with noise in integers.
 *
 * See docs/mechanisms/above-threshold.md.
 *
 * @param value The true value: private, a finite number or a bigint.
 * @param options The threshold, the noise, and how one individual can move the value.
 *
 * @example
 * ```ts
 * import { eta, noisyThreshold } from "winnow-dp";
 *
 * noisyThreshold(900, { threshold: 500, eta: eta(15, 4) }).above; // → true
 * ```
 */
export function noisyThreshold(value: number | bigint, options: NoisyThresholdOptions): NoisyThreshold {
  const read = readOptions(options, { threshold: anyRational, eta: aParameter }, OPTIONAL);
  const step = rational(read.step ?? 1n);
  const target = rational(read.threshold).dividedBy(step);
  if (!target.isInteger()) throw invalidParameter("threshold", "a multiple of step", options.threshold);
  toDouble(value, () => invalidData("value", "a finite number or a bigint (up to 1.79e308)"));
  const weights = weightsOf(read.eta);
  const steps = rational(read.sensitivity ?? 1n)
    .dividedBy(step)
    .ceil();
  const privacy = base2(weights.parameter.eta.times(steps));
  const distance = target.numerator - rational(value).dividedBy(step).floor();
  const above = withEntropy(read.entropy, (bits) =>
    distance >= 0n
      ? !drawOdds(weights, 1n, bits) && weights.keeps(distance, 0, bits)
      : !(drawOdds(weights, 1n, bits) && weights.keeps(-distance, 0, bits)),
  );
  return { above, privacy };
}
