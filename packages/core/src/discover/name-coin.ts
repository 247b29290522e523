/**
 * Coins that keep names: one that n people have with a probability π_n, which is enclosed as narrowly as a toss needs, or known
 * exactly. A name is kept if a lazily revealed uniform U is below π_n; where its digits don't tell, more are drawn of the same U,
 * and π_n is enclosed more narrowly. The coin is exact.
 *
 * Names that few people have are many and rarely kept. Where π_n ≤ 2^−z, U must start with z zeros; for all names of one
 * count these rare events are drawn at once, as how many names to pass by (sample/skips.proof.md).
 *
 * Cost: at most one word per name or so, and 2^(1−z) words where π_n ≤ 2^−z, 2 ≤ z ≤ 20; a million names of one person each
 * take about a hundred bits at δ = 10⁻⁶. Proof: select-partitions.proof.md.
 * @module
 */

import { chanceOf, type ExactChance, type KeepTable } from "../accounting/profile/keep-table.js";
import type { Entropy } from "../entropy.js";
import { bitLength } from "../exact/integers.js";
import { PartialUniform } from "../sample/partial-uniform.js";
import { RareCoins } from "../sample/rare-coins.js";

/** An enclosure of a probability: π ∈ [lo, hi]·2^−precision. Where the ends are one, it is π. */
export type Chance = ExactChance;

/** Digits of U beyond these say nothing that the enclosure could tell. */
const SPARE = 8;

/** Skipping pays from two zeros on: finding the next name costs one word, its U another. */
const FEWEST_ZEROS = 2;

/** A skip of 2^−20 takes one word, and passes by a million names. */
const MOST_ZEROS = 20;

export abstract class NameCoin {
  /** Encloses π_n, the more narrowly the higher the level; undefined where it is certainly 1. */
  protected abstract chance(count: number | bigint, level: number): Chance | undefined;

  /** The coin in one release: whether to keep a name that `count` people have. A name that no one has is never kept. */
  tosses(entropy: Entropy): (count: number | bigint) => boolean {
    const rare = new Map<number | bigint, RareCoins | undefined>();
    return (count) => {
      if (count <= 0) return false;
      if (!rare.has(count)) rare.set(count, this.#rareCoins(count, entropy));
      const coins = rare.get(count);
      if (coins === undefined) return this.#isBelow(new PartialUniform(entropy), count);
      return !coins.passBy() && this.#isBelow(new PartialUniform(entropy, 0n, coins.zeros), count);
    };
  }

  /** Coins for U with enough leading zeros that every other U is certainly above π_n; undefined if that takes few zeros. */
  #rareCoins(count: number | bigint, entropy: Entropy): RareCoins | undefined {
    const chance = this.chance(count, 0);
    if (chance === undefined) return undefined;
    const zeros = Math.min(chance.precision - bitLength(chance.hi - 1n), MOST_ZEROS);
    return zeros < FEWEST_ZEROS ? undefined : new RareCoins(zeros, entropy);
  }

  /** Whether U is below π_n. */
  #isBelow(u: PartialUniform, count: number | bigint): boolean {
    for (let level = 0; ; ) {
      const chance = this.chance(count, level);
      if (chance === undefined) return true; // certain: no bits
      const [cells, places] = [BigInt(u.bits), BigInt(chance.precision)];
      if ((u.numerator + 1n) << places <= chance.lo << cells) return true;
      if (u.numerator << places >= chance.hi << cells) return false;
      if (chance.lo === chance.hi || u.bits + SPARE <= chance.precision) u.reveal();
      else level++;
    }
  }
}

/** A coin with the probabilities of a table. */
export class TableCoin extends NameCoin {
  readonly #table: KeepTable;

  constructor(table: KeepTable) {
    super();
    this.#table = table;
  }

  protected chance(count: number | bigint): Chance | undefined {
    return chanceOf(this.#table, count);
  }
}
