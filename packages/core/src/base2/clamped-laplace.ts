/**
 * `clampedLaplace(value, options)`: a private number with noise, on a public grid lower, lower + γ, … up to `upper`.
 * The value is clamped to the bounds and floored to the grid; a point i steps away from it is released with probability
 * proportional to b^i, b = (x/2^y)^z. It is the base-2 exponential mechanism with the distance in steps as utility
 * [Ilv20, §4.1], drawn without a list of the grid's points, which may be as many as you like.
 *
 * Guarantee: one individual moves the floor by at most α = ⌈Δ/γ⌉ steps, so the loss is 2αη in base 2, that is
 * ε = 2α·z·ln(2^y/x).
 *
 * Cost: some 10 microseconds and 50 random bits, whatever the grid. Proof: clamped-laplace.proof.md.
 * @module
 */

import type { LossOf } from "../accounting/loss.js";
import type { LooseOptions, Spend } from "../accounting/spend.js";
import { anEntropy, type Entropy } from "../entropy.js";
import { invalidParameter, WinnowError } from "../errors.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import { anyRational, positiveRational, readOptions } from "../options.js";
import { drawBigBelow } from "../sample/uniform-below.js";
import { withEntropy } from "../system-entropy.js";
import { BASE2_BUDGET, spend } from "./base2-budget.js";
import { clampedRational } from "./clamped-rational.js";
import type { Base2Weights } from "./weights.js";

/**
 * A budget (exactly one of `eta` and `epsilon`), the public grid, and how far one individual can move the value.
 *
 * @interface
 */
export type ClampedLaplaceOptions = Spend<"eta" | "epsilon"> & {
  /** The first point of the grid. */
  readonly lower: RationalLike;
  /** No point of the grid is above. */
  readonly upper: RationalLike;
  /** The step of the grid. */
  readonly step: RationalLike;
  /** How far one individual can move the value. Default 1. */
  readonly sensitivity?: RationalLike | undefined;
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
};

type Loose = LooseOptions<ClampedLaplaceOptions>;

const GRID = { lower: anyRational, upper: anyRational, step: positiveRational };
const OPTIONAL = { ...BASE2_BUDGET, sensitivity: positiveRational, entropy: anEntropy };

/**
 * The number that is released, and what it cost.
 *
 * @inline
 */
export type ClampedLaplaceRelease = {
  /** A point of the grid. */
  readonly value: Rational;
  /** The loss incurred, in base 2; `convert` gives it as ε. */
  readonly privacy: LossOf<Rational>["base2"];
};

/**
 * A private number with noise, on the public grid `lower`, `lower` + `step`, … up to `upper`.
 *
 * The value is clamped to the bounds and floored to the grid; a point i steps away from it is released with probability
 * proportional to b^i [Ilv20, §4.1].
 *
 * Guarantee: 2αη in base 2, where α = ⌈Δ/step⌉ is how many steps one individual can move the value. See
 * docs/mechanisms/clamped-laplace.md.
 *
 * @param value The private number.
 * @param options The budget, the public grid, and how far one individual can move the value.
 *
 * @example
 * ```ts
 * import { clampedLaplace } from "winnow-dp";
 *
 * const { value, privacy } = clampedLaplace("36.6", { epsilon: 1, lower: 30, upper: 45, step: "1/100" });
 * value.compare(30) >= 0 && value.compare(45) <= 0; // → true
 * privacy.measure; // → "base2"
 * ```
 */
export function clampedLaplace(value: RationalLike, options: ClampedLaplaceOptions): ClampedLaplaceRelease {
  const read = readOptions(options as Loose, GRID, OPTIONAL);
  const [lower, upper, step] = [read.lower, read.upper, read.step].map((end) => rational(end));
  if (lower.compare(upper) > 0) throw invalidParameter("upper", "a rational >= lower", upper);
  const sensitivity = rational(read.sensitivity ?? 1n);
  const steps = Rational.of(sensitivity.dividedBy(step).ceil());
  const { weights, privacy } = spend(read, { sensitivity: steps, monotone: false });
  const clamped = clampedRational(value, [lower, upper], invalidValue);
  const centre = clamped.minus(lower).dividedBy(step).floor();
  const last = upper.minus(lower).dividedBy(step).floor();
  const point = withEntropy(read.entropy, (entropy) => drawPoint(centre, last, weights, entropy));
  return { value: step.times(point).plus(lower), privacy };
}

/**
 * i ∈ {0, …, last} with probability proportional to b^|i − centre|. Each side of the centre is cut into blocks of a
 * length at which the weights have at least halved; block c is proposed with probability 2^−(c+1), a point of it
 * uniformly, and kept with probability b^distance·2^c. A length that reaches beyond the grid is shortened to it: then
 * no point of a later block is on the grid.
 */
function drawPoint(centre: bigint, last: bigint, weights: Base2Weights, entropy: Entropy): bigint {
  const longest = last - centre;
  if (longest < centre) return last - drawPoint(longest, last, weights, entropy); // mirrored: the right side is the longer
  const halving = Math.ceil(1 / weights.rate);
  const length = halving > longest ? longest + 1n : BigInt(halving);
  for (;;) {
    const isLeft = centre > 0n && entropy.bit() === 1;
    const block = drawLeadingZeros(entropy);
    const distance = BigInt(block) * length + drawBigBelow(length, entropy);
    const isOnGrid = isLeft ? distance > 0n && distance <= centre : distance <= longest; // the centre is on the right
    if (isOnGrid && weights.keeps(distance, block, entropy))
      return isLeft ? centre - distance : centre + distance;
  }
}

/** How many bits are 0 before the first 1. */
function drawLeadingZeros(entropy: Entropy): number {
  let zeros = 0;
  while (entropy.bit() === 0) zeros++;
  return zeros;
}

const EXPECTED = "a number, a bigint or a rational";

/** The refusal of a private value, which says nothing about it. */
function invalidValue(): WinnowError {
  return new WinnowError("invalid-score", `value must be ${EXPECTED}`, {
    field: "value",
    expected: EXPECTED,
  });
}
