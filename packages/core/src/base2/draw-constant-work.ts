/**
 * An outcome with probability proportional to b^distance, with work that depends on public parameters only, as far as
 * JavaScript allows: the range of utilities, the number of outcomes, `minRetries`. The normalised sampling of [Ilv20,
 * Algorithm 2], with distances from the lowest utility there *can* be, which makes all weights integers:
 *
 *     A_d = x^(zd)·2^(yz(R − d)),  d = 0 … R,  R = upper − lower.
 *
 * Sums of them are put together in pairs: with X = x^z and S = 2^(yz), a run of r levels that follows a run of l levels gives
 * left·S^r + right·X^l. As many levels as fit are summed in doubles, all of them integers below 2^53, and pairs from there on in
 * long integers of equal length. The holder of a share is found by going down the same pairs.
 *
 * Every level is counted and summed, also an empty one; every try takes the same number of random bits; every scan runs to its end, and
 * both halves of a pair are worked out. More than `minRetries` tries are needed with probability below 2^−minRetries. What remains: memory
 * accesses, and whatever the engine does with long integers.
 *
 * Cost: the time of multiplying integers of 2yzR bits, times log R; and minRetries·yzR random bits.
 * Proof: base2-exponential.proof.md.
 * @module
 */

import type { Base2Parameter } from "../accounting/base2-parameter.js";
import type { Entropy } from "../entropy.js";
import { bitLength } from "../exact/integers.js";
import { drawRoundedEvenly, drawRoundedRational } from "./randomized-rounding.js";
import type { ClampedUtilities } from "./utilities.js";
import type { UtilityRange } from "./utility-bounds.js";

interface ConstantWork {
  readonly parameter: Base2Parameter;
  readonly range: UtilityRange;
  readonly maxCandidates: number;
  readonly minRetries: number;
}

/** The index of the outcome drawn. */
export function drawConstantWork(utilities: ClampedUtilities, work: ConstantWork, entropy: Entropy): number {
  const levels = roundEvenly(utilities, work.range.lowest, entropy);
  const weights = new LevelWeights(levels, work);
  const share = drawShare(weights.total, digitsOfTry(work), work.minRetries, entropy);
  const { level, rank } = weights.holderOf(share);
  return memberOf(levels, level, rank);
}

/** Binary places of the weights, all of them exact. */
export function precisionOf({ y, z }: Base2Parameter, { lowest, highest }: UtilityRange): number {
  return Number(y * z * (highest - lowest));
}

/** Binary digits of the largest total there can be: the random bits of a try. */
export function digitsOfTry({
  parameter,
  range,
  maxCandidates,
}: Pick<ConstantWork, "parameter" | "range" | "maxCandidates">): number {
  return precisionOf(parameter, range) + bitLength(BigInt(maxCandidates - 1));
}

/** How far each utility is above the lowest there can be, rounded. An integer takes a random word too. */
function roundEvenly(utilities: ClampedUtilities, lowest: bigint, entropy: Entropy): Uint32Array {
  if ("numbers" in utilities) {
    const { numbers } = utilities;
    const [levels, least] = [new Uint32Array(numbers.length), Number(lowest)];
    for (let i = 0; i < numbers.length; i++) levels[i] = drawRoundedEvenly(numbers[i], entropy) - least;
    return levels;
  }
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
  const counts = new Uint32Array(size);
  for (let i = 0; i < lanes.length; i++) counts[(i / LANES) | 0] += lanes[i];
  return counts;
}

/** All levels of a block together have a count of at most 2^32, and weights up to 2^20: sums stay below 2^53. */
const BLOCK_BITS = 20;
/** Above every block's sum: added to each, it makes all long integers of a kind equally long. */
const ALIKE = 1n << 64n;

/** The public part of a run of levels: it depends on the length of the run, not on where it is. */
interface Run {
  /** X^length. */
  readonly power: bigint;
  /** S^length is 2 to this. */
  readonly shift: bigint;
  /** What the sum is too large by, because of `ALIKE` in each block. */
  readonly excess: bigint;
}

