/**
 * The laws of `largestGap`, `proposeTestRelease`, `stableTopK` and `stableTopKFixed`: a choice of k by the exponential
 * mechanism over gaps, a test with integer noise, and the set if it passes. Over an unknown domain that is also the
 * law of `stableTopKFixed`; over a public domain the exponential mechanism then drops candidates or adds others until
 * there are k. They are computed from the definitions alone and share no code with the mechanisms that draw.
 *
 * One multi-label answer of `labelByTeachers` has the law of `stableTopK` on the teachers' counts with one thing less
 * to see: an abstention doesn't say for which k.
 * @module
 */
import { Interval, type Rational, type RationalLike, rational, readers, readOptions } from "winnow-dp";

import type { Law } from "./law.js";
import { exponentialMechanismRound, peeledLaw } from "./noisy-max-laws.js";

/** P(noise > bound) for every integer. */
export type Tail = (bound: number) => Interval;

const PRECISION = 160;

/**
 * The tail of discrete Gaussian noise: sums of e^(−x²/2σ²), down to the last place.
 *
 * @example
 * ```ts
 * import { discreteGaussianTail } from "winnow-audit";
 *
 * discreteGaussianTail(100)(30).isBelow("0.002"); // → true
 * ```
 */
export function discreteGaussianTail(variance: RationalLike): Tail {
  const perSquare = rational(variance).times(-2n);
  const weights: Interval[] = [];
  while (weights.at(-1)?.lo !== 0n) {
    const square = rational(weights.length * weights.length);
    weights.push(Interval.from(square.dividedBy(perSquare), PRECISION).exp());
  }
  // The tail left out is at most σ²/x last places, and x > σ: less than one for each weight in the list.
  const rest = new Interval(0n, BigInt(weights.length), PRECISION);
  const from = (x: number) => weights.slice(x).reduce((sum, weight) => sum.plus(weight), rest);
  const total = from(0).plus(from(1));
  return mirrored((x) => from(x).dividedBy(total));
}

/**
 * The tail of discrete Laplace noise: a^x/(1 + a) from x ≥ 1 on, with a = e^(−1/scale).
 *
 * @example
 * ```ts
 * import { discreteLaplaceTail } from "winnow-audit";
 *
 * discreteLaplaceTail(10)(30).isBelow("0.03"); // → true
 * ```
 */
export function discreteLaplaceTail(scale: RationalLike): Tail {
  const a = Interval.from(rational(-1n).dividedBy(scale), PRECISION).exp();
  return mirrored((x) => a.power(x).dividedBy(a.plus(1n)));
}

/** From P(noise ≥ x) for x ≥ 1 to all bounds: the noise is symmetric. */
function mirrored(atLeast: (x: number) => Interval): Tail {
  return (bound) => (bound >= 0 ? atLeast(bound + 1) : complement(atLeast(-bound)));
}

/**
 * The stability test of an instance whose law is asked for.
 *
 * @inline
 */
export interface TestLawOptions {
  /** Whether candidates are known only by being counted: then every candidate of a released set has a count above 0. Default false. */
  readonly isUnknownDomain?: boolean | undefined;
  /** How far one individual can move a gap. */
  readonly gapSensitivity: number;
  /** What the gap with noise, less the sensitivity, must exceed. */
  readonly threshold: number | bigint;
  /** The law of the noise. */
  readonly tail: Tail;
}

/**
 * The law of `proposeTestRelease`: `"0 2"` for the set of candidates 0 and 2, or `"nothing"`.
 *
 * @param histogram The count of each candidate.
 * @param k How many candidates.
 * @param test The stability test.
 *
 * @example
 * ```ts
 * import { discreteLaplaceTail, proposeTestReleaseLaw } from "winnow-audit";
 *
 * const law = proposeTestReleaseLaw([90, 80, 1], 2, { gapSensitivity: 1, threshold: 10, tail: discreteLaplaceTail(1) });
 * [...law.keys()]; // → ["0 1", "nothing"]
 * ```
 */
export function proposeTestReleaseLaw(histogram: readonly number[], k: number, test: TestLawOptions): Law {
  const order = ranked(histogram);
  const read = readOptions(test, TEST.required, TEST.optional, "test");
  const passes = passing(gapsOf(order, readers.integer("k", k))[k - 1], read);
  return new Map([
    [setName(order, k, read), passes],
    ["nothing", complement(passes)],
  ]);
}

/**
 * The choice of k of an instance whose law is asked for.
 *
 * @inline
 */
