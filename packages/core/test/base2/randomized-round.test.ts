import { describe, expect, it } from "vitest";
import { drawRounded, drawRoundedRational } from "../../src/base2/randomized-rounding.js";
import type { Entropy } from "../../src/entropy.js";
import { Rational, type RationalLike, rational } from "../../src/exact/rational.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectLaw } from "../support/expect-law.js";

/** ⌈u⌉ with probability u − ⌊u⌋. */
function roundingLaw(utility: RationalLike) {
  const exact = rational(utility);
  const up = exact.minus(exact.floor());
  const text = (p: Rational) => `${p.numerator}/${p.denominator}`;
  return { [`${exact.floor()}`]: text(Rational.ONE.minus(up)), [`${exact.floor() + 1n}`]: text(up) };
}

describe("randomized rounding", () => {
  it.each([
    0.5, 0.25, 0.1, 0.999, 1.001, 2.75, -0.5, -0.3, -2.75, -1.001, 123456.7, 1e-9, -1e-20, 4503599627370495.5,
  ])("the number %f is rounded with exactly its fraction, by bit tree", (utility) => {
    for (const wordBits of [1, 4]) {
      const tree = bitTree((entropy) => drawRounded(utility, entropy), { depth: 16, wordBits });
      expect(tree.undecided.compare(rational("1/30000"))).toBeLessThan(0);
      expectLaw({ tree, probabilities: roundingLaw(utility) });
    }
  });

  it.each(["1/3", "-3/10", "5/4", "-1/1000000007", "99999999999999999999/7"])(
    "the rational %s is rounded with exactly its fraction, by bit tree",
    (utility) => {
      const tree = bitTree((entropy) => drawRoundedRational(rational(utility), entropy), { depth: 14 });
      expectLaw({ tree, probabilities: roundingLaw(utility) });
    },
  );

  it("an integer stays, and costs no bit", () => {
    const entropy = replayEntropy("");
    for (const level of [0, 7, -7, 9007199254740991, -9007199254740991])
      expect(drawRounded(level, entropy)).toBe(level);
    expect(drawRoundedRational(rational(-7), entropy)).toBe(-7n);
  });

  it("a number is the decimal that it prints as, not the double next to it", () => {
    const double = 3602879701896397n; // 0.1 is this over 2^55, and that is above 1/10
    const between = Rational.of(8n * double - 1n, 1n << 58n);
    expect(between.compare("1/10")).toBe(1);
    expect(drawRounded(0.1, replayEntropy(binaryDigits(between, 64), { wordBits: 32 }))).toBe(0);
    const justBelow = rational("1/10").minus(Rational.of(1n, 1n << 80n));
    expect(drawRounded(0.1, replayEntropy(binaryDigits(justBelow, 96), { wordBits: 32 }))).toBe(1);
  });

  it("the answer depends on U alone, not on how many of its digits come at a time", () => {
    const source = seededEntropy("rounding, words");
    for (let run = 0; run < 300; run++) {
      const utility = (source.bits(53) - 4503599627370496) / (1 + source.bits(48));
      const digits = nearThreshold(Math.abs(utility), source);
      const answers = [1, 4, 8, 32].map((wordBits) =>
        drawRounded(utility, replayEntropy(digits, { wordBits })),
      );
      expect(new Set(answers).size).toBe(1);
      expect(answers[0]).toBe(expected(utility, digits));
    }
  });
});

/** U < fraction ⇔ away from zero, in rationals. */
function expected(utility: number, digits: string): number {
  const magnitude = rational(Math.abs(utility));
  const u = Rational.of(BigInt(`0b${digits}`), 1n << BigInt(digits.length));
  const isUp = u.compare(magnitude.minus(magnitude.floor())) < 0;
  return Math.sign(utility) * Number(isUp ? magnitude.ceil() : magnitude.floor());
}

/** 256 digits of a U that agrees with the fraction in some of the leading ones. */
function nearThreshold(magnitude: number, source: Entropy): string {
  const exact = rational(magnitude);
  const shared = source.bits(7) % 100;
  const rest = Array.from({ length: 256 - shared }, () => source.bit()).join("");
  return binaryDigits(exact.minus(exact.floor()), shared) + rest;
}

/** The first digits after the point of a number in [0, 1). */
function binaryDigits({ numerator, denominator }: Rational, count: number): string {
  return count === 0 ? "" : ((numerator << BigInt(count)) / denominator).toString(2).padStart(count, "0");
}
