import { describe, expect, it } from "vitest";
import { neighboursOf } from "../src/likelihood-ratio.js";

const texts = (lists: ReturnType<typeof neighboursOf>) => lists.map(String);

describe("neighboursOf", () => {
  it("moves each score up, down or not at all", () => {
    expect(texts(neighboursOf([5, 0]))).toEqual([
      "4,-1",
      "4,0",
      "4,1",
      "5,-1",
      "5,0",
      "5,1",
      "6,-1",
      "6,0",
      "6,1",
    ]);
  });

  it("moves them all up or not at all, if monotone", () => {
    expect(texts(neighboursOf([5, 0], { monotone: true }))).toEqual(["5,0", "5,1", "6,0", "6,1"]);
  });

  it("moves them by the sensitivity", () => {
    expect(texts(neighboursOf(["1/3"], { sensitivity: "1/2" }))).toEqual(["-1/6", "1/3", "5/6"]);
    expect(() => neighboursOf([1], { sensitivity: 0 })).toThrow("sensitivity must be a rational > 0; got 0");
  });

  it("has 3^n or 2^n of them", () => {
    expect(neighboursOf([0, 0, 0, 0])).toHaveLength(81);
    expect(neighboursOf([0, 0, 0, 0], { monotone: true })).toHaveLength(16);
  });
});
