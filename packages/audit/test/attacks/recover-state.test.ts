import { describe, expect, it } from "vitest";
import { seededEntropy } from "../../../core/src/testing/seeded-entropy.js";
import {
  leakingShuffle,
  NUMBERS_NEEDED,
  STATE_BITS,
  stateRecovery,
  Xorshift128Plus,
} from "../../src/attacks/leaking-order.js";

describe("The generator behind Math.random", () => {
  const recover = stateRecovery();
  const entropy = seededEntropy("xorshift");

  it("is known from four of its numbers", () => {
    for (let trial = 0; trial < 20; trial++) {
      const state = entropy.bigBits(STATE_BITS);
      const generator = new Xorshift128Plus(state);
      const seen = Array.from({ length: NUMBERS_NEEDED }, () => generator.bits());
      expect(recover(seen)).toBe(state);
    }
  });

  it("steps as published: shifts by 23, 17 and 26", () => {
    const generator = new Xorshift128Plus((1n << 64n) | 2n);
    expect(generator.bits()).toBe(2n >> 12n);
    // s1 = 1 ^ (1 << 23), then s1 ^= s1 >> 17, ^ 2, ^ (2 >> 26)
    const s1 = 1n ^ (1n << 23n);
    expect(generator.bits()).toBe((s1 ^ (s1 >> 17n) ^ 2n) >> 12n);
  });

  it("gives numbers in [0, 1), and orders of all candidates", () => {
    const generator = new Xorshift128Plus(entropy.bigBits(STATE_BITS));
    for (let i = 0; i < 100; i++) {
      const number = generator.random();
      expect(number).toBeGreaterThanOrEqual(0);
      expect(number).toBeLessThan(1);
    }
    expect(leakingShuffle(5, generator).sort()).toEqual([0, 1, 2, 3, 4]);
  });
});
