/**
 * The laws of `quantile` and `quantiles` straight from their definitions, point by point and path by path, and of `upperBound` by the law of
 * sparse vector. Outcomes are values on the grid, such as `"3"` and `"1,2,3"`, and for `upperBound` the number of the first threshold
 * that is above, or `"none"`.
 *
 * Cost: all points of the grid for each quantile, for `quantiles` all sequences of sub-cells. Proof: packages/core/src/numbers/quantile.proof.md.
 * @module
 */
import {
  type Base2Parameter,
  Interval,
  Rational,
  type RationalLike,
  rational,
  readers,
  readOptions,
} from "winnow-dp";

import type { Law } from "./law.js";
import { aboveThresholdLaw } from "./threshold-laws.js";

/**
 * How many records have each value; values are integers.
 *
 * @inline
 */
export type ValueCounts = readonly (readonly [value: number, count: number])[];

/**
 * An instance of `quantile` whose law is asked for.
 *
 * @inline
 */
export interface QuantileLawOptions {
  /** The lowest value, an integer. */
  readonly lower: number;
  /** The highest. */
  readonly upper: number;
  /** Which quantile. */
  readonly quantile: RationalLike;
  /** The scale τ, if noise is natural. */
  readonly scale?: RationalLike | undefined;
  /** The base, if it is not. */
  readonly eta?: Base2Parameter | undefined;
  /** Binary places of the probabilities. Default 192. */
  readonly precision?: number | undefined;
}

const DEFAULT_PRECISION = 192;
const ENDS = { lower: readers.rational, upper: readers.rational };

/**
 * P(this value), for `quantile` on the integers from lower to upper.
 *
 * @param counts How many records have each value.
 * @param options The grid, the quantile and the noise.
 *
 * @example
 * ```ts
 * import { quantileLaw } from "winnow-audit";
 *
 * const law = quantileLaw([[3, 101], [7, 100]], { lower: 0, upper: 9, quantile: "1/2", scale: 1 });
 * law.get("3")?.isAbove("1/2"); // → false
 * ```
 */
export function quantileLaw(counts: ValueCounts, options: QuantileLawOptions): Law {
  const read = readOptions(
    options,
    { ...ENDS, quantile: readers.probability },
    { scale: readers.positiveRational, eta: readers.object, precision: readers.integer },
  );
  const { precision = DEFAULT_PRECISION, scale, eta } = read;
  const share = rational(read.quantile);
  const values = Array.from({ length: read.upper - read.lower + 1 }, (_, i) => read.lower + i);
  const masses = values.map((value) => rational(countOf(counts, value)));
  const weigh = scale === undefined ? base2Weight(eta, share) : naturalWeight(rational(scale), precision);
  const weights = distances(masses, share).map((distance) => weigh(distance, precision));
  const total = weights.reduce((a, b) => a.plus(b));
  return new Map(values.map((value, i) => [String(value), weights[i].dividedBy(total)]));
}

function countOf(counts: ValueCounts, value: number): number {
  return counts.reduce((sum, [at, count]) => (at === value ? sum + count : sum), 0);
}

/** max(0, a·M − L − E, L − a·M) for each cell. */
function distances(masses: readonly Rational[], share: Rational): Rational[] {
  const goal = masses.reduce((sum, mass) => sum.plus(mass), Rational.ZERO).times(share);
  let before = Rational.ZERO;
  return masses.map((mass) => {
    const after = before.plus(mass);
    const [lack, excess] = [goal.minus(after), before.minus(goal)];
    before = after;
    return [lack, excess, Rational.ZERO].reduce((a, b) => (a.compare(b) > 0 ? a : b));
  });
}

type Weigh = (distance: Rational, precision: number) => Interval;

function naturalWeight(scale: Rational, digits: number): Weigh {
  const known = new Map<string, Interval>();
  return (distance) => {
    const key = String(distance);
    const value =
      known.get(key) ??
      Interval.from(distance.dividedBy(scale).negated(), digits + 64)
        .exp()
        .withPrecision(digits);
    known.set(key, value);
    return value;
  };
}

function base2Weight(eta: Base2Parameter | undefined, share: Rational): Weigh {
  const { x, y, z } = readers.object("eta", eta as Base2Parameter);
  return (distance, precision) => {
    const steps = distance.times(share.denominator).floor() * z;
    return Interval.from(Rational.of(x ** BigInt(steps), (1n << y) ** BigInt(steps)), precision);
  };
}

/**
 * An instance of `quantiles` by recursion whose law is asked for.
 *
 * @inline
 */
