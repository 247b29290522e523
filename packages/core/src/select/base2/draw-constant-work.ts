/**
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
 * Cost: R operations on integers of y·z·R bits, twice. Proof: docs/proofs/base2-exponential.md.
 * @module
 */
import type { Entropy } from "../../entropy/entropy.js";
import { bitLength } from "../../exact/integers.js";
import type { Base2Parameter } from "../../privacy/base2-parameter.js";
import { drawRoundedEvenly, drawRoundedRational } from "./randomized-round.js";
import type { ClampedUtilities } from "./utilities.js";
import type { UtilityRange } from "./utility-range.js";

export interface ConstantWork {
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
  for (let tries = 0; accepted === 0 || tries < minRetries; tries++) {
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