export interface ChoiceLawOptions {
  /** k is at most this. */
  readonly maxK: number;
  /** The scale of the Gumbel noise on the gaps. */
  readonly scale: RationalLike;
  /** Added to the gap at k. Default 0. */
  readonly regulariser?: ((k: number) => RationalLike) | undefined;
  /** Wider gaps count as this wide. Default: as they are. */
  readonly gapCap?: number | bigint | undefined;
}

/**
 * The law of `largestGap`: the chosen k.
 *
 * @param histogram The count of each candidate.
 * @param options How k is chosen.
 *
 * @example
 * ```ts
 * import { largestGapLaw } from "winnow-audit";
 *
 * const law = largestGapLaw([9, 8, 1], { maxK: 3, scale: 1 });
 * law.get("2")?.isAbove("0.99"); // → true
 * ```
 */
export function largestGapLaw(histogram: readonly number[], options: ChoiceLawOptions): Law {
  const read = readOptions(options, CHOICE.required, CHOICE.optional);
  const chances = choiceOf(gapsOf(ranked(histogram), read.maxK), read);
  return new Map(chances.map((chance, index) => [String(index + 1), chance]));
}

/**
 * The law of `stableTopK`: `"2: 0 2"` for k = 2 and the candidates 0 and 2, or `"2: nothing"`.
 *
 * @param histogram The count of each candidate.
 * @param options How k is chosen, and the stability test.
 *
 * @example
 * ```ts
 * import { discreteLaplaceTail, stableTopKLaw } from "winnow-audit";
 *
 * const test = { gapSensitivity: 1, threshold: 10, tail: discreteLaplaceTail(1) };
 * const law = stableTopKLaw([90, 80, 1], { maxK: 2, scale: 1, ...test });
 * law.size; // → 4
 * ```
 */
export function stableTopKLaw(histogram: readonly number[], options: ChoiceLawOptions & TestLawOptions): Law {
  const order = ranked(histogram);
  const read = readOptions(options, STABLE.required, STABLE.optional);
  const gaps = gapsOf(order, read.maxK);
  const law = new Map<string, Interval>();
  for (const [index, chosen] of choiceOf(gaps, read).entries()) {
    const passes = passing(gaps[index], read);
    law.set(`${index + 1}: ${setName(order, index + 1, read)}`, chosen.times(passes));
    law.set(`${index + 1}: nothing`, chosen.times(complement(passes)));
  }
  return law;
}

const TEST = {
  required: { gapSensitivity: readers.integer, threshold: anyInteger, tail: readers.callable },
  optional: { isUnknownDomain: readers.boolean },
};
const CHOICE = {
  required: { maxK: readers.integer, scale: readers.positiveRational },
  optional: { regulariser: readers.callable, gapCap: readers.bigInteger },
};
/** The readers of both. */
const STABLE = {
  required: { ...TEST.required, ...CHOICE.required },
  optional: { ...TEST.optional, ...CHOICE.optional },
};

function anyInteger(field: string, value: number | bigint): bigint {
  return readers.bigInteger(field, value, -Infinity);
}

interface Ranked {
  readonly index: number;
  readonly count: number;
}

/** The largest first, the earlier first among equals. */
function ranked(histogram: readonly number[]): Ranked[] {
  return histogram
    .map((count, index) => ({ index, count }))
    .sort((a, b) => b.count - a.count || a.index - b.index);
}

/** The lead of the k-th over the next for k = 1 … maxK, zeros after the last. */
function gapsOf(order: readonly Ranked[], maxK: number): number[] {
  const at = (place: number) => order[place]?.count ?? 0;
  return Array.from({ length: maxK }, (_, place) => at(place) - at(place + 1));
}

function choiceOf(gaps: readonly number[], options: ChoiceLawOptions): Interval[] {
  const { scale, regulariser = () => 0, gapCap } = options;
  const utilities = gaps.map((gap, index): Rational => {
    const counted = gapCap === undefined || gap < gapCap ? gap : Number(gapCap);
    return rational(counted).plus(regulariser(index + 1));
  });
  return exponentialMechanismRound(utilities, rational(scale), PRECISION);
}

function passing(gap: number, { gapSensitivity, threshold, tail }: TestLawOptions): Interval {
  return tail(Number(threshold) - Math.max(0, gap - gapSensitivity));
}

