import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Rational } from "../../src/exact/rational.js";

describe("a rational of numbers", () => {
  it("is the rational of the same bigints", () => {
    const denominators = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(fc.maxSafeInteger(), denominators, (numerator, denominator) => {
        const expected = Rational.of(BigInt(numerator), BigInt(denominator));
        expect(Rational.ofNumbers(numerator, denominator)).toEqual(expected);
      }),
    );
  });
});
