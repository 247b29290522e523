import { describe, expect, it } from "vitest";
import { asInterval } from "../../src/exact/interval.js";
import { Rational, rational } from "../../src/exact/rational.js";
import { fastMinusLn, MINUS_LN_SLACK, minusLn, PartialUniform } from "../../src/sample/partial-uniform.js";

import { replayEntropy } from "../../src/testing/bit-tree.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { Real } from "./binary-digits.js";

const Digits40 = Real.clone({ precision: 40 });

describe("fastMinusLn", () => {
  it.each([1, 2, 8, 31, 32])("is within 2^−44 of −ln(word/2^%d)", (bits) => {
    const entropy = seededEntropy("words");
    const powers = Array.from({ length: bits + 1 }, (_, exponent) => 2 ** exponent);
    const near = powers.flatMap((power) => [power - 1, power, power + 1]);
    const random = Array.from({ length: 100 }, () => entropy.bits(bits));
    for (const word of [...near, ...random].filter((each) => each >= 1 && each < 2 ** bits)) {
      const exact = new Digits40(2).ln().times(bits).minus(new Digits40(word).ln());
      expect(
        exact
          .minus(fastMinusLn(word, bits))
          .abs()
          .lt(2 ** -44),
      ).toBe(true);
    }
  });

  it("has a slack far above its error", () => {
    expect(MINUS_LN_SLACK).toBe(2 ** -40);
  });
});

describe("minusLn", () => {
  it("encloses −ln of both ends of the cell, at the precision of U and 16 digits more", () => {
    for (const digits of ["1", "0001", "0111111111", "1111111111111111", "0000000000000000000000001"]) {
      const u = new PartialUniform(replayEntropy(digits), 0n, 0);
      u.reveal(digits.length);
      const enclosure = asInterval(minusLn(u));
      const end = (numerator: bigint) =>
        rational(new Real(String(numerator)).div(new Real(2).pow(digits.length)).ln().neg().toFixed(60));
      const unit = Rational.of(1n, 1n << BigInt(enclosure.precision));
      const [least, most] = [end(u.numerator + 1n), end(u.numerator)];
      expect(enclosure.precision).toBe(digits.length + 16);
      expect(enclosure.lower().compare(least)).toBeLessThanOrEqual(0);
      expect(enclosure.upper().compare(most)).toBeGreaterThanOrEqual(0);
      expect(enclosure.lower().plus(unit.times(3n)).compare(least)).toBe(1);
      expect(enclosure.upper().minus(unit.times(3n)).compare(most)).toBe(-1);
    }
  });

  it("draws digits until U is certainly above 0", () => {
    const entropy = replayEntropy("0000000110110", { wordBits: 3 });
    const u = new PartialUniform(entropy);
    minusLn(u);
    expect([u.numerator, u.bits, entropy.bitsUsed]).toEqual([0b11n, 9, 9]);
  });
});
