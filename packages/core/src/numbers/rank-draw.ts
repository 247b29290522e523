/**
 * One draw by rank: a cell y of a range with probability proportional to e^(−d(y)/τ), or to B^(bFd(y)) in base 2, where d(y) is the
 * distance of a·M from the ranks that y covers, M the mass of the range and 0 ≤ a ≤ 1. Each value's mass is spread evenly over
 * F sub-cells (F = 1: the values themselves), so everything is an integer: D(y) = bF·d(y) for a over b.
 *
 * D falls, is 0 and rises, in steps that are constant between values. A cell is proposed with a probability proportional to
 * 2^−c, for an octave c of which 2^−c ≥ its weight is certain, at most 64; chosen in integer arithmetic. It is kept with
 * probability weight·2^c, exactly. Only the cells within reach, near the quantile, are listed; all others share the last
 * octave.
 *
 * Cost: a few hundred steps for each unit of τ; 1 to 1.5 proposals. Proof: quantile.proof.md.
 * @module
 */

import type { Base2Parameter } from "../accounting/base2-parameter.js";
import { weightsOf } from "../base2/weights.js";
import type { Entropy } from "../entropy.js";
import { ceilDiv } from "../exact/integers.js";
import type { Rational } from "../exact/rational.js";
import { isBelowExp } from "../sample/bernoulli-exp.js";
import { PartialUniform } from "../sample/partial-uniform.js";
import { drawBigBelow } from "../sample/uniform-below.js";
import type { GridHistogram } from "./grid-data.js";

/** The last octave: cells that are 2^64 times less likely than the best. */
const DEEPEST = 64;

/** What a distance D weighs. */
export interface RankWeights {
  /** The least D whose octave is the last one, or more. */
  readonly reach: bigint;
  /** A c ≤ 64 with 2^−c ≥ weight(D); it rises with D. */
  octave(distance: bigint): number;
  /** True with probability weight(D)·2^octave. */
  keeps(distance: bigint, octave: number, entropy: Entropy): boolean;
}

/** Just below 1/ln 2. */
const [OCTAVES, PER] = [14426950408889634n, 10000000000000000n];

/** Weight e^(−rate·D). */
export function naturalWeights(rate: Rational): RankWeights {
  const [over, under] = [rate.numerator * OCTAVES, rate.denominator * PER];
  return {
    reach: ceilDiv(BigInt(DEEPEST) * under, over),
    octave(distance) {
      const octave = (distance * over) / under;
      return octave < DEEPEST ? Number(octave) : DEEPEST;
    },
    // U·2^−c is below e^(−rate·D) with that probability: a uniform that starts with c zeros.
    keeps(distance, octave, entropy) {
      if (distance === 0n) return true;
      const u = new PartialUniform(entropy, 0n, octave);
      u.reveal();
      return isBelowExp(u, rate.times(distance));
    },
  };
}

/** Weight B^D. */
export function base2RankWeights(parameter: Base2Parameter): RankWeights {
  const weights = weightsOf(parameter);
  const octave = (distance: bigint) => Math.min(Math.floor(Number(distance) * weights.rate), DEEPEST);
  let reach = 1n;
  while (octave(reach) < DEEPEST) reach *= 2n;
  return { reach, octave, keeps: (distance, c, entropy) => weights.keeps(distance, c, entropy) };
}

/** A range of cells, both ends included, and the share of its mass that is wanted. */
export interface RankTarget {
  readonly from: bigint;
  readonly to: bigint;
  readonly share: Rational;
}

/** Values with the mass of each spread over `parts` sub-cells. */
export class SmearedRanks {
  readonly #histogram: GridHistogram;
  readonly #parts: bigint;

  constructor(histogram: GridHistogram, parts: number) {
    this.#histogram = histogram;
    this.#parts = BigInt(parts);
  }

  /** The mass of all cells before this one, in parts. */
  before(cell: bigint): bigint {
    const value = cell / this.#parts;
    const index = this.#histogram.rank(Number(value));
    const { cells, upTo } = this.#histogram;
    const earlier = index > 0 ? BigInt(upTo[index - 1]) : 0n;
    const inside = cells[index] === Number(value) ? BigInt(upTo[index]) - earlier : 0n;
    return earlier * this.#parts + inside * (cell % this.#parts);
  }

  /** The last cell of the stretch of equal mass that this one is in: of its value, or before the next value. */
  stretch(cell: bigint): bigint {
    const value = cell / this.#parts;
    const { cells } = this.#histogram;
    const index = this.#histogram.rank(Number(value));
    if (cells[index] === Number(value)) return (value + 1n) * this.#parts - 1n;
    return index < cells.length ? BigInt(cells[index]) * this.#parts - 1n : -1n;
  }

  /** Draws a cell of the range. */
  draw(target: RankTarget, weights: RankWeights, entropy: Entropy): bigint {
    return new Landscape(this, target, weights).draw(entropy);
  }
}

