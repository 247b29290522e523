/**
 * How a crowd of zeros is dealt out by the leading zeros of its uniforms, watched through a race that takes nobody and
 * so never lets the crowd off.
 * @module
 */
import type { Entropy } from "../../src/entropy.js";
import type { Rational } from "../../src/exact/rational.js";
import { Race } from "../../src/race/race.js";
import { enterZeros } from "../../src/race/zeros.js";
import { STAIRS } from "./stairs.js";

class OpenRace extends Race<number> {
  /** [z] is how many have z leading zeros; the last of them counts those with more, too. */
  readonly bands: number[] = [];

  override enter(_id: number, _score: number | Rational, zeros: number): void {
    this.#count(zeros);
  }

  override consider(_id: number, _score: number | Rational, word: number, bits: number): void {
    if (word !== 1) throw new Error("a band is all U with bits − 1 zeros and then a one");
    this.#count(bits - 1);
  }

  override farBelow(): number {
    return -Infinity;
  }

  #count(zeros: number): void {
    this.bands[zeros] = (this.bands[zeros] ?? 0) + 1;
  }
}

/** How many of a crowd, that competes for one place, have 0, 1, 2, … leading zeros. */
export function bandsOf(crowd: number, entropy: Entropy): number[] {
  const race = new OpenRace(1, STAIRS, entropy);
  enterZeros(race, crowd, 0, entropy);
  return Array.from(race.bands, (count) => count ?? 0);
}
