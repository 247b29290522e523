/**
 * What selections of noisy scores share: from scores to winners, and what that costs. Each function passes the kind of
 * answer it returns, so bundlers drop the others; `NoisyTopK` offers them all.
 * Proof: noisy-top-k.proof.md.
 * @module
 */

import { type Extended, isBounded } from "../accounting/extended.js";
import { type LossOf, ownLoss } from "../accounting/loss.js";
import { type RoundClass, reportedLoss, rhoOfRounds } from "../accounting/price.js";
import type { Entropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { Rational, type RationalLike } from "../exact/rational.js";
import { raceOverArray } from "../race/array-race.js";
import { type NamedScores, nameWinners, readCandidates, type Winner } from "../race/candidates.js";
import type { Terms } from "../race/contender.js";
import { exactOrder } from "../race/exact-order.js";
import { exponential, gumbel } from "../race/noise.js";
import type { Revealed } from "../race/ranking.js";
import { ScoreReader, type Scores } from "../race/scores.js";
import { finishRace } from "../race/zeros.js";
import { withEntropy } from "../system-entropy.js";
import type { peel } from "./peel.js";

/** How winners are drawn. */
export interface Draw {
  /** How many. */
  readonly k: number;
  /** The kind of noise: exponential for "pure", Gumbel for "zcdp". */
  readonly measure: "pure" | "zcdp";
  /** The noise scale, from `usualScale`; 0 means no noise. */
  readonly scale: Rational;
  /** The ε or ρ that the scale was made for, if it was. */
  readonly budget?: Rational | undefined;
  /** Whether the smallest scores are wanted. */
  readonly negate?: boolean | undefined;
  /** Which candidates there are. */
  readonly domain?: { readonly size: number | undefined; readonly isWhole?: boolean } | undefined;
}

/** The noise of a draw. */
export function termsOf({ measure, scale }: Draw): Terms {
  return { noise: measure === "pure" ? exponential : gumbel, scale };
}

/** The winners among these scores, best first, as they are released. `peels` draws them in rounds if that is wanted. */
export function drawWinners(
  given: Scores | NamedScores,
  draw: Draw,
  entropy: Entropy | undefined,
  release: Revealed,
  peels?: typeof peel,
): readonly Winner<unknown>[] {
  const { scores, names } = readCandidates(given);
  if (names !== undefined) refuseUnlisted(draw);
  const reader = new ScoreReader(scores, { negate: draw.negate ?? false });
  const places = draw.k + release.spare;
  const size = sizeFor(reader.length, draw, release.spare);
  const terms = termsOf(draw);
  if (draw.scale.numerator === 0n)
    return nameWinners(release.of(exactOrder(reader, size, places), terms), names);
  return withEntropy(entropy, (bits) => {
    if (peels !== undefined) return nameWinners(peels(reader, draw, bits), names);
    const race = raceOverArray(reader, places, terms, bits);
    const { length } = reader;
    const unlisted = { count: size - length, id: -1, from: length, to: size, isTaken: () => false };
    return nameWinners(release.of(finishRace(race, unlisted, bits), terms), names);
  });
}

/** Refuses names of a domain with a size: candidates that aren't listed have none. */
export function refuseUnlisted({ domain }: Pick<Draw, "domain">): void {
  if (domain?.size !== undefined && domain.isWhole !== true)
    throw invalidParameter("size", "absent with names, which unlisted candidates lack", domain.size);
}

/** The size of the domain with `listed` listed candidates. Throws if there are fewer candidates than places. */
export function sizeFor(listed: number, { k, domain }: Draw, spare: number): number {
  const size = domain?.size ?? listed;
  if (domain?.isWhole === true && listed !== size)
    throw invalidParameter("scores", `a list of exactly ${size} candidates`, listed);
  if (size < listed) throw invalidParameter("size", "at least the number of scores", size);
  if (k + spare <= size) return size;
  throw size <= spare // gaps need one candidate more than winners
    ? invalidParameter("scores", `a list of ${spare + 1} or more candidates`, size)
    : invalidParameter("k", `an integer from 1 to ${size - spare}${spare > 0 ? RUNNER_UP : ""}`, k);
}

const RUNNER_UP = " (the last lead needs a runner-up)";

/** The ε or the ρ of a draw, for scores that move by `range` against each other. Rounds of permute-and-flip aren't of bounded range. */
export function costOf(
  { k, measure, scale }: Draw,
  range: Rational,
  of: RoundClass = "bounded-range",
): Extended {
  if (range.numerator === 0n) return Rational.ZERO;
  if (scale.numerator === 0n) return Infinity;
  const each = range.dividedBy(scale);
  return measure === "pure" ? each.times(BigInt(k)) : rhoOfRounds(each, of, k);
}

/** The cost of a draw as a loss, rounded up to few digits and at most the budget that the scale was made for. */
export function lossOf(draw: Draw, range: Rational): LossOf["pure" | "zcdp"] {
  const exact = costOf(draw, range);
  const cost = isBounded(exact) ? reportedLoss(exact, draw.budget) : exact;
  return ownLoss(
    draw.measure === "pure" ? { measure: "pure", epsilon: cost } : { measure: "zcdp", rho: cost },
  );
}

/** Refuses a resolution beside Gumbel noise. */
export function refuseGaps(resolution: RationalLike | undefined): void {
  if (resolution === undefined) return;
  const expected = 'absent with measure "zcdp", because only exponential noise covers gaps';
  throw invalidParameter("resolution", expected, resolution);
}
