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
import { drawBelow } from "../sample/uniform-below.js";
import type { Levels } from "./levels.js";
import { OctaveEnvelope } from "./octave-envelope.js";
import type { Base2Weights } from "./weights.js";

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
