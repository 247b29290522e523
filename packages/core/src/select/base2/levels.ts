/**
 * The utilities after randomized rounding: an integer for each outcome, its level. What counts is how far each is above
 * the least, its distance; a common shift of all utilities changes no probability.
 *
 * An outcome's coin is independent of everything else, so it may wait until somebody asks, and then the answer stays.
 * To know the least level it is enough to round the outcomes with the least floor: if one of them stays there that is
 * the least level, and otherwise they are all one higher and nobody is below.
 * @module
 */
import type { Entropy } from "../../entropy/entropy.js";
import type { Rational } from "../../exact/rational.js";
import { drawRounded, drawRoundedRational } from "./randomized-round.js";
import type { ClampedNumbers, ClampedUtilities } from "./utilities.js";

export class Levels {
  /** An integer is a level, a fraction a utility not rounded yet. With `distances`, doubles near those. */
  readonly values: Float64Array;
  /** The least level. */
  readonly least: number;
  readonly #distances: readonly bigint[] | undefined;

  private constructor(values: Float64Array, least: number, distances?: readonly bigint[]) {
    this.values = values;
    this.least = least;
    this.#distances = distances;
  }

  /** Levels of utilities, which they take over. */
  static draw(utilities: ClampedUtilities, entropy: Entropy): Levels {
    return "numbers" in utilities
      ? Levels.#ofNumbers(utilities, entropy)
      : Levels.#ofRationals(utilities, entropy);
  }

  static #ofNumbers({ numbers, whole, least }: ClampedNumbers, entropy: Entropy): Levels {
    if (whole) return new Levels(numbers, least);
    const floor = Math.floor(least);
    let leastLevel = floor + 1;
    for (let i = 0; i < numbers.length; i++) {
      if (numbers[i] >= floor + 1) continue;
      numbers[i] = drawRounded(numbers[i], entropy);
      if (numbers[i] === floor) leastLevel = floor;
    }
    return new Levels(numbers, leastLevel);
  }

  static #ofRationals(utilities: readonly Rational[], entropy: Entropy): Levels {
    const levels = utilities.map((utility) => drawRoundedRational(utility, entropy));
    const least = levels.reduce((a, b) => (b < a ? b : a));
    const distances = levels.map((level) => level - least);
    // Infinity would be further away than it may be: it is no number of octaves.
    const values = Float64Array.from(distances, (distance) => Math.min(Number(distance), Number.MAX_VALUE));
    return new Levels(values, 0, distances);
  }

  /** How far the outcome's level is above the least; rounds its utility unless that is done. */
  drawDistance(index: number, entropy: Entropy): number | bigint {
    if (this.#distances !== undefined) return this.#distances[index];
    this.values[index] = drawRounded(this.values[index], entropy);
    return this.values[index] - this.least;
  }
}