class LevelWeights {
  readonly #counts: Uint32Array;
  /** The weights of a block's levels, in units of its last level's S. */
  readonly #weights: Float64Array;
  /** The runs of one block, two, four, … */
  readonly #runs: readonly Run[];
  /** The sums of all runs of each length, with their excess; the last one is that of all levels. */
  readonly #sums: readonly (readonly bigint[])[];
  /** The levels are filled up to whole pairs of blocks, which puts this many factors of 2 into each sum. */
  readonly #extra: bigint;

  constructor(levels: Uint32Array, { parameter: { x, y, z }, range }: ConstantWork) {
    const size = Number(range.highest - range.lowest) + 1;
    const [factor, shift] = [x ** z, y * z];
    const length = Math.min(size, Math.floor(BLOCK_BITS / Number(shift)) + 1);
    const depth = bitLength(BigInt(Math.ceil(size / length) - 1));
    this.#counts = countLevels(levels, length << depth);
    this.#extra = shift * BigInt((length << depth) - size);
    this.#weights = blockWeights(factor, shift, length);
    const runs = [{ power: factor ** BigInt(length), shift: shift * BigInt(length), excess: ALIKE }];
    const sums = [this.#blockSums()];
    for (let pair = 0; pair < depth; pair++) {
      const { power, shift, excess } = runs[pair];
      runs.push({ power: power * power, shift: 2n * shift, excess: (excess << shift) + excess * power });
      const halves = sums[pair];
      const pairs = new Array<bigint>(halves.length / 2);
      for (let i = 0; i < pairs.length; i++) pairs[i] = (halves[2 * i] << shift) + halves[2 * i + 1] * power;
      sums.push(pairs);
    }
    this.#runs = runs;
    this.#sums = sums;
  }

  #blockSums(): bigint[] {
    const [counts, weights] = [this.#counts, this.#weights];
    const sums = new Array<bigint>(counts.length / weights.length);
    for (let block = 0, level = 0; block < sums.length; block++) {
      let sum = 0;
      for (let i = 0; i < weights.length; i++) sum += counts[level++] * weights[i];
      sums[block] = BigInt(sum) + ALIKE;
    }
    return sums;
  }

  /** The weights of all outcomes together. */
  get total(): bigint {
    const last = this.#runs.length - 1;
    return (this.#sums[last][0] - this.#runs[last].excess) >> this.#extra;
  }

  /** The level whose interval of the cumulative weights the share falls into, and which of its members has it. */
  holderOf(share: bigint): { level: number; rank: number } {
    let rest = share << this.#extra;
    let run = 0;
    for (let pair = this.#runs.length - 2; pair >= 0; pair--) {
      const { power, shift, excess } = this.#runs[pair];
      const edge = (this.#sums[pair][2 * run] - excess) << shift;
      const isRight = Number(rest >= edge);
      rest = [rest >> shift, (rest - edge) / power][isRight]; // what is cut off is less than the weight of any level
      run = 2 * run + isRight;
    }
    return this.#holderIn(run, Number(rest));
  }

  #holderIn(block: number, share: number): { level: number; rank: number } {
    const weights = this.#weights;
    const first = block * weights.length;
    let [passed, before, end] = [0, 0, 0];
    for (let i = 0; i < weights.length; i++) {
      const ofLevel = this.#counts[first + i] * weights[i];
      end += ofLevel;
      const isPassed = Number(end <= share);
      passed += isPassed;
      before += isPassed * ofLevel;
    }
    // The quotient of integers below 2^53 is nearer to the next integer than to itself only if it is one.
    return { level: first + passed, rank: Math.floor((share - before) / weights[passed]) };
  }
}

/** X^i·S^(length − 1 − i), at most 2^20. */
function blockWeights(factor: bigint, shift: bigint, length: number): Float64Array {
  return Float64Array.from({ length }, (_, i) =>
    Number((factor ** BigInt(i)) << (shift * BigInt(length - 1 - i))),
  );
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

/** The outcome of the level that comes after `rank` others of it, without a branch on who is of the level. */
function memberOf(levels: Uint32Array, level: number, rank: number): number {
  let member = 0;
  let left = rank;
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
