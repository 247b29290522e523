/**
 * Candidates of a public domain that no one listed: all have score 0 and there may be billions of them. They enter a
 * race without being visited one by one. Those whose uniforms start with at least `zeros` zero bits are drawn as skips
 * over the whole crowd; if others could still matter, those with exactly one zero less are drawn from the rest, and so on
 * down. They are alike, so the few that win are named afterwards.
 *
 * Cost: about four draws a place. Proof: implicit-zeros.proof.md.
 * @module
 */

import type { Entropy } from "../entropy.js";
import { invalidParameter, type WinnowError } from "../errors.js";
import { Rational } from "../exact/rational.js";
import { Skips } from "../sample/skips.js";
import { drawBigBelow } from "../sample/uniform-below.js";
import type { Contender } from "./contender.js";
import type { Race } from "./race.js";

/** Candidates of a public domain that no one listed, all of score 0. */
export interface Unlisted<Id> {
  readonly count: number;
  /** Their id in the race, which no listed one has. */
  readonly id: Id;
  /** They are named by integers from `from` to `to` − 1 that are not taken. */
  readonly from: number;
  readonly to: number;
  isTaken(name: number): boolean;
}

/** Ends a race in which the listed candidates are: the unlisted enter, and those that win are named. */
export function finishRace<Id>(race: Race<Id>, unlisted: Unlisted<Id>, entropy: Entropy): Contender<Id>[] {
  if (unlisted.count > 0) enterZeros(race, unlisted.count, unlisted.id, entropy);
  const order = race.finish();
  nameUnlisted(order, unlisted, entropy);
  return order;
}

/** Enters `crowd` candidates of score 0 into the race, all under the id `unnamed`, which no other has. */
export function enterZeros<Id>(race: Race<Id>, crowd: number, unnamed: Id, entropy: Entropy): void {
  let zeros = zerosToStartWith(crowd, race.places);
  const first = new Skips(Rational.of(1n, 1n << BigInt(zeros)));
  let left = crowd - choose(crowd, first, entropy, () => race.enter(unnamed, 0, zeros));
  race.settle();
  // A candidate that is left has a one among its first `zeros` bits, so its noise is at most zeros·ln 2 scales.
  while (left > 0 && !(race.farBelow(zeros) > race.relative(0))) {
    // It is the last of them with probability 2^−zeros/(1 − 2^−zeros).
    const next = new Skips(Rational.of(1n, (1n << BigInt(zeros)) - 1n));
    left -= choose(left, next, entropy, () => race.consider(unnamed, 0, 1, zeros));
    race.settle();
    zeros--;
  }
}

/** Enough that about four times as many candidates as there are places are expected to have them. */
function zerosToStartWith(crowd: number, places: number): number {
  let zeros = 0;
  for (let expected = crowd; expected >= 8 * places && zeros < 48; expected /= 2) zeros++;
  return zeros;
}

/** Calls `enter` for each of `crowd` candidates that the skips do not pass by; how many these were. */
function choose(crowd: number, skips: Skips, entropy: Entropy, enter: () => void): number {
  let chosen = 0;
  for (let next = skips.draw(entropy); next < crowd; next += 1 + skips.draw(entropy)) {
    enter();
    chosen++;
  }
  return chosen;
}

/** This many draws in a row may hit names that are taken. */
const PATIENCE = 1024;

/**
 * Names the unlisted in an order, uniformly without replacement. Listed ones keep their names.
 *
 * Where a draw hits names that are taken too often, the names are gone through one by one instead, which takes less time
 * than listing the taken ones did, unless at least as many are free: then `isTaken` is wrong, except with probability
 * 2^−1024.
 */
export function nameUnlisted<Id>(
  order: readonly { id: Id }[],
  unlisted: Unlisted<Id>,
  entropy: Entropy,
  patience = PATIENCE,
): void {
  const { id: unnamed, from, to, count, isTaken } = unlisted;
  const drawn = new Set<number>();
  for (const each of order) {
    for (let refused = 0; each.id === unnamed; ) {
      const name = from + Number(drawBigBelow(BigInt(to - from), entropy));
      if (drawn.has(name)) continue;
      if (isTaken(name)) {
        if (++refused < patience) continue;
        if (2 * (count - drawn.size) >= to - from - drawn.size) throw tooManyTaken();
        nameByRank(order, unlisted, drawn, entropy);
        return;
      }
      drawn.add(name);
      each.id = name as Id;
    }
  }
}

/** Names the rest by their ranks among the names that are free, which are drawn first. */
function nameByRank<Id>(
  order: readonly { id: Id }[],
  { id: unnamed, from, to, count, isTaken }: Unlisted<Id>,
  drawn: ReadonlySet<number>,
  entropy: Entropy,
): void {
  const free = count - drawn.size;
  const places = new Map<number, { id: Id }>();
  for (const each of order)
    for (let isPlaced = each.id !== unnamed; !isPlaced; ) {
      const rank = Number(drawBigBelow(BigInt(free), entropy));
      isPlaced = !places.has(rank);
      if (isPlaced) places.set(rank, each);
    }
  for (let [name, rank] = [from, 0]; places.size > 0; name++) {
    if (name === to) throw tooManyTaken();
    if (drawn.has(name) || isTaken(name)) continue;
    const place = places.get(rank);
    if (place !== undefined) place.id = name as Id;
    places.delete(rank++);
  }
}

/** Which are taken is for a function of the caller to say. */
function tooManyTaken(): WinnowError {
  return invalidParameter("isPushed", "true for the candidates that were pushed and no others", "more");
}
