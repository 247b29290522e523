/**
 * The utilities after randomized rounding: an integer for each outcome, its level. What counts is how far each is above
 * the others, its distance from a common origin; a shift of all utilities changes no probability.
 *
 * An outcome's coin is independent of everything else, so it may wait until it is asked for, and then the answer stays.
 * Proof: base2-exponential.proof.md.
 * @module
 */

import type { Entropy } from "../entropy.js";
import type { Rational } from "../exact/rational.js";
import { drawRounded, drawRoundedRational } from "./randomized-rounding.js";
import type { ClampedUtilities } from "./utilities.js";

/** The levels of all outcomes. */
export class Levels {
  /** An integer is a level, a fraction a utility not rounded yet. With `distances`, doubles near those. */
  readonly values: Float64Array;
  #origin: number;
  readonly #distances: readonly bigint[] | undefined;

  private constructor(values: Float64Array, origin: number, distances?: readonly bigint[]) {
    this.values = values;
    this.#origin = origin;
    this.#distances = distances;
  }

  /** Levels of utilities, which they take over. */
  static draw(utilities: ClampedUtilities, entropy: Entropy): Levels {
    return "numbers" in utilities
      ? new Levels(utilities.numbers, Math.floor(utilities.least))
      : Levels.#ofRationals(utilities, entropy);
  }

  static #ofRationals(utilities: readonly Rational[], entropy: Entropy): Levels {
    const levels = utilities.map((utility) => drawRoundedRational(utility, entropy));
    const least = levels.reduce((a, b) => (b < a ? b : a));
    const distances = levels.map((level) => level - least);
    // Infinity would be further away than it may be: it isn't a number of octaves.
    const values = Float64Array.from(distances, (distance) => Math.min(Number(distance), Number.MAX_VALUE));
    return new Levels(values, 0, distances);
  }

  /** What distances are counted from: the least level, or one less where that is not known yet. */
  get origin(): number {
    return this.#origin;
  }

  /** How far the outcome's level is above the origin; rounds its utility unless that is done. */
  drawDistance(index: number, entropy: Entropy): number | bigint {
    if (this.#distances !== undefined) return this.#distances[index];
    this.values[index] = drawRounded(this.values[index], entropy);
    return this.values[index] - this.#origin;
  }

  /** Rounds the utilities of these outcomes, everyone below origin + 1 among them, and makes the least level the origin. */
  settle(indices: Uint32Array, entropy: Entropy): void {
    let least = Infinity;
    for (let i = 0; i < indices.length; i++) {
      const distance = Number(this.drawDistance(indices[i], entropy));
      if (distance < least) least = distance;
    }
    this.#origin += least;
  }
}
