import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Rational } from "../../src/exact/rational.js";
import { roundToDouble } from "../../src/exact/round-to-double.js";

import { integersOfBits, rationals } from "./arbitrary.js";

/** A double as the rational that it is. */
function exactly(value: number): Rational {
  let [scaled, denominator] = [value, 1n];
  for (; !Number.isInteger(scaled); scaled *= 2) denominator *= 2n;
  return Rational.of(BigInt(scaled), denominator);
}

/** The next double above. */
function above(value: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigInt64(0);
  if (value === 0) return Number.MIN_VALUE;
  view.setBigInt64(0, value > 0 ? bits + 1n : bits - 1n);
  return view.getFloat64(0) + 0; // −0 is 0
}

/** Rationals of every size that doubles have, down to below the subnormal ones. */
const scaled = fc
  .tuple(rationals(70), fc.integer({ min: -1150, max: 900 }))
  .map(([value, shift]) =>
    shift < 0 ? value.dividedBy(1n << BigInt(-shift)) : value.times(1n << BigInt(shift)),
  );

describe("roundToDouble", () => {
  it("puts the value between two doubles that are the same or neighbours", () => {
    fc.assert(
      fc.property(scaled, (value) => {
        const [down, up] = [value.toNumber("down"), value.toNumber("up")];
        expect(exactly(down).compare(value) <= 0 && exactly(up).compare(value) >= 0).toBe(true);
        expect(up).toBe(exactly(down).equals(value) ? down : above(down));
      }),
      { numRuns: 1000 },
    );
  });

  it("takes the nearer of the two, and the even one of equals", () => {
    fc.assert(
      fc.property(scaled, (value) => {
        const [down, up] = [value.toNumber("down"), value.toNumber("up")];
        const side = value.minus(exactly(down)).compare(exactly(up).minus(value));
        const nearest = value.toNumber("nearest");
        if (side !== 0) expect(nearest).toBe(side < 0 ? down : up);
        else expect([down, up]).toContain(nearest);
      }),
      { numRuns: 1000 },
    );
  });

  it("agrees with the engine's own conversion of integers", () => {
    fc.assert(
      fc.property(integersOfBits(1100), (a) => {
        expect(roundToDouble(a, 1n, "nearest")).toBe(Number(a));
      }),
      { numRuns: 1000 },
    );
  });

  it("agrees with the engine's own division of integers that are doubles", () => {
    const integer = fc.maxSafeInteger();
    fc.assert(
      fc.property(integer, integer, (a, b) => {
        const divisor = b === 0 ? 1 : Math.abs(b);
        expect(roundToDouble(BigInt(a), BigInt(divisor), "nearest")).toBe(a / divisor + 0);
      }),
      { numRuns: 1000 },
    );
  });
});
