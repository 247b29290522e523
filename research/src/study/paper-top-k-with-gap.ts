/**
 * Top k with gaps as published, in three exact forms that have the law of `topKWithGap`, to which they are oracles, and
 * the paper's noisy max without gaps. The paper's line numbers stand at the ends of lines.
 *
 * [Ding23, Alg 4] works on a grid with early query pruning; ties are broken by refining the grid M-fold until all that
 * matter are distinct. Where the text is silent or slips:
 *
 * - The pool keeps all k + 1 leaders and everyone tied with the last, and the loop ends when it has no tie. The (k +
 *   2)-th candidate serves only to show such a tie, so n = k + 1 needs no other rule; with n ≤ k there is no last gap.
 * - A tie with the (k + 1)-th must be broken although its place isn't released: of m tied rests the largest ends the
 *   last gap.
 * - A digit, a geometric variate modulo M, is drawn as such, with fewer bits.
 * - Line 5 counts candidates from 1.
 *
 * Cost: as `rankFree`, and k + 1 digits or more for every refinement. Proof: rank-free.proof.md.
 *
 * [Ding23, Alg 2] works on ideal real numbers: every candidate gets real exponential noise, of which only the digits
 * exist that some decision needed. It has no grid and no ties: it is the shortest way to the law. Cost: 9.3 random
 * bits per candidate and one for each further digit, about 20 in all where thousands are ordered. Proof:
 * packages/core/src/sample/lazy-exponential.proof.md.
 *
 * [Ding23, Alg 3] is the step between the two: decisions are made on digits of the same real numbers, one base-M digit
 * deeper for all candidates as long as there is a tie among the first k + 2 (all of them if n = k + 1), and the gaps are
 * floors of real differences. Equal floors are refined and ⌊·⌋ is monotone, so on the same reals its answers are those of
 * Algorithm 2; drawn digit by digit it is Algorithm 4. Two candidates at a distance of d need more than t refinements
 * with probability tanh(γ/(2βM^t))·e^(−d/β), for a noise scale β and d a multiple of γ. Proof: rank-free.proof.md.
 *
 * [Ding23, Lemma 4.1] draws one winner by geometric noise on integers and a fair choice among the largest: the law of
 * permute-and-flip. Proof: rank-free.proof.md.
 * @module
 */

import { gapFloor, isAbove, type LazyReal, noisyScore, Reference } from "winnow-audit";
import {
  Interval,
  invalidParameter,
  Rational,
  type RationalLike,
  readers,
  readOptions,
  systemEntropy,
  type Winner,
} from "winnow-dp";
import { exactScores } from "./exact-scores.js";
import { byValueDescending, GRID, Grid, type GridOptions, type Noisy, poolOf } from "./grid.js";

export interface PaperOptions extends GridOptions {
  /** How many times finer the grid becomes when there is a tie: M, at least 2. Default 10. */
  readonly refinement?: bigint | undefined;
  /** Early query pruning: only what can still matter is refined. Without it all candidates are. Default true. */
  readonly prune?: boolean | undefined;
}

function atLeastTwo(field: string, value: bigint): bigint {
  return readers.bigInteger(field, value, 2n);
}

/**
 * The k largest noisy scores with their gaps, best first.
 */
export function paperTopKWithGap(
  scores: readonly RationalLike[],
  options: PaperOptions,
  reference = new Reference(systemEntropy()),
): Required<Winner>[] {
  const read = readOptions(options, GRID, { refinement: atLeastTwo, prune: readers.boolean });
  const { refinement: M = 10n, prune = true, ...grids } = read;
  const grid = new Grid(grids);
  grid.check(scores.length);
  const { k, s, t } = grid;
  const q = exactScores(scores).map((score) => grid.steps(score));
  let noisy: Noisy[] = q.map((steps, id) => ({ id, value: steps + reference.geometric(s, t) })); // 2–4
  let pool = poolOf(noisy, k); // 5
  let finer = 1n; // 6: γ* = finer·γ_t
  while (hasTie(pool)) {
    finer *= M; // 8
    const digit = () => reference.truncatedGeometric(s, t * finer, M); // 10
    noisy = (prune ? pool : noisy).map(({ id, value }) => ({ id, value: M * value + digit() })); // 9, 11
    pool = poolOf(noisy, k); // 12
  }
  const j = pool.sort(byValueDescending);
  const x = reference.shuffle([...j.keys()]); // 13
  return j.slice(0, k).map(({ id, value }, i) => {
    const difference = value - j[i + 1].value; // 14
    const steps = x[i] < x[i + 1] ? difference - 1n : difference; // 15–18
    return { candidate: id, gap: grid.gap(Rational.of(steps, finer).floor()) };
  }); // 19
}

