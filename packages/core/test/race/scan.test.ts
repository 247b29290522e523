import { describe, expect, it } from "vitest";
import { firstCut } from "../../src/race/first-cut.js";
import { firstNear, nearScores } from "../../src/race/scan.js";
import { ScoreReader, type Scores } from "../../src/race/scores.js";

describe("firstNear", () => {
  it.each([5, 6, Infinity, Number.NaN])(
    "stops at the eight numbers with one that is not below 5: %d",
    (near) => {
      for (let place = 0; place < 32; place++) {
        const block = Float64Array.from({ length: 35 }, (_, index) => -(2 ** index));
        block[place] = near;
        const total = Float64Array.of(0.5);
        const start = place - (place % 8);
        expect(firstNear(block, 0, 5, total)).toBe(start);
        expect(total[0]).toBe(1.5 - 2 ** start); // what came before is added, each number once
      }
    },
  );

  it("stops where fewer than eight are left, and starts anywhere", () => {
    const far = (length: number) => new Float64Array(length);
    expect([7, 8, 19, 24, 31].map((length) => firstNear(far(length), 0, 5, far(1)))).toEqual([
      0, 8, 16, 24, 24,
    ]);
    expect([7, 8, 19, 24].map((length) => firstNear(far(length), 3, 5, far(1)))).toEqual([3, 3, 19, 19]);
  });

  it("adds up to −∞ where one of them is", () => {
    for (let place = 0; place < 8; place++) {
      const total = new Float64Array(1);
      expect(firstNear(new Float64Array(8).fill(-Infinity, place, place + 1), 0, 5, total)).toBe(8);
      expect(total[0]).toBe(-Infinity);
    }
  });
});

/** The list for two places, with a zone of 2 below the level, and the levels at which the threshold was asked for. */
function near(scores: Scores, first = -Infinity, places = 2, thresholdAt = (level: number) => level - 2) {
  const levels: number[] = [];
  const reader = new ScoreReader(scores);
  const { count, ...list } = nearScores(reader, places, first, (level) => {
    levels.push(level);
    return thresholdAt(level);
  });
  const listed = [...list.indices.subarray(0, count)];
  expect([...list.scores.subarray(0, count)]).toEqual(listed.map((index) => reader.at(index)));
  return { listed, threshold: list.threshold, level: list.level, levels, room: list.indices.length };
}

const upTo = (length: number) => Array.from({ length }, (_, index) => index);
const equal = (length: number) => Array<number>(length).fill(5);

describe("nearScores", () => {
  it("lists what is not below the first threshold, as long as the list is short", () => {
    expect(near([3, 5, 9, 4.9, 7], 5)).toEqual({
      listed: [1, 2, 4],
      threshold: 5,
      level: 7,
      levels: [],
      room: 13,
    });
    expect(near([3, 5], -Infinity)).toMatchObject({ listed: [0, 1], level: 3 });
    expect(near([3, 5], 4)).toMatchObject({ listed: [1], level: -Infinity });
    expect(near(upTo(8))).toMatchObject({ listed: upTo(8), threshold: -Infinity, level: 6, levels: [] });
  });

  it("raises the threshold when the list has eight scores a place: to the zone, or to twice as many", () => {
    const rising = upTo(16).map((index) => index - 16); // −16 … −1
    expect(near(rising)).toMatchObject({ listed: [12, 13, 14, 15], threshold: -4, level: -2, levels: [-2] });
    const scattered = rising.map((_, index) => rising[(index * 7) % 16]);
    expect(near(scattered)).toMatchObject({ threshold: -4, level: -2, levels: [-2] });
    const sparse = near(rising.map((score) => score * 10));
    expect(sparse).toMatchObject({ listed: [12, 13, 14, 15], threshold: -40, levels: [-20] });
    const dense = near(rising.map((score) => score / 10));
    expect(dense).toMatchObject({ listed: upTo(16), threshold: -0.2 - 2, levels: [-0.2] });
  });

  it("raises it again when the list has doubled, and at the end if it is long", () => {
    expect(near(upTo(24)).levels).toEqual([14]); // 12 … 15 stayed, and 16 … 23 came
    expect(near(upTo(32)).levels).toEqual([14, 30]);
    expect(near(equal(16)).levels).toEqual([5]);
    expect(near(equal(24)).levels).toEqual([5, 5]);
    expect(near(equal(40)).levels).toEqual([5, 5, 5]); // at 16, 32 and 40
  });

  it("never lowers it, and not to what is not a number", () => {
    for (const threshold of [Number.NaN, -100, -Infinity])
      expect(near(upTo(20), 3, 2, () => threshold)).toMatchObject({
        threshold: 3,
        listed: upTo(20).slice(3),
      });
  });

  it("makes room for all", () => {
    expect(near(equal(2048))).toMatchObject({ listed: upTo(2048), room: 2048 });
    expect(near(equal(2100)).listed).toEqual(upTo(2100));
  });

  it("refuses what is not finite, far or near", () => {
    for (const bad of [-Infinity, Infinity, Number.NaN])
      for (const length of [3, 8, 20]) {
        const scores = new Float64Array(length).fill(bad, 1, 2);
        for (const first of [5, -5])
          expect(() => near(scores, first)).toThrow(expect.objectContaining({ code: "invalid-score" }));
      }
    const sum = Float64Array.of(-1.7e308, -1.7e308, 0, 0, 0, 0, 0, 0, 9); // is −∞ though none of them is
    expect(near(sum, 5).listed).toEqual([8]);
  });
});

