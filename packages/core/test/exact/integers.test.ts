import { describe, expect, it } from "vitest";
import {
  abs,
  bitLength,
  ceilDiv,
  ceilShift,
  floorDiv,
  gcd,
  integerSqrt,
  TWO_TO,
} from "../../src/exact/integers.js";

describe("floorDiv and ceilDiv", () => {
  it.each([
    [7n, 2n, 3n, 4n],
    [-7n, 2n, -4n, -3n],
    [6n, 2n, 3n, 3n],
    [-6n, 2n, -3n, -3n],
    [0n, 5n, 0n, 0n],
    [1n, 5n, 0n, 1n],
    [-1n, 5n, -1n, 0n],
  ])("round %d / %d to %d below and %d above", (a, b, floor, ceil) => {
    expect(floorDiv(a, b)).toBe(floor);
    expect(ceilDiv(a, b)).toBe(ceil);
  });

  it("agree with their definitions on both sides of zero", () => {
    for (let a = -50n; a <= 50n; a++) {
      for (let b = 1n; b <= 12n; b++) {
        const [floor, ceil] = [floorDiv(a, b), ceilDiv(a, b)];
        expect(floor * b <= a && a < (floor + 1n) * b).toBe(true);
        expect((ceil - 1n) * b < a && a <= ceil * b).toBe(true);
      }
    }
  });
});

describe("ceilShift", () => {
  it("divides by a power of two and rounds up", () => {
    for (let a = -40n; a <= 40n; a++) {
      for (let shift = 0n; shift <= 5n; shift++) expect(ceilShift(a, shift)).toBe(ceilDiv(a, 1n << shift));
    }
  });
});

describe("gcd", () => {
  it("ignores signs and takes 0 as divisible by everything", () => {
    expect(gcd(12n, -18n)).toBe(6n);
    expect(gcd(-7n, 0n)).toBe(7n);
    expect(gcd(0n, 7n)).toBe(7n);
    expect(gcd(0n, 0n)).toBe(0n);
  });
});

describe("abs", () => {
  it("drops the sign", () => {
    expect([abs(-3n), abs(0n), abs(3n)]).toEqual([3n, 0n, 3n]);
  });
});

describe("bitLength", () => {
  it("counts binary digits next to every power of two up to 2^300", () => {
    expect(bitLength(0n)).toBe(0);
    for (let n = 1; n <= 300; n++) {
      const power = 1n << BigInt(n);
      expect([bitLength(power - 1n), bitLength(power), bitLength(-power)]).toEqual([n, n + 1, n + 1]);
    }
  });
});

describe("integerSqrt", () => {
  it("is the floor of the root of every number up to 10,000", () => {
    for (let a = 0n; a <= 10_000n; a++) {
      const root = integerSqrt(a);
      expect(root * root <= a && a < (root + 1n) * (root + 1n)).toBe(true);
    }
  });

  it("does not slip next to large squares", () => {
    for (const root of [(1n << 53n) + 1n, 10n ** 40n - 1n, (1n << 600n) - 1n]) {
      expect(integerSqrt(root * root - 1n)).toBe(root - 1n);
      expect(integerSqrt(root * root)).toBe(root);
      expect(integerSqrt(root * root + 2n * root)).toBe(root);
    }
  });
});

describe("TWO_TO", () => {
  it("has the powers of two from 2^0 to 2^128, exactly", () => {
    const powers = Array.from({ length: 129 }, (_, n) => 1n << BigInt(n));
    expect([...TWO_TO].map(BigInt)).toEqual(powers);
  });
});
