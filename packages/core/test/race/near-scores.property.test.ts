import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type NearScores, nearScores } from "../../src/race/scan.js";
import { ScoreReader, type Scores } from "../../src/race/scores.js";

/** A zone of 2 below the level, and never below the first threshold. */
const thresholdFrom = (first: number) => (level: number) => Math.max(first, level - 2);

function near(scores: Scores, places: number, first: number): NearScores {
  return nearScores(new ScoreReader(scores), places, first, thresholdFrom(first));
}

const lists = fc.oneof(
  fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 300 }),
  fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 300 }),
  fc.array(fc.constantFrom(0, 100), { minLength: 1, maxLength: 300 }),
);

describe("The list of near scores", () => {
  it("has exactly the scores from its threshold on, in their order", () => {
    fc.assert(
      fc.property(
        lists,
        fc.integer({ min: 1, max: 20 }),
        fc.oneof(fc.constant(-Infinity), fc.integer()),
        (scores, places, first) => {
          const { indices, count, threshold } = near(scores, places, first);
          const expected = [...scores.keys()].filter((index) => scores[index] >= threshold);
          expect([...indices.subarray(0, count)]).toEqual(expected);
          expect(threshold).toBeGreaterThanOrEqual(first);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("knows a level that so many scores as there are places reach, and no threshold above its zone", () => {
    fc.assert(
      fc.property(lists, fc.integer({ min: 1, max: 20 }), (scores, places) => {
        const { level, threshold } = near(scores, places, -Infinity);
        if (level > -Infinity)
          expect(scores.filter((score) => score >= level).length).toBeGreaterThanOrEqual(places);
        expect(threshold).toBeLessThanOrEqual(thresholdFrom(-Infinity)(level));
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["ascending", (i: number) => i],
    ["descending", (i: number) => -i],
    ["scattered", (i: number) => (i * 48_271) % 65_537],
  ])("stays short for long arrays that are %s", (_, score) => {
    const scores = Float64Array.from({ length: 300_000 }, (_, i) => score(i));
    const list = near(scores, 10, -Infinity);
    expect(list.count).toBeLessThan(500);
    expect(list.count).toBeGreaterThanOrEqual(10);
  });

  it("holds them all if all are near", () => {
    const scores = new Float64Array(300_000).fill(5);
    const list = near(scores, 3, -Infinity);
    expect(list.count).toBe(300_000);
    expect(list.indices[299_999]).toBe(299_999);
  });
});

describe("The check of the scores", () => {
  const bad = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

  it("finds what is not finite anywhere, near or far", () => {
    fc.assert(
      fc.property(
        lists,
        fc.constantFrom(...bad),
        fc.nat(),
        fc.integer({ min: 1, max: 5 }),
        (scores, value, pick, places) => {
          const spoilt = [...scores];
          spoilt.splice(pick % (scores.length + 1), 0, value);
          for (const container of [spoilt, Float64Array.from(spoilt)])
            expect(() => near(container, places, -Infinity)).toThrow(
              expect.objectContaining({ code: "invalid-score" }),
            );
        },
      ),
      { numRuns: 300 },
    );
  });

  it("finds −∞ among astronomical numbers of both signs, whose sum is no number", () => {
    const largest = Number.MAX_VALUE;
    const scores = Float64Array.from([
      ...Array(64).fill(largest),
      ...Array(64).fill(largest / 2),
      ...Array(64).fill(-largest),
    ]);
    expect(() => near(scores, 1, -Infinity)).not.toThrow();
    for (let index = 64; index < scores.length; index++) {
      const spoilt = scores.slice();
      spoilt[index] = -Infinity;
      expect(() => near(spoilt, 1, largest * 0.9)).toThrow(
        expect.objectContaining({ code: "invalid-score" }),
      );
    }
  });
});
