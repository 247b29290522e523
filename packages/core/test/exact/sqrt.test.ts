import { describe, expect, it } from "vitest";
import { sqrtEnclosure } from "../../src/exact/elementary.js";
import { Interval } from "../../src/exact/interval.js";

describe("sqrtEnclosure", () => {
  it("gives squares of representable numbers back as points", () => {
    for (const root of ["0", "1", "3/2", "1/256", "12345"]) {
      const square = Interval.from(root, 64).power(2);
      expect(sqrtEnclosure(square)).toEqual(Interval.from(root, 64));
    }
  });

  it("encloses other roots by two neighbours", () => {
    for (const precision of [1, 16, 53, 64, 128, 512]) {
      for (let a = 1n; a < 200n; a++) {
        const { lo, hi } = new Interval(a, a, precision).sqrt();
        const target = a << BigInt(precision);
        expect(lo * lo <= target && target <= hi * hi && hi - lo <= 1n).toBe(true);
      }
    }
  });

  it("refuses an interval that reaches below 0", () => {
    expect(() => Interval.hull("-1/1000", 1, 64).sqrt()).toThrow("x must be an interval of numbers >= 0");
  });
});
