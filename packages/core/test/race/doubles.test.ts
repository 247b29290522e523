import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { exactly, neighbour } from "./doubles.js";

describe("doubles under the microscope", () => {
  it.each([0, 1, -1, 0.1, -0.1, 5e-324, 2.2250738585072014e-308, Number.MAX_VALUE, 123456789.125])(
    "%d is the nearest double to its exact value, and alone",
    (x) => {
      expect(exactly(x).toNumber("down")).toBe(x);
      expect(exactly(x).toNumber("up")).toBe(x);
    },
  );

  it("0.1 is not a tenth", () => {
    expect(exactly(0.1).compare(rational("0.1"))).toBe(1);
    expect(exactly(0.1).denominator).toBe(1n << 55n);
  });

  it("neighbours are one place apart, also across zero and powers of two", () => {
    expect(neighbour(1, 1)).toBe(1 + Number.EPSILON);
    expect(neighbour(1, -1)).toBe(1 - Number.EPSILON / 2);
    expect(neighbour(-1, -1)).toBe(-1 - Number.EPSILON);
    expect(neighbour(0, 1)).toBe(Number.MIN_VALUE);
    expect(neighbour(Number.MIN_VALUE, -2)).toBe(-Number.MIN_VALUE);
    expect(neighbour(-0, -1)).toBe(-Number.MIN_VALUE);
  });
});
