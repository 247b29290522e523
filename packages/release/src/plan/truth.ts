/**
 * What an answer is compared with: the true order of public or generated scores.
 * @module
 */
import type { RunAnswer } from "./prepare-run.js";

/** Scores, largest first; candidates beyond them have score 0. */
export class Truth {
  readonly #scores: Float64Array;
  /** How many there are to find. */
  readonly #k: number;
  /** The k-th largest score, and how many are above it. */
  readonly #last: number;
  readonly #above: number;

  /** `candidates` is how many there are; where that is unknown, those that anybody has. */
  constructor(scores: Float64Array, k: number, candidates: number | undefined) {
    this.#scores = scores;
    this.#k = Math.min(k, candidates ?? firstBelow(scores, 1));
    this.#last = this.#scoreOf(this.#k - 1);
    this.#above = firstBelow(scores, this.#last + 1);
  }

  #scoreOf(index: number): number {
    return index < this.#scores.length ? this.#scores[index] : 0;
  }

  /** The share of the k largest that was found. Among equals at the end any will do, as many as there is room for. */
  recall({ winners }: RunAnswer): number {
    if (this.#k === 0) return 1; // nobody was missed
    let above = 0;
    let equal = 0;
    for (const index of winners) {
      const score = this.#scoreOf(index);
      if (score > this.#last) above++;
      else if (score === this.#last) equal++;
    }
    return (above + Math.min(equal, this.#k - this.#above)) / this.#k;
  }

  /**
   * The mean distance between released gaps and true leads: over the next winner, and of the last winner over the best
   * candidate that did not win.
   */
  gapError({ winners, gaps = [] }: RunAnswer): number {
    const next = [...winners.slice(1).map((index) => this.#scoreOf(index)), this.#bestBeside(winners)];
    const errors = winners.map((index, rank) => Math.abs(gaps[rank] - (this.#scoreOf(index) - next[rank])));
    return errors.reduce((sum, error) => sum + error, 0) / errors.length;
  }

  #bestBeside(winners: readonly number[]): number {
    const won = new Set(winners);
    let best = 0;
    while (won.has(best)) best++;
    return this.#scoreOf(best);
  }
}

/** How many of the scores, largest first, are at least this. */
function firstBelow(scores: Float64Array, level: number): number {
  const index = scores.findIndex((score) => score < level);
  return index < 0 ? scores.length : index;
}
