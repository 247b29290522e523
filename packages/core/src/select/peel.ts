/**
 * k rounds of permute-and-flip, each among those who have not won yet. It is as private as one shot of exponential noise
 * of the same scale, ε = k·r/scale by composition, and follows another law: with one shot the runner-up keeps its
 * noise, here everyone draws anew [MS20].
 * @module
 */

import type { Entropy } from "../entropy.js";
import type { Rational } from "../exact/rational.js";
import type { Winner } from "../race/candidates.js";
import { exponential } from "../race/noise.js";
import { Race } from "../race/race.js";
import type { ExactScores } from "../race/scores.js";

/** The winners of k rounds, in their order. Every score is looked at, and a bad one refused, before a bit is drawn. */
export function peel(
  scores: ExactScores,
  { k, scale }: { readonly k: number; readonly scale: Rational },
  entropy: Entropy,
  noise = exponential,
): Winner[] {
  for (let index = 0; index < scores.length; index++) scores.at(index);
  const winners = new Set<number>();
  while (winners.size < k) {
    const race = new Race<number>(1, { noise, scale }, entropy);
    for (let index = 0; index < scores.length; index++) {
      if (winners.has(index)) continue;
      race.enter(index, scores.exact(index), 0);
    }
    winners.add(race.finish()[0].id);
  }
  return Array.from(winners, (index) => ({ candidate: index }));
}