export interface QuantilesLawOptions {
  /** The lowest value, an integer. */
  readonly lower: number;
  /** The highest. */
  readonly upper: number;
  /** Which quantiles, increasing. */
  readonly quantiles: readonly RationalLike[];
  /** Over how many sub-cells a value is spread. */
  readonly subCells: number;
  /** The ε of each level. */
  readonly epsilonLevel: RationalLike;
  /** The factor of the mass that one individual has: the records of a person. Default 1. */
  readonly records?: number | undefined;
  /** Whether outcomes are the sub-cells themselves, which are as private as the values. Default false. */
  readonly tellsSubCells?: boolean | undefined;
  /** Binary places of the probabilities. Default 192. */
  readonly precision?: number | undefined;
}

/**
 * P(these values), for `quantiles` by recursion on the integers from lower to upper.
 *
 * @param counts How many records have each value.
 * @param options The grid, the quantiles and the noise.
 *
 * @example
 * ```ts
 * import { quantilesLaw } from "winnow-audit";
 *
 * const law = quantilesLaw([[1, 2]], { lower: 0, upper: 1, quantiles: ["1/4", "3/4"], subCells: 1, epsilonLevel: 1 });
 * [...law.keys()].sort().join(" "); // → "0,1 1,1"
 * ```
 */
export function quantilesLaw(counts: ValueCounts, options: QuantilesLawOptions): Law {
  const { lower, upper, subCells, precision = DEFAULT_PRECISION, tellsSubCells = false } = options;
  const shares = options.quantiles.map((p) => rational(p));
  const each = rational(options.epsilonLevel);
  const cells = (upper - lower + 1) * subCells;
  const masses = Array.from({ length: cells }, (_, cell) =>
    rational(countOf(counts, lower + Math.floor(cell / subCells))).dividedBy(BigInt(subCells)),
  );
  const law = new Map<string, Interval>();
  const told = (cell: number) => (tellsSubCells ? cell : lower + Math.floor(cell / subCells));

  /** All ways through the quantiles from first to last within cells; `then` goes on with their answers. */
  const solve = (node: Node, p: Interval, answers: readonly number[], then: Then): void => {
    const { first, last, from, to, least, most } = node;
    if (first > last) {
      then(p, answers);
      return;
    }
    const index = (first + last) >> 1;
    const share = shares[index].minus(least).dividedBy(most.minus(least));
    const go = (cell: number, chance: Interval) =>
      solve({ ...node, last: index - 1, to: cell, most: shares[index] }, chance, answers, (q, left) =>
        solve(
          { first: index + 1, last, from: cell + 1, to, least: shares[index], most },
          q,
          [...left, told(cell)],
          then,
        ),
      );
    if (from > to) {
      go(to, p);
      return;
    }
    const wide = share.compare(Rational.ONE.minus(share)) > 0 ? share : Rational.ONE.minus(share);
    const scale = wide.times(2n * BigInt(options.records ?? 1)).dividedBy(each);
    const weigh = naturalWeight(scale, precision);
    const weights = distances(masses.slice(from, to + 1), share).map((d) => weigh(d, precision));
    const total = weights.reduce((a, b) => a.plus(b));
    for (const [i, weight] of weights.entries()) go(from + i, p.times(weight.dividedBy(total)));
  };
  solve(
    { first: 0, last: shares.length - 1, from: 0, to: cells - 1, least: Rational.ZERO, most: Rational.ONE },
    Interval.from(1n, precision),
    [],
    (p, answers) => {
      const outcome = answers.join(",");
      law.set(outcome, law.get(outcome)?.plus(p) ?? p);
    },
  );
  return law;
}

interface Node {
  readonly first: number;
  readonly last: number;
  readonly from: number;
  readonly to: number;
  readonly least: Rational;
  readonly most: Rational;
}

type Then = (p: Interval, answers: readonly number[]) => void;

/**
 * P(the first count above the target is this one), for `upperBound`.
 *
 * @param countsAbove How many values exceed each threshold.
 * @param options The target, and the scales of both noises.
 *
 * @example
 * ```ts
 * import { upperBoundLaw } from "winnow-audit";
 *
 * const law = upperBoundLaw([0, 9], { target: 5, thresholdScale: 1, queryScale: 1 });
 * [...law.keys()].join(" "); // → "0 1 none"
 * ```
 */
export function upperBoundLaw(
  countsAbove: readonly RationalLike[],
  options: {
    readonly target: RationalLike;
    readonly thresholdScale: RationalLike;
    readonly queryScale: RationalLike;
    readonly precision?: number | undefined;
  },
): Law {
  const { target, ...noise } = options;
  const law = aboveThresholdLaw(countsAbove, { ...noise, thresholds: countsAbove.map(() => target) });
  const place = (outcome: string) =>
    outcome.endsWith("above") ? outcome.split(", ").length - 1 : countsAbove.length;
  return new Map(
    [...law]
      .map(([outcome, p]) => [place(outcome), p] as const)
      .sort(([a], [b]) => a - b)
      .map(([at, p]) => [at < countsAbove.length ? String(at) : "none", p]),
  );
}
