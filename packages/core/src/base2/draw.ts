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

import type { Base2Parameter } from "../accounting/base2-parameter.js";
import type { Entropy } from "../entropy.js";
import { bitLength } from "../exact/integers.js";
import type { Rational } from "../exact/rational.js";
import { drawBelow } from "../sample/uniform-below.js";
import {
  type ClampedUtilities,
  drawRounded,
  drawRoundedEvenly,
  drawRoundedRational,
  type UtilityRange,
} from "./utilities.js";
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
 * An outcome with probability proportional to b^distance, with work that depends on public parameters only, as far as
 * JavaScript allows: the range of utilities, the number of outcomes, `minRetries`. The normalised sampling of [Ilv20,
 * Algorithm 2], with distances from the lowest utility there *can* be, which makes all weights integers:
 *
 *     A_d = x^(zd)·2^(yz(R − d)),  d = 0 … R,  R = utilityMax − utilityMin.
 *
 * Every level's weight is computed and multiplied by its count, also an empty one's; every try takes the same number of
 * random bits; every scan runs to its end. More than `minRetries` tries are needed with probability below 2^−minRetries.
 * What remains: memory accesses, and whatever the engine does with long integers.
 *
 * Cost: R operations on integers of y·z·R bits, twice; `base2Exponential` refuses what would take minutes. Proof:
 * base2-exponential.proof.md.
 */

interface ConstantWork {
  readonly parameter: Base2Parameter;
  readonly range: UtilityRange;
  readonly maxOutcomes: number;
  readonly minRetries: number;
}

/** The index of the outcome drawn. */
export function drawConstantWork(utilities: ClampedUtilities, work: ConstantWork, entropy: Entropy): number {
  const levels = roundEvenly(utilities, work.range.lowest, entropy);
  const counts = countLevels(levels, Number(work.range.highest - work.range.lowest) + 1);
  const bits = precisionOf(work.parameter, work.range) + bitLength(BigInt(work.maxOutcomes - 1));
  const share = drawShare(totalWeight(counts, work), bits, work.minRetries, entropy);
  const { level, rank } = holderOf(share, counts, work);
  return memberOf(levels, level, rank);
}

/** Binary places of the weights, all of them exact. */
export function precisionOf({ y, z }: Base2Parameter, { lowest, highest }: UtilityRange): number {
  return Number(y * z * (highest - lowest));
}

/** How far each utility is above the lowest there can be, rounded. An integer takes a random word too. */
function roundEvenly(utilities: ClampedUtilities, lowest: bigint, entropy: Entropy): Uint32Array {
  if ("numbers" in utilities)
    return Uint32Array.from(
      utilities.numbers,
      (utility) => drawRoundedEvenly(utility, entropy) - Number(lowest),
    );
  return Uint32Array.from(utilities, (utility) => {
    if (utility.isInteger()) entropy.word();
    return Number(drawRoundedRational(utility, entropy) - lowest);
  });
}

/** How many counts are made in turn. */
const LANES = 8;

/** How many utilities each level has. Neighbours are counted apart: adding to one number again and again would take longer. */
function countLevels(levels: Uint32Array, size: number): Uint32Array {
  const lanes = new Uint32Array(size * LANES);
  for (let i = 0; i < levels.length; i++) lanes[levels[i] * LANES + (i & (LANES - 1))]++;
  return Uint32Array.from({ length: size }, (_, level) => {
    let count = 0;
    for (let lane = 0; lane < LANES; lane++) count += lanes[level * LANES + lane];
    return count;
  });
}

/** Calls back with every level's share, the count times A_d, and A_d. */
function forEachLevel(
  counts: Uint32Array,
  work: ConstantWork,
  visit: (share: bigint, weight: bigint, level: number) => void,
): void {
  const { x, y, z } = work.parameter;
  const [factor, shift] = [x ** z, y * z];
  let weight = 1n << BigInt(precisionOf(work.parameter, work.range));
  for (let level = 0; level < counts.length; level++) {
    // As long a product for an empty level as for any other.
    const share = BigInt(counts[level] + ALIKE) * weight - (weight << ALIKE_BITS);
    visit(share, weight, level);
    weight = (weight >> shift) * factor; // a multiple of 2^shift up to the last level
  }
}

/** Above every count. */
const ALIKE = 0x1_0000_0000;
const ALIKE_BITS = 32n;

function totalWeight(counts: Uint32Array, work: ConstantWork): bigint {
  let total = 0n;
  forEachLevel(counts, work, (share) => {
    total += share;
  });
  return total;
}

/**
 * Uniform below the total. Every try draws all the bits and uses as many as the total has. No branch tells which try was
 * accepted: until one is, each takes the first place, and from then on the second.
 */
function drawShare(total: bigint, bits: number, minRetries: number, entropy: Entropy): bigint {
  const unused = BigInt(bits - bitLength(total - 1n));
  const end = total << unused; // the others are cut off once, at the end: a shift by none is faster than one by some
  const tried = [0n, 0n];
  let accepted = 0;
  for (let tries = 0; (isZero(accepted) | Number(tries < minRetries)) === 1; tries++) {
    const candidate = drawBits(bits, entropy);
    tried[1 - isZero(accepted)] = candidate;
    accepted += Number(candidate < end);
  }
  return tried[0] >> unused;
}

const LONGEST_DRAW = 1024;

/** `count` bits, put together in halves: their number can be large. */
function drawBits(count: number, entropy: Entropy): bigint {
  if (count <= LONGEST_DRAW) return entropy.bigBits(count);
  const low = count >> 1;
  return (drawBits(count - low, entropy) << BigInt(low)) | drawBits(low, entropy);
}

/** The level whose interval of the cumulative weights the share falls into, and which of its members has it. */
function holderOf(share: bigint, counts: Uint32Array, work: ConstantWork): { level: number; rank: bigint } {
  let before = 0n;
  let holder = { level: 0, rank: 0n };
  forEachLevel(counts, work, (ofLevel, weight, level) => {
    const after = before + ofLevel;
    if ((Number(before <= share) & Number(share < after)) === 1)
      holder = { level, rank: (share - before) / weight };
    before = after;
  });
  return holder;
}

/** The outcome of the level that comes after `rank` others of it, without a branch on who is of the level. */
function memberOf(levels: Uint32Array, level: number, rank: bigint): number {
  let member = 0;
  let left = Number(rank);
  for (let i = 0; i < levels.length; i++) {
    const isOfLevel = isZero(levels[i] ^ level);
    member |= i & -(isOfLevel & isZero(left)); // only once: from then on `left` is below zero
    left = (left - isOfLevel) | 0;
  }
  return member >>> 0;
}

/** 1 for 0, and 0 for every other integer of 32 bits. */
function isZero(integer: number): number {
  return ((integer | -integer) >>> 31) ^ 1;
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
