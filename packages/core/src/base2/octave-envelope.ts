/**
 * An envelope over the weights b^d made of powers of two. An outcome at distance d from the least level is in octave
 * ⌊d·rate⌋, and those that are far share the deepest one. An outcome is proposed with probability proportional to
 * 2^−octave: integers choose, and nothing is summed that could round. As 2^−octave ≥ b^d, keeping a proposal with
 * probability b^d·2^octave gives the weights, and about half of all proposals or more are kept. The utilities of near
 * outcomes are rounded here; a far one's can wait.
 *
 * Cost: one pass of 1 ns an outcome to list the near ones; a proposal goes through that list.
 * Proof: base2-exponential.proof.md.
 * @module
 */

import type { Entropy } from "../entropy.js";
import { TWO_TO } from "../exact/integers.js";
import { drawBelow } from "../sample/uniform-below.js";
import type { Levels } from "./levels.js";

/** Outcomes 2^30 times less likely than the best are hardly ever proposed, and so need no octaves of their own. */
const DEEPEST = 30;
/** The total, number of outcomes·2^deepest at the most, stays below 2^52. */
const LARGEST_TOTAL_BITS = 52;

interface Proposal {
  readonly index: number;
  readonly octave: number;
}

export class OctaveEnvelope {
  /** Where the far outcomes are. */
  readonly #deepest: number;
  /** The indices, ascending, and the octaves of the others. */
  readonly #near: Uint32Array;
  readonly #octaves: Uint8Array;
  /** How many outcomes are in each octave, up to the last that has any. */
  readonly #counts: Float64Array;
  /** Σ count·2^−octave in units of the last octave's weight. */
  readonly #total: number;

  constructor(levels: Levels, rate: number, entropy: Entropy) {
    const { length } = levels.values;
    this.#deepest = Math.min(DEEPEST, LARGEST_TOTAL_BITS - 32 + Math.clz32(length));
    // The least level is at most origin + 1, and the levels from here on are at least deepest/rate above that.
    this.#near = indicesBelow(levels.values, levels.origin + 1 + Math.ceil(this.#deepest / rate));
    levels.settle(this.#near, entropy);
    this.#octaves = new Uint8Array(this.#near.length);
    const counts = new Float64Array(this.#deepest + 1);
    for (let i = 0; i < this.#near.length; i++) {
      const distance = Number(levels.drawDistance(this.#near[i], entropy));
      this.#octaves[i] = Math.min(distance * rate, this.#deepest - 1);
      counts[this.#octaves[i]]++;
    }
    counts[this.#deepest] = length - this.#near.length;
    const last = counts.findLastIndex((count) => count > 0);
    this.#counts = counts.subarray(0, last + 1);
    this.#total = this.#counts.reduce((sum, count, octave) => sum + count * TWO_TO[last - octave], 0);
  }

  /** An outcome, with probability proportional to 2^−octave. */
  propose(entropy: Entropy): Proposal {
    const counts = this.#counts;
    let rest = drawBelow(this.#total, entropy);
    let octave = 0;
    let weight = TWO_TO[counts.length - 1];
    for (; rest >= counts[octave] * weight; weight /= 2) rest -= counts[octave++] * weight;
    const rank = Math.floor(rest / weight);
    return { index: octave === this.#deepest ? this.#far(rank) : this.#member(octave, rank), octave };
  }

  /** The outcome that comes after `rank` others of its octave. */
  #member(octave: number, rank: number): number {
    let i = 0;
    let left = rank;
    while (this.#octaves[i] !== octave || left-- > 0) i++;
    return this.#near[i];
  }

  /** The outcome that comes after `rank` others that are not near. */
  #far(rank: number): number {
    let index = rank;
    for (let i = 0; i < this.#near.length && this.#near[i] <= index; i++) index++;
    return index;
  }
}

function indicesBelow(values: Float64Array, threshold: number): Uint32Array {
  let indices = new Uint32Array(Math.min(values.length, FEW));
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    if (values[i] >= threshold) continue;
    if (count === indices.length) indices = withTwiceTheRoom(indices);
    indices[count++] = i;
  }
  return indices.subarray(0, count);
}

const FEW = 256;

function withTwiceTheRoom(indices: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * indices.length);
  larger.set(indices);
  return larger;
}