/** Cells of one octave, next to each other. */
interface Run {
  readonly from: bigint;
  readonly count: bigint;
  readonly octave: number;
}

/** The distances over a range. */
class Landscape {
  readonly #ranks: SmearedRanks;
  readonly #weights: RankWeights;
  readonly #from: bigint;
  readonly #to: bigint;
  /** Mass before the range. */
  readonly #origin: bigint;
  /** a·M, in units of 1/b. */
  readonly #goal: bigint;
  readonly #unit: bigint;
  readonly #runs: Run[] = [];
  /** The deepest octave of all, and the sums of count·2^(deepest − octave) up to each run. */
  readonly #deepest: number;
  readonly #upTo: bigint[] = [];

  constructor(ranks: SmearedRanks, { from, to, share }: RankTarget, weights: RankWeights) {
    this.#ranks = ranks;
    this.#weights = weights;
    this.#from = from;
    this.#to = to;
    this.#origin = ranks.before(from);
    this.#goal = share.numerator * (ranks.before(to + 1n) - this.#origin);
    this.#unit = share.denominator;
    this.#list();
    this.#deepest = this.#runs.reduce((most, { octave }) => Math.max(most, octave), 0);
    let total = 0n;
    for (const { count, octave } of this.#runs) {
      total += count << BigInt(this.#deepest - octave);
      this.#upTo.push(total);
    }
  }

  draw(entropy: Entropy): bigint {
    const upTo = this.#upTo;
    const total = upTo[upTo.length - 1];
    for (;;) {
      const chosen = drawBigBelow(total, entropy);
      let [low, high] = [0, upTo.length - 1];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (upTo[middle] <= chosen) low = middle + 1;
        else high = middle;
      }
      const { from, octave } = this.#runs[low];
      const rest = chosen - (low > 0 ? upTo[low - 1] : 0n);
      const cell = from + (rest >> BigInt(this.#deepest - octave));
      if (this.#weights.keeps(this.#distance(cell), octave, entropy)) return cell;
    }
  }

  /** What the ranks up to and including the cell lack of the goal; negative if nothing. */
  #lack(cell: bigint): bigint {
    return this.#goal - this.#unit * (this.#ranks.before(cell + 1n) - this.#origin);
  }

  /** By how much the ranks before the cell exceed the goal; negative if they don't. */
  #excess(cell: bigint): bigint {
    return this.#unit * (this.#ranks.before(cell) - this.#origin) - this.#goal;
  }

  #distance(cell: bigint): bigint {
    const [lack, excess] = [this.#lack(cell), this.#excess(cell)];
    return lack > 0n ? lack : excess > 0n ? excess : 0n;
  }

  /** The cells within reach, in runs of one octave, and those outside, in the last octave. */
  #list(): void {
    const { reach } = this.#weights;
    const [from, to] = [this.#from, this.#to];
    // The lack falls and the excess rises from cell to cell.
    const near = firstWhere(from, to, (cell) => this.#lack(cell) < reach);
    const far = firstWhere(near, to + 1n, (cell) => this.#excess(cell) >= reach);
    this.#add(from, near - 1n, DEEPEST);
    for (let cell = near; cell < far; ) {
      const end = this.#ranks.stretch(cell);
      const last = end < cell || end >= far ? far - 1n : end;
      this.#addStretch(cell, last);
      cell = last + 1n;
    }
    this.#add(far, to, DEEPEST);
  }

  /** A stretch in which every cell has the same mass: the distance falls, is 0 and rises, in equal steps. */
  #addStretch(from: bigint, to: bigint): void {
    if (from === to || this.#ranks.before(from) === this.#ranks.before(to + 1n)) {
      this.#add(from, to, this.#weights.octave(this.#distance(from)));
      return;
    }
    const level = firstWhere(from, to + 1n, (cell) => this.#lack(cell) <= 0n);
    const rise = firstWhere(level, to + 1n, (cell) => this.#excess(cell) > 0n);
    this.#addMonotone(from, level - 1n);
    this.#add(level, rise - 1n, 0);
    this.#addMonotone(rise, to);
  }

  #addMonotone(from: bigint, to: bigint): void {
    for (let cell = from; cell <= to; ) {
      const octave = this.#weights.octave(this.#distance(cell));
      const isOther = (other: bigint) => this.#weights.octave(this.#distance(other)) !== octave;
      const next = isOther(to) ? firstWhere(cell, to, isOther) : to + 1n;
      this.#add(cell, next - 1n, octave);
      cell = next;
    }
  }

  #add(from: bigint, to: bigint, octave: number): void {
    if (to >= from) this.#runs.push({ from, count: to - from + 1n, octave });
  }
}

/** The first cell from `low` on for which it holds, if it holds for all after that; `high` if it holds for none before that. */
function firstWhere(low: bigint, high: bigint, holds: (cell: bigint) => boolean): bigint {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >> 1n;
    if (holds(middle)) to = middle;
    else from = middle + 1n;
  }
  return from;
}
