import { describe, expect, it } from "vitest";
import type { Entropy } from "../../src/entropy.js";
import { lawFromZero } from "./law.js";
import { expectAccepts, expectRejects, goodnessOfFit, tally, tallyBatch } from "./tally.js";

const die = (entropy: Entropy): number => {
  for (;;) {
    const value = entropy.bits(3);
    if (value < 6) return value;
  }
};
const fair = lawFromZero(Array(6).fill(1 / 6));

describe("tally", () => {
  const draws = tally({ seed: "a fair die", runs: 60_000, sample: die });

  it("counts every run", () => {
    expect([...draws.counts.values()].reduce((sum, count) => sum + count, 0)).toBe(60_000);
  });

  it("measures the bits of a run", () => {
    expect(draws.bitsPerRun).toBeCloseTo(4, 1); // three bits, accepted three times out of four
  });

  it("gives the same for a batch on the same seed", () => {
    const batch = (entropy: Entropy, runs: number) => Array.from({ length: runs }, () => die(entropy));
    expect(tallyBatch({ seed: "a fair die", runs: 60_000, batch })).toEqual(draws);
  });

  it("accepts the true law", () => {
    expectAccepts(draws, fair);
  });

  it("reads probabilities as fractions too", () => {
    expect(goodnessOfFit(draws, lawFromZero(Array(6).fill("1/6")))).toEqual(goodnessOfFit(draws, fair));
  });

  it("rejects a law that is off by ten percent in two faces", () => {
    expectRejects(draws, { ...fair, 0: 1.1 / 6, 1: 0.9 / 6 });
  });

  it("rejects a law that does not know all outcomes", () => {
    expectRejects(draws, { 0: 1 / 5, 1: 1 / 5, 2: 1 / 5, 3: 1 / 5, 4: 1 / 5 });
  });

  it("gives the outcomes that a law does not name a cell of their own", () => {
    expect(goodnessOfFit(draws, { 0: 1 / 6, 1: 1 / 6 }).degreesOfFreedom).toBe(2);
    expectAccepts(draws, { 0: 1 / 6, 1: 1 / 6 });
  });

  it("names the seed when a verdict is wrong", () => {
    expect(() => expectAccepts(draws, { 0: 1 / 2 })).toThrow(
      /60000 runs on seed "a fair die.*" must accept this law: χ² = /,
    );
    expect(() => expectRejects(draws, fair)).toThrow(/on seed "a fair die.*" must reject this law/);
  });
});
