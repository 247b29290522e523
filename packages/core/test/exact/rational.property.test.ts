import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gcd } from "../../src/exact/integers.js";
import { Rational, rational } from "../../src/exact/rational.js";
import { rationals } from "./arbitrary.js";

describe("Rational", () => {
  it("is a field: the laws hold exactly", () => {
    fc.assert(
      fc.property(rationals(), rationals(), rationals(), (a, b, c) => {
        expect(a.plus(b).equals(b.plus(a))).toBe(true);
        expect(
          a
            .plus(b)
            .plus(c)
            .equals(a.plus(b.plus(c))),
        ).toBe(true);
        expect(a.times(b.plus(c)).equals(a.times(b).plus(a.times(c)))).toBe(true);
        expect(a.minus(b).plus(b).equals(a)).toBe(true);
        if (!b.equals(0)) expect(a.dividedBy(b).times(b).equals(a)).toBe(true);
      }),
    );
  });

  it("stays in lowest terms with a positive denominator", () => {
    fc.assert(
      fc.property(rationals(), rationals(), (a, b) => {
        for (const { numerator, denominator } of [a.plus(b), a.minus(b), a.times(b), a.negated()]) {
          expect(denominator > 0n && gcd(numerator, denominator) === 1n).toBe(true);
        }
      }),
    );
  });

  it("orders like the sign of the difference", () => {
    fc.assert(
      fc.property(rationals(), rationals(), (a, b) => {
        const difference = a.minus(b).numerator;
        expect(a.compare(b)).toBe(difference < 0n ? -1 : difference > 0n ? 1 : 0);
      }),
    );
  });

  it("lies between its floor and its ceiling, which are at most 1 apart", () => {
    fc.assert(
      fc.property(rationals(), (a) => {
        expect(a.compare(a.floor()) >= 0 && a.compare(a.floor() + 1n) < 0).toBe(true);
        expect(a.ceil()).toBe(a.isInteger() ? a.floor() : a.floor() + 1n);
      }),
    );
  });

  it("is read back from what it prints", () => {
    fc.assert(
      fc.property(rationals(), (a) => {
        expect(rational(String(a)).equals(a)).toBe(true);
      }),
    );
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(25), (digits, places) => {
        const a = Rational.of(digits, 10n ** BigInt(places));
        expect(rational(String(a)).equals(a)).toBe(true);
      }),
    );
  });

  it("reads every finite double as the decimal that it prints as, and gives it back as the nearest double", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(rational(value).toNumber()).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  it("never does anything but read or refuse, whatever the text", () => {
    const piece = fc.constantFrom("0", "1", "9", ".", "/", "e", "-", "+", " ", "x", "∞", "_");
    fc.assert(
      fc.property(fc.string({ unit: piece, maxLength: 12 }), (text) => {
        let value: Rational;
        try {
          value = rational(text);
        } catch (error) {
          expect(error).toMatchObject({ code: "invalid-parameter", field: "value" });
          return;
        }
        if (!text.includes("/")) expect(value.toNumber()).toBe(Number(text) + 0);
      }),
    );
  });
});
