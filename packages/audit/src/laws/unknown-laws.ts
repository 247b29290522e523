/**
 * The law of `limitedTopK` in closed form, without and with gaps, by outcomes such as `"ant,bee"` for a full list,
 * `"ant."` for one that ⊥ ended, `"."` for an empty one, and `"ant,bee by 1,>=4"` with gaps in multiples of the resolution.
 *
 * The candidates and ⊥ are an ordered top k like any other. A list that ends at ⊥ after j names is the order of those j and
 * ⊥ in the first j + 1 places; a full list is an order of k places without ⊥. Gumbel rounds are products of shares;
 * exponential noise has the laws of `exponentialTopKLaw` and `topKWithGapLaw`.
 *
 * Where ⊥ stands is given as it is, and so is the order of names with equal counts, so that mistakes can be studied too.
 *
 * Cost: that of the laws for each length. Proof: packages/core/src/discover/limited-top-k.proof.md.
 * @module
 */
import { Interval, Rational, type RationalLike, rational, readers, readOptions } from "winnow-dp";

import type { Law } from "./law.js";
import { exponentialTopKLaw, ordersOf, topKWithGapLaw } from "./top-k-laws.js";

/**
 * An instance of `limitedTopK` whose law is asked for.
 *
 * @inline
 */
export interface LimitedLawOptions {
  /** The most names. */
  readonly k: number;
  /** How many of the largest counts race. */
  readonly maxCandidates: number;
  /** The law of the noise. */
  readonly noise: "gumbel" | "exponential";
  /** The scale of the noise. */
  readonly scale: RationalLike;
  /** How far ⊥ stands above the largest count that doesn't race: r + T. */
  readonly height: RationalLike;
  /** Gaps are multiples of this; exponential noise only. */
  readonly resolution?: RationalLike | undefined;
  /** Gaps of at least this many resolutions are one outcome, such as `">=4"`. Default 4. */
  readonly largestGap?: number | undefined;
  /** Binary places of the probabilities. Default 192. */
  readonly precision?: number | undefined;
}

const REQUIRED = {
  k: readers.integer,
  maxCandidates: readers.integer,
  noise: readers.oneOf("gumbel", "exponential"),
  scale: readers.positiveRational,
  height: readers.rational,
};
const OPTIONAL = {
  resolution: readers.positiveRational,
  largestGap: readers.integer,
  precision: readers.integer,
};
const DEFAULT_PRECISION = 192;
const DEFAULT_LARGEST_GAP = 4;

/**
 * Names with their counts, the first ones first where counts are equal.
 *
 * @inline
 */
export type OrderedHistogram = Readonly<Record<string, number>>;

/**
 * P(these names in this order, and whether ⊥ ended the list), for `limitedTopK`.
 *
 * @param histogram The count of each name; of equal counts the first named comes first. Zeros are not candidates.
 * @param options The question, the noise, and where ⊥ stands.
 *
 * @example
 * ```ts
 * import { limitedTopKLaw } from "winnow-audit";
 *
 * const law = limitedTopKLaw({ ant: 9, bee: 2 }, { k: 1, maxCandidates: 10, noise: "gumbel", scale: 1, height: 5 });
 * [...law.keys()].sort().join(" "); // → ". ant bee"
 * ```
 */
export function limitedTopKLaw(histogram: OrderedHistogram, options: LimitedLawOptions): Law {
  const read = readOptions(options, REQUIRED, OPTIONAL);
  const { names, scores } = racers(histogram, read);
  const law = new Map<string, Interval>();
  for (const [order, gaps, probability] of lists(scores, read)) {
    const isStopped = order.at(-1) === names.length;
    const winners = isStopped ? order.slice(0, -1) : order;
    const text = `${winners.map((index) => names[index])}${isStopped ? "." : ""}`;
    const outcome = gaps.length > 0 ? `${text} by ${gaps}` : text;
    law.set(outcome, law.get(outcome)?.plus(probability) ?? probability);
  }
  return law;
}

/** The candidates, and their scores with that of ⊥ at the end. */
function racers(
  histogram: OrderedHistogram,
  { maxCandidates, height }: LimitedLawOptions,
): { names: string[]; scores: Rational[] } {
  const sorted = Object.entries(histogram)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a); // stable: of equal counts the first named comes first
  const next = sorted[maxCandidates]?.[1] ?? 0;
  const rows = sorted.slice(0, maxCandidates);
  return {
    names: rows.map(([name]) => name),
    scores: [...rows.map(([, count]) => rational(count)), rational(next).plus(height)],
  };
}

type List = readonly [order: readonly number[], gaps: readonly string[], probability: Interval];

/** Every list with its probability: orders that end at ⊥ (the last index) within k places, and full ones without it. */
function* lists(scores: readonly Rational[], options: LimitedLawOptions): Generator<List, void> {
  const stop = scores.length - 1;
  const most = Math.min(options.k, scores.length);
  for (let places = 1; places <= most; places++)
    for (const list of ordersFor(scores, places, options)) {
      const ended = list[0].indexOf(stop);
      const isFull = places === options.k && ended < 0;
      if (isFull || ended === places - 1) yield list;
    }
}

