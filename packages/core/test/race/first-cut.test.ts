import { describe, expect, it } from "vitest";
import { firstCut } from "../../src/race/first-cut.js";
import { ScoreReader } from "../../src/race/scores.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

const LENGTH = 20_000;
const entropy = seededEntropy("shapes of scores");
const uniform = () => (entropy.bits(32) + 1) / 2 ** 32;

const SHAPES: Readonly<Record<string, (index: number) => number>> = {
  "all equal": () => 5,
  "of two levels": () => entropy.bit() * 100,
  "mostly zero": () => (uniform() < 0.01 ? 100 : 0),
  uniform: () => Math.floor(uniform() * 1000),
  geometric: () => Math.floor(-50 * Math.log(uniform())),
  Zipfian: () => Math.floor(1000 / uniform()),
  ascending: (index) => index,
  descending: (index) => -index,
  negative: () => -Math.floor(uniform() * 1000),
  "small with one giant": (index) => (index === 10_007 ? 1e9 : Math.floor(uniform() * 100)),
};

/** How many are expected to have keys above the cut, with exponential noise. */
function expectedSurvivors(scores: Float64Array, scale: number, cut: number): number {
  return scores.reduce((sum, score) => sum + Math.exp(Math.min((score - cut) / scale, 0)), 0);
}

describe.each(Object.entries(SHAPES))("The first cut for scores that are %s", (_, shape) => {
  const scores = Float64Array.from({ length: LENGTH }, (_, index) => shape(index));

  it.each([1, 25, 400, 2000])("lets about %d or more survive", (places) => {
    for (const scale of [0.5, 20, 1000]) {
      const { cut, zeros } = firstCut(new ScoreReader(scores), places, { scale, depth: 0 });
      const survivors = expectedSurvivors(scores, scale, cut);
      expect(survivors).toBeGreaterThan(places * 0.8);
      expect(zeros).toBeGreaterThanOrEqual(1);
      expect(zeros).toBeLessThanOrEqual(20);
      expect(Number.isInteger(zeros)).toBe(true);
    }
  });
});

describe("The first cut", () => {
  it("is none for few scores, or few to a place", () => {
    const none = { cut: -Infinity, zeros: 1 };
    expect(firstCut(new ScoreReader(new Float64Array(500)), 1, { scale: 1, depth: 0 })).toEqual(none);
    expect(firstCut(new ScoreReader(new Float64Array(1000)), 400, { scale: 1, depth: 0 })).toEqual(none);
    expect(firstCut(new ScoreReader([]), 1, { scale: 1, depth: 0 })).toEqual(none);
  });

  it("is found for noise and scores of any size", () => {
    for (const unit of [1e-270, 1e-9, 1, 1e9, 1e270]) {
      const scores = Float64Array.from({ length: 1000 }, (_, index) => index * unit);
      const { cut } = firstCut(new ScoreReader(scores), 5, { scale: unit, depth: 3.25 });
      expect(cut / unit).toBeGreaterThan(900);
    }
  });

  it.each([1e-270, 1, 1e270])("is found among astronomical scores of both signs at scale %d", (scale) => {
    const scores = new Float64Array(4096).fill(-1.7e308);
    for (let i = 0; i < 256; i++) scores[16 * i + 8] = 1.7e308;
    expect(firstCut(new ScoreReader(scores), 1, { scale, depth: 0 }).cut).not.toBeNaN();
  });
});
