/**
 * A race over an array of scores. A sample of the scores gives a first cut; one pass over the array, which draws nothing,
 * checks the scores and lists those that are not far below it; then the listed ones enter, and of the others those whose
 * coins say so. If fewer than `places` keys turn out to reach the first cut, the candidates that were dismissed by it
 * enter again, with uniforms drawn from what their dismissal left open.
 *
 * Cost: little more than finding the largest scores without noise. Proof: race.proof.md.
 * @module
 */

import type { Entropy } from "../entropy.js";
import { rational } from "../exact/rational.js";
import { skipsOf } from "../sample/skips.js";
import type { Terms } from "./contender.js";
import { firstCut, MOST_ZEROS } from "./first-cut.js";
import { isFine, Race } from "./race.js";
import { type NearScores, nearScores } from "./scan.js";
import { Origin, type ScoreReader } from "./scores.js";

/** How a race over an array begins. */
interface Start {
  /** A number that `places` keys of candidates beside the array are certainly not below. Default: none is known. */
  readonly floor?: number;
  /** Replaced in tests, to try first cuts of any quality. */
  readonly guess?: typeof firstCut;
}

/** A race that all candidates of an array have entered, index by index; with a floor, all that can be above it. */
export function raceOverArray(
  scores: ScoreReader,
  places: number,
  terms: Terms,
  entropy: Entropy,
  { floor = -Infinity, guess = firstCut }: Start = {},
): Race {
  const scale = terms.scale.toNumber();
  const lowest = terms.noise.depth * scale;
  for (let origin: Origin | undefined; ; ) {
    const reader = scores.from(origin);
    const known = origin === undefined ? floor : -Infinity;
    const first = guess(reader, places, { scale, depth: terms.noise.depth, floor: known });
    const { zeros: leastZeros } = first;
    const cut = Math.max(first.cut, known);
    let { level = 0 } = first;
    if (origin !== undefined || isFine(level, scale)) {
      const race = new Race(places, terms, entropy, origin, known);
      // Rounding lowers a score a little; very low noise may do more.
      const cutAt = (level: number) => Math.max(level - Math.abs(level) * TINY - lowest, cut);
      const thresholdAt = (level: number) => race.farBelow(leastZeros, cutAt(level));
      const near = nearScores(reader, places, race.farBelow(leastZeros, cut), thresholdAt);
      level = near.level;
      if (level === -Infinity || isFine(level, scale)) {
        reader.keep(near);
        race.guessCut(cutAt(level));
        // The more zeros, the rarer are the coins, but candidates that aren't listed must be below their threshold. Stop at
        // the first such number: every threshold used belongs to a lower cut.
        let zeros = MOST_ZEROS;
        while (zeros > leastZeros && !(race.farBelow(zeros) >= near.threshold)) zeros--;
        enterByCoins(race, reader, near, zeros, entropy);
        if (race.isCertain()) return race;
        const open = new Race(places, terms, entropy, origin, known);
        return withoutCut(race, open, reader, near.threshold, zeros, entropy);
      }
    }
    // Doubles hardly tell such scores apart beside the noise. They are counted from there, which leaves 2^−52 of the level.
    origin = new Origin(origin === undefined ? level : origin.exact.plus(rational(level)));
  }
}

const TINY = 1e-12;

/** Near candidates enter. So does each far one whose U starts with `zeros` zeros. */
function enterByCoins(
  race: Race,
  scores: ScoreReader,
  near: NearScores,
  zeros: number,
  entropy: Entropy,
): void {
  const skips = skipsOf(zeros);
  let passed = 0; // of the others
  let chosen = -1; // the last of them that was drawn to enter
  for (let i = 0; i <= near.count; i++) {
    const index = i < near.count ? near.indices[i] : scores.length;
    for (const end = index - i; passed < end; ) {
      if (chosen < passed) chosen = passed + skips.draw(entropy);
      passed = Math.min(chosen, end);
      if (chosen < end) race.enter(i + passed, scores.exact(i + passed++), zeros);
    }
    if (i < near.count) race.enter(index, scores.exact(index), 0);
  }
}

/**
 * The race again without the guessed cut, in an open one, for when the first cut was too high: fewer than `places` keys
 * reach it. A candidate that is in the race stays as it is. Of everyone else only the dismissal is known, so its U is drawn
 * anew until it leads to the same dismissal; its law is then the law of U given all that was seen.
 */
function withoutCut(
  race: Race,
  open: Race,
  scores: ScoreReader,
  far: number,
  zeros: number,
  entropy: Entropy,
): Race {
  const isIn = new Set(race.pool.ids);
  for (let index = 0; index < scores.length; index++) {
    if (isIn.has(index)) continue;
    const score = scores.exact(index);
    const from = race.relative(score);
    const { word, bits } = drawDismissed(race, from, scores.at(index) < far ? zeros : 0, entropy);
    open.consider(index, score, word, bits);
  }
  open.join(race);
  return open;
}

/** Digits of a U that the race dismisses, found as it would find them: the leading zeros first, then a word. */
function drawDismissed(
  race: Race,
  score: number,
  zeros: number,
  entropy: Entropy,
): { word: number; bits: number } {
  for (;;) {
    const leading = entropy.bits(zeros);
    if (leading > 0) return { word: leading, bits: zeros };
    const word = entropy.word();
    const bits = entropy.wordBits + zeros;
    if (race.dismisses(score, word, bits)) return { word, bits };
  }
}
