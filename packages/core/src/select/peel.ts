/**
 * k rounds of permute-and-flip, each among those who have not won yet. It is as private as one shot of exponential noise
 * of the same scale, ε = k·r/scale by composition, and follows another law: with one shot the runner-up keeps its
 * noise, here everyone draws anew [MS20].
 * @module
 */
import type { Entropy } from "../entropy/entropy.js";
import type { Terms } from "./contender.js";
import { Race } from "./race.js";
import { type ExactScores, nearestDouble } from "./scores.js";

/** The winners of k rounds, in their order. Every score is looked at, and a bad one refused, before a bit is drawn. */
export function peel(scores: ExactScores, k: number, terms: Terms, entropy: Entropy): number[] {
  for (let index = 0; index < scores.length; index++) scores.at(index);
  const winners = new Set<number>();
  while (winners.size < k) {
    const race = new Race<number>(1, terms, entropy);
    for (let index = 0; index < scores.length; index++) {
      if (winners.has(index)) continue;
      const exact = scores.exact(index);
      race.enter(index, nearestDouble(exact), exact, 0);
    }
    winners.add(race.finish()[0].id);
  }
  return [...winners];
}