/** In the order of the candidates. */
function setName(order: readonly Ranked[], k: number, { isUnknownDomain = false }: TestLawOptions): string {
  return order
    .slice(0, k)
    .filter(({ count }) => !isUnknownDomain || count > 0)
    .map(({ index }) => index)
    .sort((a, b) => a - b)
    .join(" ");
}

function complement(probability: Interval): Interval {
  return probability.negated().plus(1n);
}

/**
 * An instance of `stableTopKFixed` over a public domain whose law is asked for.
 *
 * @inline
 */
export interface FixedLawOptions extends ChoiceLawOptions, TestLawOptions {
  /** How many candidates are wanted. */
  readonly k: number;
  /** The scale of the Gumbel noise of every later round. */
  readonly roundsScale: RationalLike;
}

const COMPLETION_PRECISION = 160;

/**
 * The law of `stableTopKFixed`: `"3 stable: 0 2"` for the candidates 0 and 2 after a stable set of 3, `"3 unstable: 0
 * 2"` after none.
 *
 * @param histogram The count of each candidate.
 * @param options How many candidates, how j is chosen, the test, and the later rounds.
 *
 * @example
 * ```ts
 * import { discreteLaplaceTail, stableTopKFixedLaw } from "winnow-audit";
 *
 * const test = { gapSensitivity: 1, threshold: 10, tail: discreteLaplaceTail(1) };
 * const law = stableTopKFixedLaw([90, 80, 1], { k: 1, maxK: 2, scale: 1, roundsScale: 1, ...test });
 * law.size; // → 9
 * ```
 */
export function stableTopKFixedLaw(histogram: readonly number[], options: FixedLawOptions): Law {
  const read = readOptions(
    options,
    { k: readers.integer, roundsScale: readers.positiveRational, ...STABLE.required },
    STABLE.optional,
  );
  const { k, roundsScale, ...stableOptions } = read;
  const law = new Map<string, Interval>();
  for (const [outcome, chance] of stableTopKLaw(histogram, stableOptions)) {
    const [j, answer] = outcome.split(": ");
    const isStable = answer !== "nothing";
    const stable = isStable ? answer.split(" ").map(Number) : [];
    for (const [set, picked] of completions(histogram, stable, read)) {
      const name = `${j} ${isStable ? "stable" : "unstable"}: ${set}`;
      const probability = chance.times(picked);
      law.set(name, law.get(name)?.plus(probability) ?? probability);
    }
  }
  return law;
}

/** Sets of k that a stable set is made into, the same one several times if it comes about in several orders. */
function completions(
  histogram: readonly number[],
  stable: readonly number[],
  { k, roundsScale }: FixedLawOptions,
): [set: string, chance: Interval][] {
  const missing = k - stable.length;
  if (missing === 0) return [[nameOf(stable), Interval.from(1, COMPLETION_PRECISION)]];
  const others = [...histogram.keys()].filter((index) => !stable.includes(index));
  const [kept, pool, rounds] = missing < 0 ? [[], stable, k] : [stable, others, missing];
  const scores = pool.map((index) => histogram[index]);
  const picks = peeledLaw(exponentialMechanismRound, scores, {
    k: rounds,
    scale: roundsScale,
    precision: COMPLETION_PRECISION,
  });
  return [...picks].map(([order, chance]) => [
    nameOf([...kept, ...order.split(",").map((place) => pool[Number(place)])]),
    chance,
  ]);
}

/** In the order of the candidates. */
function nameOf(indices: readonly number[]): string {
  return indices.toSorted((a, b) => a - b).join(" ");
}

/**
 * The law of a multi-label answer of `labelByTeachers`: `"0 2"` for the labels 0 and 2, or `"nothing"`.
 *
 * @param counts How many teachers give each label.
 * @param options How the number of labels is chosen, and the stability test.
 *
 * @example
 * ```ts
 * import { discreteLaplaceTail, multiLabelLaw } from "winnow-audit";
 *
 * const test = { gapSensitivity: 1, threshold: 10, tail: discreteLaplaceTail(1) };
 * const law = multiLabelLaw([90, 80, 1], { maxK: 2, scale: 1, ...test });
 * law.size; // → 3
 * ```
 */
export function multiLabelLaw(counts: readonly number[], options: ChoiceLawOptions & TestLawOptions): Law {
  const law = new Map<string, Interval>();
  for (const [outcome, probability] of stableTopKLaw(counts, options)) {
    const [, answer] = outcome.split(": ");
    law.set(answer, law.get(answer)?.plus(probability) ?? probability);
  }
  return law;
}
