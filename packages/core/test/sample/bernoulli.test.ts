import { describe, expect, it } from "vitest";
import { Reference } from "../../../audit/src/reference-samplers.js";
import type { Entropy } from "../../src/entropy.js";
import { Rational, rational } from "../../src/exact/rational.js";
import { bernoulli } from "../../src/sample/bernoulli.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";

import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectLaw } from "../support/expect-law.js";
import { binaryDigits, digitsAbove, digitsBelow, real } from "./binary-digits.js";

const LEFTOVER = Rational.of(1n, 1n << 16n);
const PROBABILITIES = ["1/3", "3/8", "2/7", "3/7", "999/1000", "1/1000003"];
const WORD_SIZES = [1, 3, 8];
const CASES = PROBABILITIES.flatMap((p) => WORD_SIZES.map((wordBits) => ({ p, wordBits })));

describe("bernoulli", () => {
  it.each(CASES)("is true with probability $p in words of $wordBits bits", ({ p, wordBits }) => {
    const tree = bitTree((entropy) => bernoulli(p, entropy), { depth: 24, wordBits });
    expectLaw({ tree, probabilities: { true: p, false: String(rational(1).minus(p)) } });
    expect(tree.undecided.compare(LEFTOVER)).toBe(-1);
  });

  it.each(PROBABILITIES)("is the reference bit for bit for p = %s", (p) => {
    const { numerator, denominator } = rational(p);
    const reference = (entropy: Entropy) => new Reference(entropy).bernoulli(numerator, denominator);
    const withBits = (sample: (entropy: Entropy) => boolean) =>
      bitTree((entropy) => `${sample(entropy)} after ${entropy.bitsUsed} bits`, { depth: 14 });
    expect(withBits((entropy) => bernoulli(p, entropy))).toEqual(withBits(reference));
  });

  it.each([1, 8, 32])("tells U from 1/3 at the 400th digit, in words of %d bits", (wordBits) => {
    const third = binaryDigits(real("1/3"));
    expect(bernoulli("1/3", replayEntropy(digitsBelow(third, 400), { wordBits }))).toBe(true);
    expect(bernoulli("1/3", replayEntropy(digitsAbove(third, 400), { wordBits }))).toBe(false);
  });

  it("decides a binary fraction completely, at the latest with its last digit", () => {
    const tree = bitTree((entropy) => bernoulli("3/8", entropy), { depth: 3 });
    expect(tree.undecided).toEqual(Rational.ZERO);
    expect(tree.mass.get("true")).toEqual(Rational.of(3n, 8n));
  });

  it("draws no bit for p = 0 and p = 1", () => {
    const entropy = replayEntropy("");
    expect(bernoulli("0", entropy)).toBe(false);
    expect(bernoulli("1", entropy)).toBe(true);
  });

  it("takes one word for a denominator of 200 digits", () => {
    const entropy = seededEntropy("200 digits");
    const p = `${10n ** 199n + 9n}/${10n ** 200n + 7n}`;
    const heads = Array.from({ length: 10_000 }, () => bernoulli(p, entropy)).filter(Boolean).length;
    expect(entropy.bitsUsed).toBe(320_000);
    expect(Math.abs(heads - 1000)).toBeLessThan(150); // five standard deviations
  });

  it("draws from the system where no entropy is given", () => {
    const heads = Array.from({ length: 10_000 }, () => bernoulli("1/2")).filter(Boolean).length;
    expect(Math.abs(heads - 5000)).toBeLessThan(500); // ten standard deviations
  });
});
