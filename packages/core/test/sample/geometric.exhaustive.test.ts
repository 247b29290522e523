import { describe, expect, it } from "vitest";
import { Rational } from "../../src/exact/rational.js";
import { geometric } from "../../src/sample/geometric.js";
import { truncatedGeometric } from "../../src/sample/truncated-geometric.js";

import { bitTree } from "../../src/testing/bit-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";

import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectLaw } from "../support/expect-law.js";
import { lawFromZero } from "../support/law.js";
import { vectors } from "../support/vectors.js";
import { binaryDigits, digitsAbove, digitsBelow, Real, real } from "./binary-digits.js";

const WORD_SIZES = [1, 3, 8];
/** 24 bits leave 1/100,000 undecided at the smallest rate of the vectors, and less at the others. */
const LEFTOVER = Rational.of(1n, 100_000n);

describe("geometric", () => {
  it.each(vectors.geometric.flatMap((vector) => WORD_SIZES.map((wordBits) => ({ ...vector, wordBits }))))(
    "has its law for the rate $s/$t in words of $wordBits bits",
    ({ s, t, pmf, wordBits }) => {
      const tree = bitTree((entropy) => geometric(`${s}/${t}`, entropy), { depth: 24, wordBits });
      expectLaw({ tree, probabilities: lawFromZero(pmf) });
      expect(tree.undecided.compare(LEFTOVER)).toBe(-1);
    },
  );

  // Y = y where e^(−rate·(y + 1)) < U < e^(−rate·y): U goes along with the boundary for 400 digits.
  it.each(
    [
      ["1", 1n],
      ["1/10", 7n],
      ["1/10", 100n],
      ["5/2", 9n],
      ["1e-6", 123_456n],
      ["1e-9", 123_456_789n],
      ["1e-12", 3n],
      ["1000003/1000000007", 2000n],
    ].flatMap(([rate, y]) => [1, 8, 32].map((wordBits) => ({ rate: String(rate), y: BigInt(y), wordBits }))),
  )("tells U from e^(−$y·$rate) at the 400th digit, in words of $wordBits bits", ({ rate, y, wordBits }) => {
    const boundary = binaryDigits(Real.exp(real(rate).times(String(y)).neg()));
    expect(geometric(rate, replayEntropy(digitsBelow(boundary, 400), { wordBits }))).toBe(y);
    expect(geometric(rate, replayEntropy(digitsAbove(boundary, 400), { wordBits }))).toBe(y - 1n);
  });

  it.each([6, 20, 29, 30, 31, 32, 33, 63, 64])("tells U from e^(−3) at digit %d", (from) => {
    const boundary = binaryDigits(Real.exp(-3));
    for (const wordBits of [1, 3, 8, 31, 32]) {
      expect(geometric("3/7", replayEntropy(digitsBelow(boundary, from), { wordBits }))).toBe(7n);
      expect(geometric("3/7", replayEntropy(digitsAbove(boundary, from), { wordBits }))).toBe(6n);
    }
  });

  it("is far out where U begins with a hundred zeros", () => {
    const entropy = replayEntropy(`${"0".repeat(96)}${"01".repeat(100)}`, { wordBits: 32 });
    expect(geometric("1/10", entropy)).toBe(676n); // −10·ln U, U = 2^−96/3
  });

  it("is 0 where U begins with a hundred ones", () => {
    const entropy = replayEntropy(`${"1".repeat(96)}${"01".repeat(100)}`, { wordBits: 32 });
    expect(geometric("1/10", entropy)).toBe(0n);
    expect(entropy.bitsUsed).toBe(32);
  });

  it.each(["1e9", "1e300", "1e400", "1e10000"])("is 0 with one word at the rate %s", (rate) => {
    const entropy = seededEntropy("large rate");
    for (let draw = 0; draw < 100; draw++) expect(geometric(rate, entropy)).toBe(0n);
    expect(entropy.bitsUsed).toBe(3200);
  });

  it.each([
    ["10⁻⁹", "1e-9", 10n ** 9n],
    ["10⁻²⁰⁰", "1e-200", 10n ** 200n],
    ["3/(10²⁰⁰ + 7)", `3/${10n ** 200n + 7n}`, 10n ** 200n / 3n],
  ])("is about 1/rate at the rate %s", (_, rate, scale) => {
    const entropy = seededEntropy("small rate");
    const sum = Array.from({ length: 300 }, () => geometric(rate, entropy)).reduce((a, b) => a + b, 0n);
    expect(sum > 240n * scale && sum < 360n * scale).toBe(true); // three standard deviations
  });

  it("answers at a rate of 10⁻¹⁰⁰⁰ with hardly more bits than the answer has", () => {
    const entropy = seededEntropy("a thousand digits");
    expect(String(geometric("1e-1000", entropy)).length).toBeGreaterThan(990);
    expect(entropy.bitsUsed).toBeLessThan(3322 + 65);
  });

  it("draws from the system where no entropy is given", () => {
    expect(geometric("1e-12")).toBeGreaterThan(0n); // but once in 10^12 times
  });
});

describe("truncatedGeometric", () => {
  it.each(
    vectors.geometric.flatMap(({ s, t, truncated_mod_M }) =>
      Object.entries(truncated_mod_M).flatMap(([M, pmf]) =>
        WORD_SIZES.map((wordBits) => ({ s, t, M: Number(M), pmf, wordBits })),
      ),
    ),
  )(
    "has its law for the rate $s/$t and modulus $M in words of $wordBits bits",
    ({ s, t, M, pmf, wordBits }) => {
      const tree = bitTree((entropy) => truncatedGeometric(`${s}/${t}`, M, entropy), { depth: 24, wordBits });
      expectLaw({ tree, probabilities: lawFromZero(pmf) });
      expect(tree.undecided.compare(LEFTOVER)).toBe(-1);
    },
  );

  it("is 0 for modulus 1 and below a modulus of 200 digits", () => {
    const entropy = seededEntropy("moduli");
    for (let draw = 0; draw < 100; draw++) {
      expect(truncatedGeometric("1/3", 1, entropy)).toBe(0n);
      const modulus = 10n ** 200n + 7n;
      const digit = truncatedGeometric("1e-300", modulus, entropy);
      expect(digit >= 0n && digit < modulus).toBe(true);
    }
  });
});