/** The orders of `places` winners; with gaps, each with every list of gaps that it can have. */
function* ordersFor(
  scores: readonly Rational[],
  places: number,
  options: LimitedLawOptions,
): Generator<List, void> {
  const { noise, scale, resolution, precision = DEFAULT_PRECISION } = options;
  if (noise === "gumbel") return yield* gumbelOrders(scores, places, rational(scale), precision);
  if (resolution === undefined) {
    const law = exponentialTopKLaw(scores, { k: places, scale, precision });
    for (const [outcome, probability] of law) yield [outcome.split(",").map(Number), [], probability];
    return;
  }
  const largestGap = options.largestGap ?? DEFAULT_LARGEST_GAP;
  const stop = scores.length - 1;
  // Where all are placed, the last one has no gap: the law of one place less tells all of it.
  const told = Math.min(places, scores.length - 1);
  if (told === 0) return yield [[stop], [], Interval.from(1, precision)];
  for (const [outcome, probability] of topKWithGapLaw(scores, {
    ...{ k: told, scale, resolution, largestGap, precision },
  })) {
    const [winners, gaps] = outcome.split(" by ").map((part) => part.split(","));
    const order = winners.map(Number);
    if (told < places) order.push(scores.findIndex((_, index) => !order.includes(index)));
    // The lead of ⊥ itself is not released.
    const isStopped = order[places - 1] === stop;
    yield [order, isStopped ? gaps.slice(0, places - 1) : gaps, probability];
  }
}

/** Each place goes to one of those who are left, with probability in proportion to e^(score/scale). */
function* gumbelOrders(
  scores: readonly Rational[],
  places: number,
  scale: Rational,
  precision: number,
): Generator<List, void> {
  const top = scores.reduce((a, b) => (a.compare(b) < 0 ? b : a));
  const bits =
    precision +
    Number(
      top
        .minus(scores.reduce((a, b) => (a.compare(b) < 0 ? a : b)))
        .dividedBy(scale)
        .times("3/2")
        .ceil(),
    );
  const weights = scores.map((score) => Interval.from(score.minus(top).dividedBy(scale), bits).exp());
  for (const order of ordersOf(scores.keys(), places)) {
    let probability = Interval.from(1, bits);
    for (const [place, winner] of order.entries()) {
      const left = weights.filter((_, index) => !order.slice(0, place).includes(index));
      probability = probability.times(weights[winner].dividedBy(left.reduce((a, b) => a.plus(b))));
    }
    yield [order, [], probability.withPrecision(precision)];
  }
}

/**
 * P(a name is kept), for partition selection: π_n = min(e^ε·π_(n−1) + δ, 1 − e^(−ε)·(1 − π_(n−1) − δ), 1), from π_0 = 0 to
 * the first that is 1.
 *
 * @param epsilon The ε of one name.
 * @param delta The δ of one name.
 * @param precision Binary places of the probabilities. Default 192.
 *
 * @example
 * ```ts
 * import { keepProbabilities } from "winnow-audit";
 *
 * keepProbabilities(1, "0.1").length; // → 6
 * ```
 */
export function keepProbabilities(
  epsilon: RationalLike,
  delta: RationalLike,
  precision = DEFAULT_PRECISION,
): readonly Interval[] {
  const [size, d] = [readers.positiveRational("epsilon", epsilon), readers.positiveRational("delta", delta)];
  const bits = precision + 64;
  const one = Interval.from(1, bits);
  const [up, down] = [size, size.negated()].map((x) => Interval.from(x, bits).exp());
  const keep = [Interval.from(0, bits)];
  for (let last = keep[0]; last.isBelow(Rational.ONE.minus(d)); ) {
    const first = last.times(up).plus(d);
    const second = one.minus(one.minus(last).minus(d).times(down));
    last = minimum(minimum(first, second), one);
    keep.push(last);
  }
  keep.push(one);
  return keep.map((probability) => probability.withPrecision(precision));
}

/**
 * P(these names are published), by outcomes such as `"ant,bee"` and `""`, for `selectPartitions` by its optimal coins:
 * every name is kept or not, independently, as often as its count says.
 *
 * @param histogram How many people have each name.
 * @param keep The probabilities by count, from 0 people on; beyond the last one, that one.
 *
 * @example
 * ```ts
 * import { keepProbabilities, selectPartitionsLaw } from "winnow-audit";
 *
 * const law = selectPartitionsLaw({ ant: 3, bee: 1 }, keepProbabilities(1, "0.1"));
 * law.size; // → 4
 * ```
 */
export function selectPartitionsLaw(histogram: OrderedHistogram, keep: readonly Interval[]): Law {
  const { precision } = keep[0];
  let law = new Map<string, Interval>([["", Interval.from(1, precision)]]);
  for (const [name, count] of Object.entries(histogram)) {
    if (count === 0) continue;
    const kept = keep[Math.min(count, keep.length - 1)];
    const dropped = Interval.from(1, precision).minus(kept);
    law = new Map(
      [...law].flatMap(([names, probability]) => [
        [names, probability.times(dropped)] as const,
        [names === "" ? name : `${names},${name}`, probability.times(kept)] as const,
      ]),
    );
  }
  return law;
}

function minimum(a: Interval, b: Interval): Interval {
  return new Interval(a.lo < b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi, a.precision);
}
