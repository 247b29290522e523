/**
 * An outcome with probability proportional to b^distance, as fast as can be. A proposal is kept or not, independently
 * of all others, and one that is kept has exactly the law wanted whatever it was proposed from; so the cheap way of
 * proposing is tried first, and given up after a number of misses, without a trace in the law.
 *
 * 1. Uniform proposals, kept with probability b^distance. Where many outcomes are about as good as the best, one of
 *    the first few dozen is kept and nothing else is ever looked at.
 * 2. Proposals from the octave envelope, of which about half or more are kept.
 *
 * Time depends on the utilities. Proof: base2-exponential.proof.md.
 * @module
 */

import type { Entropy } from "../entropy.js";
import type { Rational } from "../exact/rational.js";
import { drawBelow } from "../sample/uniform-below.js";
import { type ClampedUtilities, drawRounded, drawRoundedRational } from "./utilities.js";
import { type Base2Weights, OctaveEnvelope } from "./weights.js";

const NONE = -1;
/** One uniform proposal for every 2^8 outcomes: together a small part of what reading the utilities costs. */
const OUTCOMES_PER_PROPOSAL_BITS = 8;

/** The index of the outcome drawn. A `minRetries` above 1 makes at least that many proposals, all from the envelope. */
export function drawOptimised(
  levels: Levels,
  weights: Base2Weights,
  minRetries: number,
  entropy: Entropy,
): number {
  // How many uniform proposals it takes tells about the utilities just what a minimum is to hide.
  const quick = minRetries > 1 ? NONE : drawFromUniform(levels, weights, entropy);
  return quick === NONE ? drawFromEnvelope(levels, weights, minRetries, entropy) : quick;
}

function drawFromUniform(levels: Levels, weights: Base2Weights, entropy: Entropy): number {
  const { length } = levels.values;
  for (let left = length >>> OUTCOMES_PER_PROPOSAL_BITS; left > 0; left--) {
    const index = drawBelow(length, entropy);
    if (weights.keeps(levels.drawDistance(index, entropy), 0, entropy)) return index;
  }
  return NONE;
}

function drawFromEnvelope(
  levels: Levels,
  weights: Base2Weights,
  minRetries: number,
  entropy: Entropy,
): number {
  const envelope = new OctaveEnvelope(levels, weights.rate, entropy);
  let drawn = NONE;
  for (let tries = 0; drawn === NONE || tries < minRetries; tries++) {
    const { index, octave } = envelope.propose(entropy);
    const kept = weights.keeps(levels.drawDistance(index, entropy), octave, entropy);
    if (kept && drawn === NONE) drawn = index;
  }
  return drawn;
}

/*
 * The utilities after randomized rounding: an integer for each outcome, its level. What counts is how far each is above
 * the others, its distance from a common origin; a shift of all utilities changes no probability.
 *
 * An outcome's coin is independent of everything else, so it may wait until it is asked for, and then the answer stays.
 */

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
