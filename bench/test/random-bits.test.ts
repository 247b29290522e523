import { describe, expect, it } from "vitest";
import { bitsUsed } from "../src/random-bits.js";
import { bitsTable } from "../src/report.js";

describe("the random bits of a draw", () => {
  const measured = bitsUsed(2000);

  it("are at least the entropy of the law, but for the luck of the draws", () => {
    for (const { entropy, single, words } of measured) {
      expect(single).toBeGreaterThan(entropy - 0.5);
      expect(words).toBeGreaterThan(entropy - 0.5);
    }
  });

  it("are whole words where a word is one draw", () => {
    const coin = measured.find(({ sampler }) => sampler === "bernoulli 1/3");
    expect(coin?.words).toBe(32);
    expect(coin?.entropy).toBeCloseTo(0.918, 3);
  });

  it("have a row each in the table", () => {
    expect(bitsTable(measured).split("\n")).toHaveLength(measured.length + 2);
  });
});
