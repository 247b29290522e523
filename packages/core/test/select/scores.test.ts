import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { exactScore, ScoreReader, type Scores } from "../../src/select/scores.js";

/** All scores of a reader as its blocks have them. */
function scanned(reader: ScoreReader): number[] {
  const all: number[] = [];
  while (all.length < reader.length) for (const score of reader.block(all.length)) all.push(score);
  return all;
}

const SMALL = [3, 0, 255, 17];
const CONTAINERS: readonly (readonly [kind: string, scores: Scores])[] = [
  ["Float64Array", Float64Array.from(SMALL)],
  ["Float32Array", Float32Array.from(SMALL)],
  ["Int32Array", Int32Array.from(SMALL)],
  ["Uint32Array", Uint32Array.from(SMALL)],
  ["Int16Array", Int16Array.from(SMALL)],
  ["Uint16Array", Uint16Array.from(SMALL)],
  ["Uint8Array", Uint8Array.from(SMALL)],
  ["Uint8ClampedArray", Uint8ClampedArray.from(SMALL)],
  ["BigInt64Array", BigInt64Array.from(SMALL.map(BigInt))],
  ["BigUint64Array", BigUint64Array.from(SMALL.map(BigInt))],
  ["Array of numbers", SMALL],
  ["Array of bigints", SMALL.map(BigInt)],
  ["array-like object", { length: 4, 0: 3, 1: 0n, 2: 255, 3: 17n }],
];

describe("A reader of scores", () => {
  it.each(CONTAINERS)("reads a %s", (_, scores) => {
    const reader = new ScoreReader(scores);
    expect(reader.length).toBe(4);
    expect(scanned(reader)).toEqual(SMALL);
    expect(SMALL.map((_, index) => reader.at(index))).toEqual(SMALL);
    expect(SMALL.map((_, index) => reader.exact(index))).toEqual(SMALL);
  });

  it.each(CONTAINERS)("negates a %s and leaves it as it is", (_, scores) => {
    const reader = new ScoreReader(scores, { negate: true });
    expect(scanned(reader).map((score) => 0 - score)).toEqual(SMALL);
    expect(SMALL.map((_, index) => 0 - reader.at(index))).toEqual(SMALL);
    expect(SMALL.map((_, index) => 0 - Number(reader.exact(index)))).toEqual(SMALL);
    expect([...Array.from(scores, Number)]).toEqual(SMALL);
  });

  it("reads arrays that are longer than a block, the same way by block and by index", () => {
    const scores = Array.from({ length: 200_001 }, (_, index) => (index * 7919) % 100_003);
    for (const container of [scores, Float64Array.from(scores), Int32Array.from(scores)]) {
      const reader = new ScoreReader(container);
      expect(scanned(reader)).toEqual(scores);
      expect(reader.at(150_000)).toBe(scores[150_000]);
    }
  });

  it("rounds a bigint to the nearest double to scan by, and knows it exactly", () => {
    const score = 10n ** 30n + 1n;
    const reader = new ScoreReader([score, -score]);
    expect(scanned(reader)).toEqual([1e30, -1e30]);
    expect(reader.exact(0)).toEqual(rational(score));
    expect(reader.exact(1)).toEqual(rational(-score));
  });
});

describe("An exact score", () => {
  it("is the number itself where nothing is floored: the decimal that it prints as", () => {
    expect(exactScore(0.1, undefined)).toBe(0.1);
    expect(exactScore(-2.5, undefined)).toBe(-2.5);
    expect(exactScore(1.5e300, undefined)).toBe(1.5e300);
  });

  it("is a number for a bigint that is a safe integer, and else a rational", () => {
    expect(exactScore(2n ** 53n - 1n, undefined)).toBe(Number.MAX_SAFE_INTEGER);
    expect(exactScore(2n ** 53n + 1n, undefined)).toEqual(rational(2n ** 53n + 1n));
    expect(exactScore(-(2n ** 53n) - 1n, 10n)).toEqual(rational(-(2n ** 53n) - 1n));
  });

  it.each([
    [2.7, 1n, "2"],
    [-2.7, 1n, "-3"],
    [0.3, 10n, "0.3"], // the decimal 0.3, although the double is below it
    [-0.3, 10n, "-0.3"],
    [0.35, 10n, "0.3"],
    [-0.35, 10n, "-0.4"],
    [1 / 3, 3n, "0"], // 0.3333333333333333 is below a third
    [2 / 3, 3n, "1/3"], // and 0.6666666666666666 below two thirds
    [7 / 3, 4n, "9/4"],
    [-7 / 3, 4n, "-10/4"],
    [5e-324, 10n ** 324n, "5e-324"],
    [-5e-324, 1n, "-1"],
    [1e15 + 0.5, 2n, "1000000000000000.5"],
  ])("of %d is floored to a multiple of 1/%d: %s", (score, grid, floored) => {
    expect(rational(exactScore(score, grid))).toEqual(rational(floored));
  });

  it.each([0, 1, -1, 2 ** 53, -(2 ** 60), 1e300, 10n ** 30n, -(10n ** 30n)])(
    "of the integer %d stays what it is on any grid",
    (score) => {
      for (const grid of [1n, 3n, 10n ** 30n])
        expect(rational(exactScore(score, grid))).toEqual(rational(score));
    },
  );
});
