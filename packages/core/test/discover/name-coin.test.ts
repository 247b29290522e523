import { describe, expect, it } from "vitest";
import { type Chance, NameCoin } from "../../src/discover/name-coin.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";

/** A coin whose probability is known exactly, however few digits it has. */
class ExactCoin extends NameCoin {
  readonly #chance: Chance;

  constructor(numerator: bigint, precision: number) {
    super();
    this.#chance = { lo: numerator, hi: numerator, precision };
  }

  protected chance(): Chance {
    return this.#chance;
  }
}

describe("A coin whose probability has few digits", () => {
  it("needs no narrower enclosure: it is compared digit by digit", () => {
    const coin = new ExactCoin(5n, 3);
    const tree = bitTree((entropy) => coin.tosses(entropy)(1), { depth: 3 });
    expect(String(tree.mass.get("true"))).toBe("0.625");
    expect(coin.tosses(replayEntropy("100"))(1)).toBe(true);
    expect(coin.tosses(replayEntropy("101"))(1)).toBe(false);
  });
});
