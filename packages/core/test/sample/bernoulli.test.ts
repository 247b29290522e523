import { describe, expect, it } from "vitest";
import { Reference } from "../../../audit/src/reference-samplers.js";
import type { Entropy } from "../../src/entropy.js";
import { Rational, rational } from "../../src/exact/rational.js";
import { bernoulli, fillBernoulli } from "../../src/sample/bernoulli.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";

import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectLaw } from "../support/expect-law.js";
import { binaryDigits, digitsAbove, digitsBelow, real } from "./binary-digits.js";

const LEFTOVER = Rational.of(1n, 1n << 16n);
const PROBABILITIES = ["1/3", "3/8", "2/7", "3/7", "999/1000", "1/1000003"];
const WORD_SIZES = [1, 3, 8];
const CASES = PROBABILITIES.flatMap((p) => WORD_SIZES.map((wordBits) => ({ p, wordBits })));

/** Draws one by one and as batches of one, which have the same law and should use the same bits. */
const FORMS: readonly { name: string; draw: (p: string, entropy: Entropy) => boolean }[] = [
  { name: "bernoulli", draw: bernoulli },
  { name: "fillBernoulli", draw: (p, entropy) => fillBernoulli(new Uint8Array(1), p, entropy)[0] === 1 },
];

describe.each(FORMS)("$name", ({ draw }) => {
  it.each(CASES)("is true with probability $p in words of $wordBits bits", ({ p, wordBits }) => {
    const tree = bitTree((entropy) => draw(p, entropy), { depth: 24, wordBits });
    expectLaw({ tree, probabilities: { true: p, false: String(rational(1).minus(p)) } });
    expect(tree.undecided.compare(LEFTOVER)).toBe(-1);
  });

  it.each(PROBABILITIES)("is the reference bit for bit for p = %s", (p) => {
    const { numerator, denominator } = rational(p);
    const reference = (entropy: Entropy) => new Reference(entropy).bernoulli(numerator, denominator);
    const withBits = (sample: (entropy: Entropy) => boolean) =>
      bitTree((entropy) => `${sample(entropy)} after ${entropy.bitsUsed} bits`, { depth: 14 });
    expect(withBits((entropy) => draw(p, entropy))).toEqual(withBits(reference));
  });

  it.each([1, 8, 32])("tells U from 1/3 at the 400th digit, in words of %d bits", (wordBits) => {
    const third = binaryDigits(real("1/3"));
    expect(draw("1/3", replayEntropy(digitsBelow(third, 400), { wordBits }))).toBe(true);
    expect(draw("1/3", replayEntropy(digitsAbove(third, 400), { wordBits }))).toBe(false);
  });

  it("decides a binary fraction completely, at the latest with its last digit", () => {
    const tree = bitTree((entropy) => draw("3/8", entropy), { depth: 3 });
    expect(tree.undecided).toEqual(Rational.ZERO);
    expect(tree.mass.get("true")).toEqual(Rational.of(3n, 8n));
  });

  it("draws no bit for p = 0 and p = 1", () => {
    const entropy = replayEntropy("");
    expect(draw("0", entropy)).toBe(false);
    expect(draw("1", entropy)).toBe(true);
  });

  it("takes one word for a denominator of 200 digits", () => {
    const entropy = seededEntropy("200 digits");
    const p = `${10n ** 199n + 9n}/${10n ** 200n + 7n}`;
    const heads = Array.from({ length: 10_000 }, () => draw(p, entropy)).filter(Boolean).length;
    expect(entropy.bitsUsed).toBe(320_000);
    expect(Math.abs(heads - 1000)).toBeLessThan(150); // five standard deviations
  });
});

describe("fillBernoulli", () => {
  it("draws what bernoulli draws one by one", () => {
    const [batch, single] = [seededEntropy("coins"), seededEntropy("coins")];
    const target = new Uint8Array(1000);
    expect(fillBernoulli(target, "2/7", batch)).toBe(target);
    expect([...target]).toEqual(Array.from({ length: 1000 }, () => Number(bernoulli("2/7", single))));
    expect(batch.bitsUsed).toBe(single.bitsUsed);
  });

  it("overwrites what was in the array", () => {
    expect(fillBernoulli(Uint8Array.of(7, 7), 0)).toEqual(Uint8Array.of(0, 0));
    expect(fillBernoulli(Uint8Array.of(7, 7), 1)).toEqual(Uint8Array.of(1, 1));
  });

  it("draws from the system where no entropy is given", () => {
    const heads = fillBernoulli(new Uint8Array(10_000), "1/2").reduce((sum, coin) => sum + coin, 0);
    expect(Math.abs(heads - 5000)).toBeLessThan(500); // ten standard deviations
  });
});
