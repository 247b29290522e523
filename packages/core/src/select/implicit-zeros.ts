/**
 * Candidates of a public domain that nobody listed: all have score 0 and there may be billions of them. They enter a
 * race without being visited one by one. Those whose uniforms start with at least `zeros` zero bits are drawn as skips
 * over the whole crowd; if others could still matter, those with exactly one zero less are drawn from the rest, and so on
 * down. They are alike, so the few that win are named afterwards.
 *
 * Cost: about four draws a place. Proof: docs/proofs/implicit-zeros.md.
 * @module
 */
import type { Entropy } from "../entropy/entropy.js";
import { Rational } from "../exact/rational.js";
import { Skips } from "../sample/skips.js";
import { drawBelow } from "../sample/uniform-below.js";
import type { Race } from "./race.js";

/** Enters `crowd` candidates of score 0 into the race, all under the id `unnamed`, which no other has. */
export function enterZeros<Id>(race: Race<Id>, crowd: number, unnamed: Id, entropy: Entropy): void {
  let zeros = zerosToStartWith(crowd, race.places);
  const first = new Skips(Rational.of(1n, 1n << BigInt(zeros)));
  let left = crowd - choose(crowd, first, entropy, () => race.enter(unnamed, 0, 0, zeros));
  race.settle();
  // Whoever is left has a one among its first `zeros` bits, so its noise is at most zeros·ln 2 scales.
  while (left > 0 && !(race.farBelow(zeros) > race.relative(0, 0))) {
    // It is the last of them with probability 2^−zeros/(1 − 2^−zeros).
    const next = new Skips(Rational.of(1n, (1n << BigInt(zeros)) - 1n));
    left -= choose(left, next, entropy, () => race.consider(unnamed, 0, 0, 1, zeros));
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

/**
 * Names for the unlisted among the contenders: integers from `from` to `to` − 1 that are not taken, uniform without
 * replacement. Listed ones keep their names.
 */
export function namesForUnlisted<Id>(
  contenders: readonly { readonly id: Id }[],
  unnamed: Id,
  { from, to }: { from: number; to: number },
  isTaken: (id: number) => boolean,
  entropy: Entropy,
): (id: Id) => Id {
  const missing = contenders.filter(({ id }) => id === unnamed).length;
  const drawn = new Set<number>();
  while (drawn.size < missing) {
    const id = from + drawBelow(to - from, entropy);
    if (!isTaken(id)) drawn.add(id);
  }
  const names = drawn.values();
  return (id) => (id === unnamed ? (names.next().value as Id) : id);
}
