import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sortNumbers } from "../../src/race/sort-numbers.js";

const numbers = fc.array(
  fc.oneof(
    fc.double({ noNaN: true }),
    fc.constantFrom(0, -0, Infinity, -Infinity, 5e-324, -5e-324, Number.MAX_VALUE, -Number.MAX_VALUE, 1, -1),
    fc.integer({ min: -3, max: 3 }),
  ),
  { maxLength: 60 },
);

describe("Numbers sorted as integers", () => {
  it("are those that the sort of doubles gives, to the sign of a zero", () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const expected = Float64Array.from(values).sort();
        const list = Float64Array.from(values);
        expect(sortNumbers(list)).toBe(list);
        expect(list.every((value, i) => Object.is(value, expected[i]))).toBe(true);
      }),
    );
  });

  it("may all be below 0 but for an infinity", () => {
    expect([...sortNumbers(Float64Array.of(Infinity, -1, -2))]).toEqual([-2, -1, Infinity]);
    expect([...sortNumbers(Float64Array.of(Infinity, -0))]).toEqual([-0, Infinity]);
  });

  it("are sorted in their part of a buffer alone", () => {
    const all = Float64Array.of(9, 3, -1, -2, 0, 8);
    sortNumbers(all.subarray(1, 5));
    expect([...all]).toEqual([9, -2, -1, 0, 3, 8]);
  });
});
