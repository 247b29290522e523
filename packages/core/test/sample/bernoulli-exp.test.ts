import { describe, expect, it } from "vitest";
import type { Entropy } from "../../src/entropy.js";
import { Rational, rational } from "../../src/exact/rational.js";
import {
  BELOW,
  bernoulliExp,
  bernoulliExpRatio,
  compareWithExp,
  NOT_BELOW,
  UNDECIDED,
} from "../../src/sample/bernoulli-exp.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";

import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectLaw } from "../support/expect-law.js";
import { vectors } from "../support/vectors.js";
import { binaryDigits, digitsAbove, digitsBelow, Real, real } from "./binary-digits.js";

const LEFTOVER = Rational.of(1n, 1n << 16n);
const WORD_SIZES = [1, 3, 8];
const CASES = vectors.bernoulli_exp.flatMap((vector) =>
  WORD_SIZES.map((wordBits) => ({ ...vector, wordBits })),
);

/** One coin by its two names; γ = p/q. */
const FORMS: readonly { name: string; draw: (p: number, q: number, entropy: Entropy) => boolean }[] = [
  { name: "bernoulliExp", draw: (p, q, entropy) => bernoulliExp(`${p}/${q}`, entropy) },
  { name: "bernoulliExpRatio", draw: bernoulliExpRatio },
];

describe.each(FORMS)("$name", ({ draw }) => {
  it.each(CASES)("is true with probability $prob for γ = $p/$q in words of $wordBits bits", (vector) => {
    const { p, q, prob, wordBits } = vector;
    const tree = bitTree((entropy) => draw(p, q, entropy), { depth: 24, wordBits });
    expectLaw({ tree, probabilities: { true: prob } });
    expect(tree.undecided.compare(LEFTOVER)).toBe(-1);
  });

  it("draws no bit for γ = 0", () => {
    expect(draw(0, 7, replayEntropy(""))).toBe(true);
  });

  // The 400th digit is beyond the first enclosure, the second and the third: each is refined and forgotten.
  it.each(
    [
      [1, 2],
      [7, 3],
      [25, 2],
      [1, 1_000_000],
      [30, 1],
    ].flatMap(([p, q]) => [1, 8, 32].map((wordBits) => ({ p, q, wordBits }))),
  )("tells U from e^(−$p/$q) at the 400th digit, in words of $wordBits bits", ({ p, q, wordBits }) => {
    const threshold = binaryDigits(Real.exp(real(`-${p}/${q}`)));
    expect(draw(p, q, replayEntropy(digitsBelow(threshold, 400), { wordBits }))).toBe(true);
    expect(draw(p, q, replayEntropy(digitsAbove(threshold, 400), { wordBits }))).toBe(false);
  });

  it.each([0, 1, 17, 30, 31, 32, 33, 40, 63, 64])("tells U from e^(−3/7) at digit %d", (from) => {
    const threshold = binaryDigits(Real.exp(real("-3/7")));
    for (const wordBits of [1, 3, 8, 31, 32]) {
      expect(draw(3, 7, replayEntropy(digitsBelow(threshold, from), { wordBits }))).toBe(true);
      expect(draw(3, 7, replayEntropy(digitsAbove(threshold, from), { wordBits }))).toBe(false);
    }
  });
});

