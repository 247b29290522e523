import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nthLargest } from "../../src/race/nth-largest.js";

describe("nthLargest", () => {
  it("is what sorting gives, with ties, infinities and numbers beyond the count", () => {
    const values = fc.array(fc.oneof(fc.double({ noNaN: true }), fc.integer({ min: 0, max: 3 })), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(
        values,
        fc.nat(),
        fc.array(fc.double({ noNaN: true }), { maxLength: 5 }),
        (numbers, pick, beyond) => {
          const n = 1 + (pick % numbers.length);
          const sorted = Float64Array.from(numbers).sort().reverse();
          const expected = sorted[n - 1];
          expect(nthLargest(Float64Array.from([...numbers, ...beyond]), numbers.length, n)).toEqual(
            expected === 0 ? expect.closeTo(0) : expected,
          );
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("keeps the numbers and only reorders them", () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), (numbers) => {
        const values = Float64Array.from(numbers);
        nthLargest(values, values.length, 1 + (numbers.length >> 1));
        expect(values.sort()).toEqual(Float64Array.from(numbers).sort());
      }),
    );
  });

  it.each([
    ["ascending", (i: number) => i],
    ["descending", (i: number) => -i],
    ["equal", () => 7],
    ["a pipe organ", (i: number) => Math.min(i, 100_000 - i)],
    ["two values", (i: number) => i % 2],
  ])("takes no more than a moment for 100,000 numbers that are %s", (_, value) => {
    const values = Float64Array.from({ length: 100_000 }, (_, i) => value(i));
    const expected = Float64Array.from(values).sort().at(-500);
    expect(nthLargest(values, values.length, 500)).toBe(expected);
  });
});
