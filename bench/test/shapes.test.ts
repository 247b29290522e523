import { describe, expect, it } from "vitest";
import { OTHER_SHAPES, zipf, zipfAscending, zipfDescending } from "../src/shapes.js";

const N = 1000;

describe("score shapes", () => {
  it.each([["zipf", zipf] as const, ...Object.entries(OTHER_SHAPES)])(
    "%s gives n safe integers, the same ones every time",
    (_, shape) => {
      const scores = shape(N);
      expect(scores).toHaveLength(N);
      expect(scores.every(Number.isSafeInteger)).toBe(true);
      expect(shape(N)).toEqual(scores);
    },
  );

  it("the three orders of Zipf hold the same scores", () => {
    expect(zipf(N).sort()).toEqual(zipfAscending(N));
    expect(zipfDescending(N).reverse()).toEqual(zipfAscending(N));
    expect(zipfDescending(N)[0]).toBe(15 * N);
  });

  it("one giant is one", () => {
    expect(OTHER_SHAPES["one giant"](N).filter((score) => score > 9)).toEqual(Float64Array.of(1e9));
  });

  it("ascending, descending and negative are what they say", () => {
    expect(OTHER_SHAPES.ascending(N)).toEqual(OTHER_SHAPES.ascending(N).sort());
    expect(OTHER_SHAPES.descending(N).reverse()).toEqual(OTHER_SHAPES.descending(N).sort());
    expect(OTHER_SHAPES.negative(N).every((score) => score < 0)).toBe(true);
  });
});
