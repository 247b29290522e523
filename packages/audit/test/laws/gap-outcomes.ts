/**
 * What a top k with gaps releases, named as the laws name it: `"2,0 by 3,>=4"`, gaps in multiples of the resolution.
 * @module
 */

import { Rational, type RationalLike, rational } from "../../../core/src/exact/rational.js";
import type { Law } from "../../../core/test/support/law.js";
import type { TopKWithGapVector } from "../../../core/test/support/vectors.js";
import type { Law as EnclosedLaw } from "../../src/laws/law.js";
import { topKWithGapLaw } from "../../src/laws/top-k-laws.js";

export interface GapCase {
  readonly scores: readonly RationalLike[];
  readonly k: number;
  readonly scale: RationalLike;
  readonly resolution: RationalLike;
  /** Gaps from here on are one outcome. */
  readonly largestGap: number;
}

/** A vector's input. */
export function caseOf({ scores, k, noise_scale, gamma, cells }: TopKWithGapVector): GapCase {
  const tail = String(cells[cells.length - 1].gaps[0]); // such as ">=4"
  return { scores, k, scale: noise_scale, resolution: gamma, largestGap: Number(tail.slice(2)) };
}

/** The same on its grid: for a resolution a/b, scores floored to multiples of 1/b, as the published algorithm has them. */
export function onGrid<Case extends GapCase>(of: Case): Case & GapCase {
  const { denominator } = rational(of.resolution);
  const floored = (score: RationalLike) =>
    Rational.of(rational(score).times(denominator).floor(), denominator);
  return { ...of, scores: of.scores.map(floored) };
}

/** A vector's law. */
export function vectorLaw({ cells }: TopKWithGapVector): Law {
  return Object.fromEntries(cells.map(({ indices, gaps, prob }) => [`${indices} by ${gaps}`, prob]));
}

/** The closed form's law, to as many digits as matter. */
export function closedLaw({ scores, ...options }: GapCase): Law {
  return decimals(topKWithGapLaw(scores, options));
}

/** Enclosed probabilities as exact numbers, each at the lower end. */
export function decimals(law: EnclosedLaw): Law {
  return Object.fromEntries([...law].map(([outcome, probability]) => [outcome, String(probability.lower())]));
}

/** A release by its name. */
export function outcomeOf(
  winners: readonly { readonly candidate: number; readonly gap?: Rational | number }[],
  { resolution, largestGap }: GapCase,
): string {
  const gaps = winners.map(({ gap = Number.NaN }) => {
    const whole = rational(gap).dividedBy(resolution).floor();
    return whole < BigInt(largestGap) ? whole : `>=${largestGap}`;
  });
  return `${winners.map(({ candidate }) => candidate)} by ${gaps}`;
}