describe("The first cut", () => {
  const SHAPES: Readonly<Record<string, (index: number) => number>> = {
    ascending: (index) => index,
    scattered: (index) => (index * 48_271) % 65_537,
    equal: () => 5,
    "of two levels": (index) => (index % 100 === 7 ? 100 : 0),
    steep: (index) => Math.floor(1e6 / (index + 1)),
  };

  // Nothing but time depends on these numbers. They are pinned so that a change of them is meant.
  it.each<[string, length: number, places: number, Parameters<typeof firstCut>[2], number[]]>([
    ["ascending", 1000, 5, { scale: 10, depth: 3 }, [952, 8, 982]],
    ["ascending", 512, 64, { scale: 1, depth: 2 }, [383, 3, 385]],
    ["ascending", 512, 1, { scale: 300, depth: 2 }, [1359.4571455179766, 4, 511]],
    ["scattered", 20_000, 25, { scale: 1000, depth: 0 }, [64321.585199351764, 7, 59_619]],
    ["scattered", 20_000, 25, { scale: 20, depth: 3 }, [62039.6664564736, 10, 59_619]],
    ["scattered", 4096, 3, { scale: 100, depth: 1, floor: 40_000 }, [62_829, 11, 62_929]],
    ["scattered", 4096, 3, { scale: 5000, depth: 1, floor: 40_000 }, [69434.61056078892, 4, 62_929]],
    ["scattered", 4000, 400, { scale: 300, depth: 1 }, [51664.76979696475, 4, 215]],
    ["scattered", 20_000, 1000, { scale: 50, depth: 1 }, [57649.73024953509, 5, 97]],
    ["scattered", 4096, 100, { scale: 50, depth: 1, floor: 60_000 }, [60_000, 6, 996]],
    ["scattered", 4096, 256, { scale: 50, depth: 4 }, [53523.39701784687, 4, 249]],
    ["scattered", 4096, 256, { scale: 50_000, depth: 0.5 }, [157761.33332382215, 3, 249]],
    ["equal", 3000, 10, { scale: 2, depth: 3 }, [14.294346422741064, 6, 5]],
    ["of two levels", 10_000, 20, { scale: 5, depth: 1 }, [27.241908475231245, 7, 0]],
    ["steep", 5000, 8, { scale: 30, depth: 2 }, [6742, 10, 6802]],
    ["scattered", 200_000, 1, { scale: 1e6, depth: 2 }, [9752297.79761744, 14, 65_436]],
    ["scattered", 1_000_000, 1, { scale: 3, depth: 2 }, [65_469, 20, 65_475]],
    ["scattered", 1e9, 1, { scale: 3, depth: 2 }, [65_370, 20, 65_376]],
  ])("of scores that are %s, %d of them for %d places", (shape, length, places, circumstances, pinned) => {
    const scores = { length, at: SHAPES[shape] } as unknown as ScoreReader;
    const { cut, zeros, level } = firstCut(scores, places, circumstances);
    expect([zeros, level]).toEqual(pinned.slice(1));
    expect(cut).toBeCloseTo(pinned[0], 6);
  });
});
