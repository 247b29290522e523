/**
 * The laws of `largestGap`, `proposeTestRelease`, `stableTopK` and, for an unknown domain, `stableTopKFixed`: a choice of k by
 * the exponential mechanism over gaps, a test with integer noise, and the set if it passes. Computed from the definitions
 * alone, with nothing of the code that draws.
 * @module
 */
import { Interval } from "../exact/interval.js";
import { type Rational, type RationalLike, rational } from "../exact/rational.js";
import { bigInteger, boolean, callable, integer, positiveRational, readOptions } from "../validate.js";
import { exponentialMechanismRound } from "./exponential-mechanism-round.js";
import type { Law } from "./law.js";

/** P(noise > bound) for every integer. */
export type Tail = (bound: number) => Interval;

const PRECISION = 160;

/** The tail of discrete Gaussian noise: sums of e^(−x²/2σ²), down to the last place. */
export function discreteGaussianTail(variance: RationalLike): Tail {
  const perSquare = rational(variance).times(-2n);
  const weights: Interval[] = [];
  while (weights.at(-1)?.lo !== 0n) {
    const square = rational(weights.length * weights.length);
    weights.push(Interval.from(square.dividedBy(perSquare), PRECISION).exp());
  }
  // What is left out is at most σ²/x last places, and x > σ: less than one for each weight that is there.
  const rest = new Interval(0n, BigInt(weights.length), PRECISION);
  const from = (x: number) => weights.slice(x).reduce((sum, weight) => sum.plus(weight), rest);
  const total = from(0).plus(from(1));
  return mirrored((x) => from(x).dividedBy(total));
}

/** The tail of discrete Laplace noise: a^x/(1 + a) from x ≥ 1 on, with a = e^(−1/scale). */
export function discreteLaplaceTail(scale: RationalLike): Tail {
  const a = Interval.from(rational(-1n).dividedBy(scale), PRECISION).exp();
  return mirrored((x) => a.power(x).dividedBy(a.plus(1n)));
}

/** From P(noise ≥ x) for x ≥ 1 to all bounds: the noise is symmetric. */
function mirrored(atLeast: (x: number) => Interval): Tail {
  return (bound) => (bound >= 0 ? atLeast(bound + 1) : complement(atLeast(-bound)));
}

/** The stability test of an instance whose law is asked for. */
export interface TestLawOptions {
  /** Whether candidates are known only by being counted: then a released set has none that nobody has. Default false. */
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
 */
export function proposeTestReleaseLaw(histogram: readonly number[], k: number, test: TestLawOptions): Law {
  const order = ranked(histogram);
  const read = readOptions(test, TEST.required, TEST.optional, "test");
  const passes = passing(gapsOf(order, integer("k", k))[k - 1], read);
  return new Map([
    [setName(order, k, read), passes],
    ["nothing", complement(passes)],
  ]);
}

/** The choice of k of an instance whose law is asked for. */
export interface ChoiceLawOptions {
  /** k is at most this. */
  readonly maxK: number;
  /** The scale of the Gumbel noise on the gaps. */
  readonly scale: RationalLike;
  /** What is added to the gap at k. Default 0. */
  readonly regulariser?: ((k: number) => RationalLike) | undefined;
  /** Wider gaps count as this wide. Default: as they are. */
  readonly cap?: number | bigint | undefined;
}

/**
 * The law of `largestGap`: the chosen k.
 *
 * @param histogram The count of each candidate.
 * @param options How k is chosen.
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
  required: { gapSensitivity: integer, threshold: anyInteger, tail: callable },
  optional: { isUnknownDomain: boolean },
};
const CHOICE = {
  required: { maxK: integer, scale: positiveRational },
  optional: { regulariser: callable, cap: bigInteger },
};
/** The readers of both. */
export const STABLE = {
  required: { ...TEST.required, ...CHOICE.required },
  optional: { ...TEST.optional, ...CHOICE.optional },
};

function anyInteger(field: string, value: number | bigint): bigint {
  return bigInteger(field, value, -Infinity);
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
  const { scale, regulariser = () => 0, cap } = options;
  const utilities = gaps.map((gap, index): Rational => {
    const counted = cap === undefined || gap < cap ? gap : Number(cap);
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
