import { describe, expect, it } from "vitest";
import { drawRounded, drawRoundedEvenly } from "../../src/base2/randomized-rounding.js";
import { Rational, rational } from "../../src/exact/rational.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

describe("Rounding with as much work for any value", () => {
  it.each([0.5, 0.3, 1.999, 2 ** 30 + 0.75, -0.25, -7.1])("has the law of rounding %f", (value) => {
    const options = { depth: 12, key: (rounded: number) => String(rounded + 0) };
    const evenly = bitTree((entropy) => drawRoundedEvenly(value, entropy), options);
    expect(evenly).toEqual(bitTree((entropy) => drawRounded(value, entropy), options));
  });

  it("rounds as the other does with equal bits", () => {
    const [one, other] = [seededEntropy("even"), seededEntropy("even")];
    for (let i = 0; i < 2000; i++) {
      const value = (i - 1000) / 7;
      if (!Number.isInteger(value)) expect(drawRoundedEvenly(value, one)).toBe(drawRounded(value, other));
    }
  });

  it.each([0, 1, -3, 2 ** 40])("keeps the integer %i whatever the word, which it takes", (value) => {
    for (const wordBits of [1, 8, 32])
      for (const bit of ["0", "1"]) {
        const entropy = replayEntropy(bit.repeat(wordBits), { wordBits });
        expect(drawRoundedEvenly(value, entropy)).toBe(value);
        expect(entropy.bitsUsed).toBe(wordBits);
      }
  });
});

describe("A number that prints as a decimal beside it", () => {
  /** m/2^32, exactly a double, whose decimal is on the stated side of it. */
  const beside = (side: -1 | 1) => {
    for (let m = 1234567891; ; m++)
      if (rational(m / 2 ** 32).compare(Rational.of(BigInt(m), 2n ** 32n)) === side) return m;
  };
  const digits = (m: number) => m.toString(2).padStart(32, "0");

  it.each([drawRounded, drawRoundedEvenly])("is rounded by the decimal: %o", (round) => {
    const [below, above] = [beside(-1), beside(1)];
    // U between the decimal and the double, and then between the double and the decimal.
    const [late, early] = [digits(below - 1) + "1".repeat(64), digits(above) + "0".repeat(64)];
    expect(round(below / 2 ** 32, replayEntropy(late, { wordBits: 32 }))).toBe(0);
    expect(round(above / 2 ** 32, replayEntropy(early, { wordBits: 32 }))).toBe(1);
  });

  it.each([drawRounded, drawRoundedEvenly])("takes no more bits than it needs: %o", (round) => {
    const entropy = replayEntropy("0");
    expect(round(0.5, entropy)).toBe(1);
    expect(entropy.bitsUsed).toBe(1);
  });
});
