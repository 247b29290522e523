/**
 * Counts of names that are public by now, because a mechanism released them or because they always were: each count with
 * fresh integer noise, and an interval that holds the true count with a stated probability, from the exact tail of the noise.
 *
 * Guarantee for ℓ counts that one individual can move by Δ each (of j names at most j; with a bound of m names a person at
 * most m of them, and 2m where people are replaced):
 *   discrete Gaussian noise of σ²        ℓΔ²/(2σ²)-zCDP
 *   discrete Laplace noise of scale b    pure ε = ℓΔ/b
 *   discrete Gaussian noise, (ε, δ)      the least σ² that is certified by the exact sum, for Δ = 1
 *   noise that the counts share          `rhoOfSharedCounts`, `epsilonOfSharedCounts`; people added or removed only
 *
 * `nonIncreasingFit` and `orderedIntervals` use the order of a list, at no cost: they look at released numbers only.
 *
 * Cost: microseconds a count. Proof: top-k-with-counts.proof.md, shared-counts.proof.md,
 * accounting/profile/discrete-gaussian-counts.proof.md.
 * @module
 */

import type { LossOf } from "../accounting/loss.js";
import { anEntropy, type Entropy } from "../entropy.js";
import { invalidData } from "../errors.js";
import { ceilDiv, floorDiv } from "../exact/integers.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import { arrayLike, integer, rationalDatum, readOptions } from "../options.js";
import type { NamedCounts } from "../race/candidates.js";
import { withEntropy } from "../system-entropy.js";
import {
  COUNT_NOISE,
  type CountBudget,
  CountNoise,
  type LooseNoise,
  levelFor,
  type SharedPart,
} from "./count-noise.js";
import { countOf, invalidHistogram, nameOf, pairsOf } from "./named-counts.js";

/**
 * A budget for all counts (exactly one of `rho`, `epsilon`, `variance` and `scale`), and how one individual can change them.
 *
 * @interface
 */
export type MeasureCountsOptions = CountBudget & {
  /** For how many names the budget is; unused ones cost less. Default: as many as there are. */
  readonly k?: number | undefined;
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
};

/**
 * A count with noise, and where the true one is.
 *
 * @inline
 */
export type MeasuredCount = {
  /** The name. */
  readonly candidate: string;
  /** The count with its noise: an integer, or a multiple of 1/factor where noise is shared. It may be below 0. */
  readonly count: Rational;
  /** The lower end of the interval that holds the true count with the stated confidence: an integer, at least 0. */
  readonly from: Rational;
  /** Its upper end. */
  readonly to: Rational;
};

/**
 * Noise of which all counts share a part.
 *
 * @inline
 */
export type SharedNoise = SharedPart & {
  /** σ² or the scale of the part that each count has for itself. */
  readonly each: Rational;
  /** `halfWidth` before it is rounded up to a whole number. */
  readonly halfWidth: Rational;
  /** `simultaneous` before it is rounded up. */
  readonly simultaneous: Rational;
};

/** Counts with noise, how far off they may be, and what they cost. */
export interface MeasuredCounts {
  /** In the order of the names. */
  readonly counts: readonly MeasuredCount[];
  /** Each true count is this near to its measured one, with the stated confidence. */
  readonly halfWidth: Rational;
  /** All of them are this near at once, with the stated confidence. */
  readonly simultaneous: Rational;
  /** What all counts share of their noise; only if they do. */
  readonly shared?: SharedNoise;
  /** The loss that was incurred. */
  readonly privacy: LossOf<Rational>["pure" | "zcdp" | "approx"];
}

const OPTIONS = { ...COUNT_NOISE, k: integer, entropy: anEntropy };

/**
 * The counts of names that are public, each with fresh noise and an interval that holds the true count.
 *
 * The names must be public or released before, by whatever mechanism; the counts are then ordinary measurements. A name
 * that the histogram doesn't have counts 0. See docs/mechanisms/top-k-with-counts.md.
 *
 * @param histogram The count of each name.
 * @param names The names to measure, each once.
 * @param options The budget, and how one individual can change counts.
 *
 * @example
 * ```ts
 * import { measureCounts } from "winnow-dp";
 *
 * const { counts, halfWidth, privacy } = measureCounts({ Alster: 9120 }, ["Alster", "Bille"], { epsilon: 1 });
 * counts.map(({ candidate }) => candidate); // → ["Alster", "Bille"]
 * halfWidth; // → 4
 * privacy.measure; // → "pure"
 * ```
 */
export function measureCounts(
  histogram: NamedCounts,
  names: readonly string[],
  options: MeasureCountsOptions,
): MeasuredCounts {
  const { entropy, k: most, ...read } = readOptions(options as LooseMeasure, {}, OPTIONS);
  const listed = arrayLike("names", names);
  const least = Math.max(listed.length, 1);
  const noise = new CountNoise(integer("k", most ?? least, least), read);
  const truths = countsOf(histogram, listed);
  return withEntropy(entropy, (bits) => measured(noise, listed, truths, levelFor(read), bits));
}

type LooseMeasure = LooseNoise & Pick<MeasureCountsOptions, "k" | "entropy">;

