/**
 * The winners of a release as rows, with everything that is shown beside them: leads and counts as exact texts, each
 * with the ends of its interval, and the counts made to fall in the order of the list. All of it follows from the
 * release alone, so it costs nothing.
 *
 * Ends of a lead are multiples of the resolution, rounded outward. A count below 0 is noise: it is shown as it was
 * released, and its interval begins at 0. Counts above a threshold have no interval, because those that passed it are the
 * ones whose noise was large. The half widths are those that the release recorded, so the numbers of an old release never change.
 *
 * How far a released gap may be from the truth: the noise on every count is exponential with a public scale β, so for two
 * candidates far from all others the error of a gap is the difference of two exponentials, with standard deviation √2·β.
 * The interval holds for every rank, no matter which item won, even where candidates are close: let d be the true lead of a
 * winner over the next in the released order, or 0 if it doesn't lead, and g the released gap. With probability at least
 * 90 %,
 *
 *     g − β·ln 20  ≤  d  ≤  g + resolution + β·ln(20·n)          for n candidates.
 *
 * Each side fails with probability at most 5 %. Derivation: docs/guide/releases.md. The logarithms are rounded up; no
 * private value enters, so the rounding reveals nothing.
 *
 * Without a list, the candidates are those that race, and ⊥: the last lead of a list that it ended is the lead over ⊥.
 * @module
 */
import { orderedIntervals, Rational, rational } from "winnow-dp";
import type { NewRelease, Release } from "../document/release-document.js";
import { kindOf } from "../kinds/kinds.js";
import { type Answered, countsIn, mechanismFor, raceOf } from "../mechanisms/of-question.js";
import { type CountsShown, fittedCounts } from "../parts/counts.js";
import { lnAtLeast } from "../parts/ln-at-least.js";
import { type RankError, rankErrors } from "../parts/rank-errors.js";
import type { Question } from "../question/question.js";

/** A number with the ends of its interval, as exact texts. */
export interface Measured {
  readonly value: string;
  readonly low: string;
  readonly high: string;
}

export type Ends = Pick<Measured, "low" | "high">;

/**
 * One line of an answer with all of its columns.
 *
 * @inline
 */
export interface AnswerRow {
  readonly rank: number;
  /** A name, or the value of a quantile. */
  readonly item: string;
  /** The share of values below it, of a quantile. */
  readonly quantile?: string;
  /** How far the ranks of its value can be from that share of all values. */
  readonly rankError?: RankError;
  /** By how much it leads the next. */
  readonly gap?: Measured;
  /** How many users it has; without an interval above a threshold. */
  readonly count?: Pick<Measured, "value"> & Partial<Measured>;
  /** Intervals that hold all true counts at once. */
  readonly all?: Ends;
  /** Narrower ones that do if the released order is right, which isn't known; only where order and counts have separate noise. */
  readonly inOrder?: Ends;
  /** The count made to fall in the order of the list, combined with leads if there are some. */
  readonly fitted?: string;
}

/** The lines of an answer, as every output shows them. */
export function answerRows({ question, mechanism, answer }: Release | NewRelease): readonly AnswerRow[] {
  const { winners } = answer;
  const uncertainty = gapUncertainty({ question, mechanism });
  const unit = rational(question.resolution ?? 1n);
  const plan = countsIn({ question, mechanism });
  const fitted = plan === undefined ? [] : fitsOf({ question, mechanism }, winners, plan);
  const ordered = plan === undefined ? [] : orderedEnds(question, winners, plan);
  const errors = kindOf(question).shape === "values" ? rankErrors(question) : [];
  return winners.map(({ item, quantile, gap, count }, index) => ({
    rank: index + 1,
    item,
    ...(quantile !== undefined && { quantile, rankError: errors[index] }),
    ...(gap !== undefined &&
      uncertainty !== undefined && {
        gap: { value: gap, ...outward(gapInterval(gap, uncertainty), unit) },
      }),
    ...(count !== undefined && { count: { value: count, ...countInterval(count, plan?.halfWidth) } }),
    ...(count !== undefined &&
      plan?.simultaneous && { all: countInterval(count, plan.simultaneous) as Ends }),
    ...(ordered[index] !== undefined && { inOrder: ordered[index] }),
    ...(fitted[index] !== undefined && { fitted: String(fitted[index]) }),
  }));
}

function fitsOf(
  { question, mechanism }: Answered,
  winners: Release["answer"]["winners"],
  plan: CountsShown,
): readonly Rational[] {
  const { resolution } = question;
  const counts = winners.map(({ count }) => count as string);
  const race = raceOf({ question, mechanism });
  if (resolution === undefined || race === undefined) return fittedCounts(counts, plan);
  const gaps = winners.map(({ gap }) => gap as string);
  return fittedCounts(counts, plan, { gaps, scale: race.scale, resolution });
}

function countInterval(count: string, halfWidth: Rational | undefined): Partial<Measured> {
  if (halfWidth === undefined) return {};
  const [low, high] = [rational(count).minus(halfWidth).ceil(), rational(count).plus(halfWidth).floor()];
  return { low: String(low > 0n ? low : 0n), high: String(high > 0n ? high : 0n) };
}

/** A released count for a reader: the nearest whole number, which it is unless counts share noise. */
export function wholeCount(value: string): string {
  return String(rational(value).plus("1/2").floor());
}

/** Counts that made their own order say nothing more by it. */
function orderedEnds(
  question: Question,
  winners: Release["answer"]["winners"],
  { simultaneous }: CountsShown,
): readonly Ends[] {
  const { order } = mechanismFor(question).answer;
  if (simultaneous === undefined || order !== "rank" || winners.length < 2) return [];
  const counts = winners.map(({ count }) => count as string);
  return orderedIntervals(counts, simultaneous).map(({ from, to }) => ({
    low: String(from),
    high: String(to),
  }));
}

function outward(
  { low, high }: { readonly low: Rational; readonly high: Rational },
  unit: Rational,
): Pick<Measured, "low" | "high"> {
  return {
    low: String(Rational.of(low.dividedBy(unit).floor()).times(unit)),
    high: String(Rational.of(high.dividedBy(unit).ceil()).times(unit)),
  };
}

/**
 * How far off leads may be.
 *
 * @inline
 */
export interface GapUncertainty {
  readonly confidence: 0.9;
  /** The standard deviation of a gap between two candidates that are far from all others. */
  readonly standardDeviation: number;
  /** The true lead is at least the released gap less this. */
  readonly below: Rational;
  /** And at most the released gap and this. */
  readonly above: Rational;
}

/**
 * Where a true lead lies.
 *
 * @inline
 */
export interface GapInterval {
  readonly low: Rational;
  readonly high: Rational;
}

/** 1 over the probability that one side fails. */
const ONE_SIDE = 20;

/** Undefined where no gaps are released. */
export function gapUncertainty({ question, mechanism }: Answered): GapUncertainty | undefined {
  const race = raceOf({ question, mechanism });
  if (question.resolution === undefined || race === undefined) return undefined;
  const { candidates, scale } = race;
  return {
    confidence: 0.9,
    standardDeviation: Math.SQRT2 * scale.toNumber(),
    below: scale.times(lnAtLeast(ONE_SIDE)),
    above: scale.times(lnAtLeast(ONE_SIDE * candidates)).plus(question.resolution),
  };
}

/** Where the true lead lies, given the released one. */
export function gapInterval(gap: string, { below, above }: GapUncertainty): GapInterval {
  const low = rational(gap).minus(below);
  return { low: low.compare(0n) > 0 ? low : Rational.ZERO, high: rational(gap).plus(above) };
}
