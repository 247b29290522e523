/**
 * Probabilities with which a name that n people have is kept, as multiples of 2^−bits: π_0 = 0, π_1 is given, and each next one is the
 * largest that may follow π_n, until 1 may. The rule comes from privacy: `one-order-steps.ts`.
 *
 * Of a rule it is only known that what may follow π_n is an interval from π_n on. So the largest multiple is found by any search:
 * x may follow and x + 2^−bits may not. A guess costs time if it is wrong, and decides nothing.
 *
 * Entries are computed as far as they are asked for. Cost: some ten tests of the rule an entry. Proof: keep-table.proof.md.
 * @module
 */

import type { Interval } from "../../exact/interval.js";

/** Which probabilities may follow one another, in units of 2^−bits. */
export interface KeepSteps {
  /** The binary places of all probabilities. */
  readonly bits: number;
  /** π_1. */
  readonly first: bigint;
  /** Whether 1 may follow. */
  isLast(from: bigint): boolean;
  /** Whether `to` ≥ `from` may follow `from`: true for all from `from` up to the largest. */
  mayFollow(from: bigint, to: bigint): boolean;
  /** Near the largest that may follow; `near` is an extrapolation of the entries before. */
  guess(from: bigint, near: bigint): bigint;
}

/** Which probabilities may follow one another, in units of any fraction of 1: what steps ask. */
export interface PairRule {
  /** Whether `to` may follow `from`, 0 < from ≤ to < 1. */
  mayFollow(from: bigint, to: bigint): boolean;
  /** Near the largest that may follow. */
  guess(from: bigint, near: bigint): bigint;
}

export class KeepTable {
  readonly steps: KeepSteps;
  /** 2^bits: the unit of probability. */
  readonly #one: bigint;
  readonly #units: bigint[];
  /** Whether a name of the next count is kept always. */
  #isComplete = false;

  constructor(steps: KeepSteps) {
    this.steps = steps;
    this.#one = 1n << BigInt(steps.bits);
    this.#units = [0n, steps.first];
  }

  /** π_n in units of 2^−bits; undefined where it is 1. */
  units(count: number | bigint): bigint | undefined {
    while (!this.#isComplete && this.#units.length <= count) this.#extend();
    return count < this.#units.length ? this.#units[Number(count)] : undefined;
  }

  /** The first count with π_n ≥ 1/2. */
  get halfKeep(): number {
    for (let count = 0; ; count++) {
      const units = this.units(count);
      if (units === undefined || 2n * units >= this.#one) return count;
    }
  }

  #extend(): void {
    const from = this.#units[this.#units.length - 1];
    this.#isComplete = this.steps.isLast(from);
    if (!this.#isComplete) this.#units.push(this.#largestAfter(from));
  }

  /** By steps that double, from a guess, and then by halves. */
  #largestAfter(from: bigint): bigint {
    const { steps } = this;
    const most = this.#one - 1n;
    const guess = within(steps.guess(from, this.#near(from)), from, most);
    const isFrom = guess === from || steps.mayFollow(from, guess);
    let [low, high] = isFrom ? [guess, most + 1n] : [from, guess];
    for (let step = 1n; isFrom ? low + step < high : high - step > low; step *= 2n) {
      const next = isFrom ? low + step : high - step;
      const mayFollow = steps.mayFollow(from, next);
      if (mayFollow) low = next;
      else high = next;
      if (mayFollow !== isFrom) break;
    }
    while (high - low > 1n) {
      const middle = (low + high) >> 1n;
      if (steps.mayFollow(from, middle)) low = middle;
      else high = middle;
    }
    return low;
  }

  /** As if odds grew by a constant factor. */
  #near(from: bigint): bigint {
    const one = this.#one;
    const before = this.#units[this.#units.length - 2];
    if (before === 0n) return 2n * from < one ? 2n * from : from;
    const odds = from * from * (one - before);
    return (one * odds) / (odds + (one - from) * (one - from) * before);
  }
}

function within(value: bigint, least: bigint, most: bigint): bigint {
  return value < least ? least : value > most ? most : value;
}

/** π_n exactly, as an enclosure without width; its digits never end too early to tell. */
export type ExactChance = Pick<Interval, "lo" | "hi" | "precision">;

export function chanceOf(table: KeepTable, count: number | bigint): ExactChance | undefined {
  const units = table.units(count);
  return units === undefined ? undefined : { lo: units, hi: units, precision: table.steps.bits };
}
