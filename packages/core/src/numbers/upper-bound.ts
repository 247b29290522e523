/**
 * `upperBound`: a bound that few people exceed, for data without a known range. Thresholds fall from a public maximum, and
 * the first that noticeably more than `target` people exceed ends the scan: sparse vector over counts that only grow, so it
 * costs the maximum of two losses and not their sum. The threshold before it is published.
 *
 * Guarantee: pure ε = m·max(1/b₁, 1/b₂) for m values a person, zCDP at most ε²/2; m·(1/b₁ + 1/b₂) where people are replaced. Cost: one pass
 * over the values and a word of randomness a threshold. Proof: above-threshold.proof.md, quantile.proof.md.
 * @module
 */

import { epsilonAtMost } from "../accounting/calibrate.js";
import type { LossOf } from "../accounting/loss.js";
import { pureScale } from "../accounting/price.js";
import type { LooseOptions, Spend } from "../accounting/spend.js";
import { anEntropy, type Entropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { Rational, type RationalLike, rational, readRational } from "../exact/rational.js";
import {
  exactlyOneOf,
  integer,
  nonNegativeRational,
  oneOf,
  positiveRational,
  readOptions,
} from "../options.js";
import { withMethods } from "../select/measurement.js";
import { doubleOf, forEachValue, type GridValue, type GridValues, invalidPairs } from "./grid-data.js";
import { makeAboveThreshold } from "./threshold-measurement.js";

/**
 * How many people may exceed the bound, the thresholds, and a budget: exactly one of `epsilon`, `rho` and `scale`.
 *
 * @interface
 */
export type UpperBoundOptions = Spend<"epsilon" | "rho" | "scale"> & {
  /** About how many may exceed the bound: public, such as 10, or a share of a number that is public. */
  readonly target: RationalLike;
  /** Public thresholds, falling; the first should be a hard maximum. Default: 2^63, 2^62, …, 1. */
  readonly thresholds?: readonly RationalLike[] | undefined;
  /** The most values that one individual has, if the data were bounded to that. Default 1. */
  readonly maxValuesPerUser?: number | undefined;
  /** Whether one individual is added or removed, or replaced by another. Default "add-remove". */
  readonly neighbours?: "add-remove" | "replace" | undefined;
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
};

/** A bound, and what it cost. */
export interface UpperBound {
  /** One of the thresholds. */
  readonly value: Rational;
  /** The loss. */
  readonly privacy: LossOf<Rational>["pure" | "zcdp"];
  /**
   * With this confidence fewer values than that exceed the bound, if the first threshold is a hard maximum.
   *
   * @param confidence A probability above 0 and below 1.
   */
  exceeding(confidence: RationalLike): Rational;
}

type Loose = LooseOptions<UpperBoundOptions>;

const OPTIONAL = {
  epsilon: positiveRational,
  rho: positiveRational,
  scale: positiveRational,
  thresholds: fallingThresholds,
  maxValuesPerUser: integer,
  neighbours: /* @__PURE__ */ oneOf("add-remove", "replace"),
  entropy: anEntropy,
};

const HIGHEST = 63;

/** Powers of two, falling. */
function powersOfTwo(): Rational[] {
  return Array.from({ length: HIGHEST + 1 }, (_, i) => Rational.of(1n << BigInt(HIGHEST - i)));
}

function fallingThresholds(field: string, given: readonly RationalLike[]): Rational[] {
  const list = Array.isArray(given) ? Array.from(given as readonly RationalLike[], readRational) : [];
  const isFalling = list.every(
    (each, i) => each !== undefined && (i === 0 || each.compare(list[i - 1] as Rational) < 0),
  );
  if (list.length === 0 || !isFalling) throw invalidParameter(field, "a list of rationals that fall", given);
  return list as Rational[];
}

/**
 * A bound that about `target` people exceed, from public thresholds, for data without a known range.
 *
 * See docs/mechanisms/quantile.md.
 *
 * @param values One value for each person (or at most `maxValuesPerUser`), or pairs of a value and how many people have it.
 * @param options How many may exceed it, the thresholds, and the budget.
 *
 * @example
 * ```ts
 * import { upperBound } from "winnow-dp";
 *
 * const incomes = Float64Array.from({ length: 100_000 }, (_, i) => 20_000 + (i % 1000) * 70);
 * upperBound(incomes, { target: 50, epsilon: 1 }).value; // → 131072
 * ```
 */
export function upperBound(values: GridValues, options: UpperBoundOptions): UpperBound {
  const read = readOptions(options as Loose, { target: nonNegativeRational }, OPTIONAL);
  const { epsilon, rho, scale, maxValuesPerUser = 1, neighbours = "add-remove" } = read;
  exactlyOneOf({ epsilon, rho, scale });
  const thresholds = (read.thresholds as readonly Rational[] | undefined) ?? powersOfTwo();
  const isOrdered = neighbours === "add-remove";
  const target = rational(read.target);
  const whole = epsilon ?? (rho === undefined ? undefined : epsilonAtMost(rho));
  const size =
    whole === undefined
      ? rational(scale as RationalLike)
      : pureScale(rational(whole), Rational.of(BigInt(maxValuesPerUser)), isOrdered ? 1n : 2n);
  const measurement = makeAboveThreshold({
    thresholdScale: size,
    queryScale: size,
    threshold: target,
    ordered: isOrdered,
    monotone: !isOrdered,
    measure: rho === undefined ? "pure" : "zcdp",
  });
  const counts = countsAbove(values, thresholds);
  const [first] = measurement.invoke(counts, read.entropy).above;
  const place = first === undefined ? thresholds.length - 1 : Math.max(first.index - 1, 0);
  const privacy = measurement.map(maxValuesPerUser) as LossOf<Rational>["pure" | "zcdp"];
  return withMethods(
    { value: thresholds[place], privacy },
    {
      exceeding: (confidence: RationalLike) => target.plus(measurement.bounds(confidence, 1).miss),
    },
  );
}

/** How many values exceed each threshold. */
function countsAbove(values: GridValues, thresholds: readonly Rational[]): Float64Array {
  const counts = new Float64Array(thresholds.length + 1); // the last one is of values that exceed none
  const nearest = Float64Array.from(thresholds, (threshold) => threshold.toNumber());
  forEachValue(values, (value, count) => {
    counts[firstBelow(value, thresholds, nearest)] += count;
  });
  for (let i = 1; i < counts.length; i++) counts[i] += counts[i - 1];
  if (counts[thresholds.length] > Number.MAX_SAFE_INTEGER) throw invalidPairs();
  return counts.subarray(0, thresholds.length);
}

/**
 * The first threshold that a value exceeds, which exceeds all after it too. Rounding to doubles never turns an order around,
 * so they decide unless they are equal; a number is the decimal that it prints as.
 */
function firstBelow(value: GridValue, thresholds: readonly Rational[], nearest: Float64Array): number {
  const double = doubleOf(value);
  let [low, high] = [0, thresholds.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const isAbove =
      double === nearest[middle] ? rational(value).compare(thresholds[middle]) > 0 : double > nearest[middle];
    if (isAbove) high = middle;
    else low = middle + 1;
  }
  return low;
}
