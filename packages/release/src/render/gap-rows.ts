/**
 * The winners of a release as rows to show: rank, name, and the gap with the interval in which the true lead lies. Interval
 * ends are multiples of the resolution, rounded outward.
 * @module
 */
import { Rational, rational } from "winnow-dp";
import type { NewRelease, Release } from "../document/release-document.js";
import { gapInterval, gapUncertainty } from "../question/gap-uncertainty.js";

export interface GapRow {
  readonly rank: number;
  readonly item: string;
  /** Exact texts; absent where no gaps are released. */
  readonly gap?: { readonly value: string; readonly low: string; readonly high: string };
}

export function gapRows({ question, answer }: Release | NewRelease): readonly GapRow[] {
  const uncertainty = gapUncertainty(question);
  const unit = rational(question.resolution ?? 1n);
  return answer.winners.map(({ item, gap }, index) => {
    if (gap === undefined || uncertainty === undefined) return { rank: index + 1, item };
    const { low, high } = gapInterval(gap, uncertainty);
    return { rank: index + 1, item, gap: { value: gap, ...outward(low, high, unit) } };
  });
}

function outward(low: Rational, high: Rational, unit: Rational): { low: string; high: string } {
  return {
    low: String(Rational.of(low.dividedBy(unit).floor()).times(unit)),
    high: String(Rational.of(high.dividedBy(unit).ceil()).times(unit)),
  };
}