/** The true counts of the names, in their order. */
export function countsOf(histogram: NamedCounts, names: readonly string[]): (number | bigint)[] {
  const wanted = new Map<string, number | bigint>();
  for (const name of names) {
    if (typeof name !== "string" || wanted.has(name))
      throw invalidData("names", "a list of texts, each once", "invalid-parameter");
    wanted.set(name, -1);
  }
  for (const pair of pairsOf(histogram)) {
    const [name, count] = [nameOf(pair), countOf(pair[1])];
    const known = wanted.get(name);
    if (known === undefined) continue;
    if (known >= 0) throw invalidHistogram(); // a name that comes twice
    wanted.set(name, count);
  }
  return names.map((name) => {
    const count = wanted.get(name) as number | bigint;
    return count < 0 ? 0 : count;
  });
}

export function measured(
  noise: CountNoise,
  names: readonly string[],
  truths: readonly (number | bigint)[],
  level: Rational,
  entropy: Entropy,
): MeasuredCounts {
  const [halfWidth, simultaneous] = [1, names.length].map((times) => noise.halfWidth(level, times));
  const { factor, shared } = noise;
  const released = noise.noisy(truths, entropy);
  const counts = names.map((candidate, i) => {
    const [from, to] = ends(released[i], halfWidth, factor);
    return { candidate, count: Rational.of(released[i], factor), from, to };
  });
  return {
    counts,
    halfWidth: Rational.of(ceilDiv(halfWidth, factor)),
    simultaneous: Rational.of(ceilDiv(simultaneous, factor)),
    ...(shared !== undefined && {
      shared: {
        ...{ factor: shared.factor, each: noise.size, size: shared.size },
        halfWidth: Rational.of(halfWidth, factor),
        simultaneous: Rational.of(simultaneous, factor),
      },
    }),
    privacy: noise.lossOf(names.length),
  };
}

/** The least and the largest integer ≥ 0 whose multiple by the factor is within w of y; 0 where there is none. */
function ends(y: bigint, w: bigint, factor: bigint): readonly [from: Rational, to: Rational] {
  const [from, to] = [ceilDiv(y - w, factor), floorDiv(y + w, factor)];
  return [Rational.of(from > 0n ? from : 0n), Rational.of(to > 0n ? to : 0n)];
}

/**
 * Narrower intervals of all counts at once, **if the released order is right**: if true counts fall along the list, each is at
 * most the least upper end before it, and at least the largest lower end after it. Whether the order is right isn't known.
 *
 * @param counts Measured counts in the released order, each `halfWidth` at most from its true one.
 * @param halfWidth How near all of them are at once: `shared.simultaneous`, or `simultaneous`.
 *
 * @example
 * ```ts
 * import { orderedIntervals } from "winnow-dp";
 *
 * orderedIntervals([120, 104, 109], 9).map(({ from, to }) => `${from} to ${to}`); // → ["111 to 129", "100 to 113", "100 to 113"]
 * ```
 */
export function orderedIntervals(
  counts: readonly RationalLike[],
  halfWidth: RationalLike,
): { readonly from: Rational; readonly to: Rational }[] {
  const width = rational(halfWidth);
  const values = arrayLike("counts", counts).map((count) => rationalDatum("counts", count));
  const atLeast0 = (end: bigint) => Rational.of(end > 0n ? end : 0n);
  const from = values.map((value) => atLeast0(value.minus(width).ceil()));
  const to = values.map((value) => atLeast0(value.plus(width).floor()));
  for (let i = from.length - 2; i >= 0; i--) if (from[i + 1].compare(from[i]) > 0) from[i] = from[i + 1];
  for (let i = 1; i < to.length; i++) if (to[i - 1].compare(to[i]) < 0) to[i] = to[i - 1];
  return from.map((end, i) => ({ from: end, to: to[i] }));
}

/**
 * The non-increasing list that is nearest to these values in the sum of squares, exactly: adjacent values that rise are
 * replaced by their mean until none rises.
 *
 * @param values In the order in which they should fall.
 *
 * @example
 * ```ts
 * import { nonIncreasingFit } from "winnow-dp";
 *
 * nonIncreasingFit([329, 300, 317, 280]).map(String); // → ["329", "308.5", "308.5", "280"]
 * ```
 */
export function nonIncreasingFit(values: readonly RationalLike[]): Rational[] {
  const blocks: { sum: Rational; size: number }[] = [];
  for (const value of arrayLike("values", values).map((each) => rationalDatum("values", each))) {
    let block = { sum: value, size: 1 };
    for (let last = blocks.at(-1); last !== undefined && rises(last, block); last = blocks.at(-1)) {
      blocks.pop();
      block = { sum: last.sum.plus(block.sum), size: last.size + block.size };
    }
    blocks.push(block);
  }
  return blocks.flatMap(({ sum, size }) => Array.from({ length: size }, () => sum.dividedBy(size)));
}

type Block = { readonly sum: Rational; readonly size: number };

/** Whether the mean of the second is above that of the first. */
function rises(first: Block, second: Block): boolean {
  return second.sum.times(first.size).compare(first.sum.times(second.size)) > 0;
}
