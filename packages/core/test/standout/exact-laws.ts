/**
 * The laws of the adaptive selections in closed form, as certified enclosures, from their definitions alone: nothing of
 * the code under test is used, so that both may be compared.
 * @module
 */
import { Interval } from "../../src/exact/interval.js";
import { type Rational, type RationalLike, rational } from "../../src/exact/rational.js";

export const PRECISION = 160;

const ZERO = Interval.from(0n, PRECISION);
const ONE = Interval.from(1n, PRECISION);

export function sum(values: readonly Interval[]): Interval {
  return values.reduce((total, value) => total.plus(value), ZERO);
}

export function exp(exponent: Rational): Interval {
  return Interval.from(exponent, PRECISION).exp();
}

/** The exponential mechanism with Gumbel noise of this scale: softmax of utility/scale. */
export function softmax(utilities: readonly RationalLike[], scale: RationalLike): Interval[] {
  const best = utilities.map((u) => rational(u)).reduce((a, b) => (a.compare(b) > 0 ? a : b));
  const weights = utilities.map((u) => exp(rational(u).minus(best).dividedBy(scale)));
  const total = sum(weights);
  return weights.map((weight) => weight.dividedBy(total));
}

/** The counts in descending order with their positions, the earlier position first among equals. */
export function sorted(histogram: readonly number[]): { index: number; count: number }[] {
  return histogram
    .map((count, index) => ({ index, count }))
    .sort((a, b) => b.count - a.count || a.index - b.index);
}

/** h(j) − h(j+1) for j = 1 … maxK, zeros after the last count. */
export function gaps(histogram: readonly number[], maxK: number): number[] {
  const counts = sorted(histogram).map(({ count }) => count);
  return Array.from({ length: maxK }, (_, j) => (counts[j] ?? 0) - (counts[j + 1] ?? 0));
}

/** P(noise > bound), for every integer bound. */
export type Tail = (bound: number) => Interval;

/** The tail of the discrete Gaussian law: sums of e^(−x²/2σ²) until terms are below the last place. */
export function gaussianTail(variance: RationalLike): Tail {
  const weight = (x: number) => exp(rational(x * x).dividedBy(rational(variance).times(-2n)));
  const weights: Interval[] = [];
  for (let x = 0; weights.at(-1)?.lo !== 0n; x++) weights.push(weight(x));
  // What is left out is less than the last place for each of as many terms again.
  const rest = new Interval(0n, BigInt(weights.length), PRECISION);
  const from = (x: number) => sum(weights.slice(x)).plus(rest);
  const total = from(0).plus(from(1));
  const tail = (x: number) => from(x).dividedBy(total);
  return (bound) => (bound >= 0 ? tail(bound + 1) : ONE.minus(tail(-bound)));
}

/** The tail of the discrete Laplace law: a^(λ+1)/(1 + a) for λ ≥ 0. */
export function laplaceTail(scale: RationalLike): Tail {
  const a = exp(rational(-1n).dividedBy(scale));
  const tail = (x: number) => a.power(x).dividedBy(a.plus(1n));
  return (bound) => (bound >= 0 ? tail(bound + 1) : ONE.minus(tail(-bound)));
}

/** The probability that a set with this gap after it passes the test. */
export function passing(gap: number, gapSensitivity: number, threshold: number, tail: Tail): Interval {
  return tail(threshold - (Math.max(gapSensitivity, gap) - gapSensitivity));
}

/** A law over named outcomes. */
export type ExactLaw = ReadonlyMap<string, Interval>;

export function addTo(law: Map<string, Interval>, outcome: string, probability: Interval): void {
  law.set(outcome, law.get(outcome)?.plus(probability) ?? probability);
}

export interface StableLawOptions {
  readonly maxK: number;
  readonly gapSensitivity: number;
  /** Gumbel noise on the gaps. */
  readonly scale: RationalLike;
  readonly tail: Tail;
  readonly threshold: number;
  readonly regulariser?: (k: number) => RationalLike;
  readonly cap?: number;
}

/** The law of k, and of passing given k. */
export function choiceLaw(histogram: readonly number[], options: StableLawOptions) {
  const { maxK, gapSensitivity, scale, threshold, tail, regulariser = () => 0, cap = Infinity } = options;
  const widths = gaps(histogram, maxK);
  const utilities = widths.map((gap, j) => rational(Math.min(gap, cap)).plus(regulariser(j + 1)));
  const chosen = softmax(utilities, scale);
  return widths.map((gap, j) => ({
    k: j + 1,
    chosen: chosen[j],
    passes: passing(gap, gapSensitivity, threshold, tail),
  }));
}

/** The law of `stableTopK`, by outcomes such as `"2: 0 1"` and `"2: not released"`. */
export function stableLaw(histogram: readonly number[], options: StableLawOptions): ExactLaw {
  const law = new Map<string, Interval>();
  const order = sorted(histogram);
  for (const { k, chosen, passes } of choiceLaw(histogram, options)) {
    const set = order.slice(0, k).map(({ index }) => index);
    addTo(law, stableName({ k, candidates: set }), chosen.times(passes));
    addTo(law, stableName({ k }), chosen.times(ONE.minus(passes)));
  }
  return law;
}

export function stableName({ k, candidates }: { k: number; candidates?: readonly number[] }): string {
  return `${k}: ${candidates === undefined ? "not released" : setName(candidates)}`;
}

export function setName(indices: readonly number[]): string {
  return [...indices].sort((a, b) => a - b).join(" ");
}

/** The law of the set that so many rounds of the exponential mechanism pick, each among those that are left. */
export function peelLaw(
  histogram: readonly number[],
  candidates: readonly number[],
  rounds: number,
  scale: RationalLike,
): ExactLaw {
  const law = new Map<string, Interval>();
  const pick = (picked: readonly number[], left: readonly number[], probability: Interval): void => {
    if (picked.length === rounds) {
      addTo(law, setName(picked), probability);
      return;
    }
    const chances = softmax(
      left.map((index) => histogram[index]),
      scale,
    );
    left.forEach((index, i) => {
      const others = left.filter((other) => other !== index);
      pick([...picked, index], others, probability.times(chances[i]));
    });
  };
  pick([], candidates, ONE);
  return law;
}

export interface FixedLawOptions extends StableLawOptions {
  readonly k: number;
  readonly domain: "public" | "unknown";
  /** Gumbel noise of each round, by their number. */
  readonly roundScale: (rounds: number) => RationalLike;
}

/** The law of the set that `stableTopKFixed` returns. */
export function fixedLaw(histogram: readonly number[], options: FixedLawOptions): ExactLaw {
  const { k, domain, roundScale } = options;
  const law = new Map<string, Interval>();
  const order = sorted(histogram).map(({ index }) => index);
  const all = histogram.map((_, index) => index);
  const complete = (released: readonly number[], probability: Interval): void => {
    const missing = k - released.length;
    if (missing === 0 || (missing > 0 && domain === "unknown")) {
      addTo(law, setName(released), probability);
      return;
    }
    const rounds = missing < 0 ? k : missing;
    const pool = missing < 0 ? released : all.filter((index) => !released.includes(index));
    const kept = missing < 0 ? [] : released;
    for (const [picked, chance] of peelLaw(histogram, pool, rounds, roundScale(rounds)))
      addTo(law, setName([...kept, ...picked.split(" ").map(Number)]), probability.times(chance));
  };
  for (const { k: j, chosen, passes } of choiceLaw(histogram, options)) {
    complete(order.slice(0, j), chosen.times(passes));
    complete([], chosen.times(ONE.minus(passes)));
  }
  return law;
}