describe("bernoulliExp", () => {
  it.each([
    ["10⁹", "1000000000"],
    ["10³⁰⁰", "1e300"],
    ["10⁴⁰⁰, beyond the doubles", "1e400"],
    ["10⁹ and a fraction of 200 digits", `${10n ** 209n + 1n}/${10n ** 200n}`],
  ])("is false, with a word a draw, for γ = %s", (_, gamma) => {
    const entropy = seededEntropy("large γ");
    for (let draw = 0; draw < 1000; draw++) expect(bernoulliExp(gamma, entropy)).toBe(false);
    expect(entropy.bitsUsed).toBe(32_000);
  });

  it.each([
    ["10⁻³⁰", "1e-30"],
    ["10⁻³¹⁰, among the subnormals", "1e-310"],
    ["10⁻⁴⁰⁰, below all doubles", "1e-400"],
    ["1/(10²⁰⁰ + 7)", `1/${10n ** 200n + 7n}`],
  ])("is true, with a word a draw, for γ = %s", (_, gamma) => {
    const entropy = seededEntropy("small γ");
    for (let draw = 0; draw < 1000; draw++) expect(bernoulliExp(gamma, entropy)).toBe(true);
    expect(entropy.bitsUsed).toBe(32_000);
  });

  it("goes on where U begins with a hundred zeros or ones, and answers as U lies", () => {
    const [zeros, ones] = ["0", "1"].map((digit) => digit.repeat(96));
    const rest = "01".repeat(200);
    const draw = (gamma: string, bits: string) => bernoulliExp(gamma, replayEntropy(bits, { wordBits: 32 }));
    expect(draw("60", zeros + rest)).toBe(true); // e^−60 = 2^−86.6
    expect(draw("80", zeros + rest)).toBe(false); // e^−80 = 2^−115.4
    expect(draw("1e9", zeros + rest)).toBe(false);
    expect(draw("1e-28", ones + rest)).toBe(false); // 1 − e^(−γ) = 2^−93.0, 1 − U = 2^−96.6
    expect(draw("1e-30", ones + rest)).toBe(true); // 1 − e^(−γ) = 2^−99.7
  });

  it("draws from the system where no entropy is given", () => {
    const heads = Array.from({ length: 10_000 }, () => bernoulliExp("1/2")).filter(Boolean).length;
    expect(Math.abs(heads - 6065)).toBeLessThan(500); // ten standard deviations
    expect(bernoulliExp(1000)).toBe(false);
  });
});

describe("compareWithExp", () => {
  // Words at, below and above the threshold: the cell of a decided word must lie on the side that was told.
  const gammas = ["1e-12", "1/1000", "1/3", "1", "7/3", "10", "20", "22", "23", "24", "40"];
  it.each(gammas.flatMap((gamma) => [1, 8, 31, 32].map((bits) => ({ gamma, bits }))))(
    "is right about all words near e^(−$gamma) and decides most of them, for words of $bits bits",
    ({ gamma, bits }) => {
      const digits = binaryDigits(Real.exp(real(gamma).neg()));
      const near = Number.parseInt(digits.slice(0, bits), 2); // e^(−γ) is in the cell of this word
      const largest = 2 ** bits - 1;
      const double = rational(gamma).toNumber();
      const words = Array.from({ length: 200 }, (_, i) => near + i - 100);
      for (const word of words.filter((each) => each >= 0 && each <= largest)) {
        const decided = compareWithExp(word, bits, double);
        if (word === 0 || word === near) expect(decided).toBe(UNDECIDED);
        else if (decided !== UNDECIDED) expect(decided).toBe(word < near ? BELOW : NOT_BELOW);
        if (word > 1 && Math.abs(word - near) > 1) expect(decided).not.toBe(UNDECIDED);
      }
    },
  );

  it.each([0, 5e-324, 1e-310, 1e-12])(
    "does not call a U below e^(−γ) not below for the tiny γ = %d",
    (gamma) => {
      for (const bits of [1, 8, 32]) {
        expect(compareWithExp(2 ** bits - 1, bits, gamma)).toBe(UNDECIDED);
        expect(compareWithExp(1, bits, gamma)).toBe(bits === 1 ? UNDECIDED : BELOW);
      }
    },
  );

  it.each([
    [200, 8],
    [3_000_000_019, 32],
  ])("cannot tell where e^(−γ) is within a rounding of the ends of the cell of %d", (word, bits) => {
    const ends = [word, word + 1].map((end) =>
      real(String(end))
        .div(2 ** bits)
        .ln()
        .neg(),
    );
    const inside = [ends[0].minus(2 ** -43), ends[1].plus(2 ** -43)].map((gamma) => gamma.toNumber());
    for (const gamma of inside) expect(compareWithExp(word, bits, gamma)).toBe(UNDECIDED);
  });

  it("calls every word but 0 not below for an infinite γ", () => {
    expect(compareWithExp(1, 32, Number.POSITIVE_INFINITY)).toBe(NOT_BELOW);
    expect(compareWithExp(0, 32, Number.POSITIVE_INFINITY)).toBe(UNDECIDED);
  });
});