/** Line 7 for the pool: it has a tie among its k + 1 leaders, or a candidate tied with the last of them. */
function hasTie(pool: readonly Noisy[]): boolean {
  return new Set(pool.map(({ value }) => value)).size < pool.length;
}

/**
 * The k largest noisy scores with their gaps, best first.
 */
export function lazyRealTopKWithGap(
  scores: readonly RationalLike[],
  options: GridOptions,
  reference = new Reference(systemEntropy()),
): Required<Winner>[] {
  const grid = new Grid(options);
  grid.check(scores.length);
  const scale = readers.positiveRational("scale", options.scale);
  const order = exactScores(scores)
    .map((score, index) => ({ index, noisy: noisyScore(score, scale, reference.lazyExponential()) })) // 2–4
    .sort((a, b) => (isAbove(a.noisy, b.noisy) ? -1 : 1)); // 5
  return order.slice(0, grid.k).map(({ index, noisy }, place) => {
    const whole = gapFloor(noisy, order[place + 1].noisy, grid.resolution); // 6, 7
    return { candidate: index, gap: grid.resolution.times(whole) };
  }); // 8
}

/** What Algorithm 3 is made from: it refines all candidates, so there is nothing to prune. */
export type IntermediateOptions = Omit<PaperOptions, "prune">;

/** The winners of Algorithm 3, and how often it had to refine. */
export interface IntermediateTopK {
  /** The winners with their gaps, best first. */
  readonly winners: Required<Winner>[];
  /** How many digits beyond the resolution were needed. It depends on the scores: for study only. */
  readonly refinements: number;
}

/**
 * The k largest noisy scores with their gaps by real noise and its digits, and how often digits were added.
 */
export function intermediateTopKWithGap(
  scores: readonly RationalLike[],
  options: IntermediateOptions,
  reference = new Reference(systemEntropy()),
): IntermediateTopK {
  const { refinement: M = 10n, ...grids } = readOptions(options, GRID, { refinement: atLeastTwo });
  const grid = new Grid(grids);
  grid.check(scores.length);
  const scale = readers.positiveRational("scale", options.scale);
  const noisy = exactScores(scores).map((score) => noisyScore(score, scale, reference.lazyExponential())); // 2–4
  let step = grid.resolution; // 6
  const floored = () =>
    noisy
      .map((real, id) => ({ id, real, value: gapFloor(real, NOTHING, step) }))
      .sort(byValueDescending)
      .slice(0, grid.k + 2);
  let leaders = floored(); // 5
  let refinements = 0;
  for (; hasTie(leaders); refinements++) {
    step = step.dividedBy(M); // 8
    leaders = floored(); // 9–11
  }
  const winners = leaders.slice(0, grid.k).map(({ id, real }, i) => {
    const whole = gapFloor(real, leaders[i + 1].real, grid.resolution); // 12, 13
    return { candidate: id, gap: grid.resolution.times(whole) };
  });
  return { winners, refinements }; // 14
}

/** 0, as a real number. */
const NOTHING: LazyReal = { enclosure: (places) => Interval.from(0n, places + 8) };

/**
 * The candidate with the largest score after geometric noise, and a fair choice among those that are equal: the noisy max
 * of [Ding23, Lemma 4.1]. Scores are integers.
 */
export function geometricNoisyMax(
  scores: readonly (number | bigint)[],
  options: {
    /** The scale of the noise: e^(−1/scale) is the ratio of the geometric law. */
    readonly scale: RationalLike;
  },
  reference = new Reference(systemEntropy()),
): number {
  const { scale } = readOptions(options, { scale: readers.positiveRational }, {});
  const integers = Array.from(readers.arrayLike("scores", scores), (score) =>
    readers.bigInteger("scores", score, -Infinity),
  );
  if (integers.length === 0) throw invalidParameter("scores", "a list of 1 or more candidates", 0);
  const perUnit = Rational.ONE.dividedBy(scale);
  const noisy = integers.map((q) => q + reference.geometric(perUnit.numerator, perUnit.denominator));
  const largest = noisy.reduce((most, value) => (value > most ? value : most));
  const tied = [...noisy.keys()].filter((id) => noisy[id] === largest);
  return tied[Number(reference.uniformBelow(BigInt(tied.length)))];
}
