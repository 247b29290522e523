import { expect, it } from "vitest";
import { seededEntropy } from "winnow-dp/testing";
import { AREAS, gapErrors, WINNERS } from "../../src/app/why/free-gap.js";

it("one draw has a lead for each winner but the last, and tells the true one", () => {
  // At such an ε the five largest come out in their order but for a chance below 10^−100.
  const { draw } = gapErrors("100");
  expect(draw.map(({ area }) => area)).toEqual(AREAS.slice(0, WINNERS - 1).map(([area]) => area));
  expect(draw.map(({ truth }) => truth)).toEqual([1070, 580, 410, 320]);
});

it("leads that come free are off by about k/ε, and by three times as much where they are measured", () => {
  // Means of 400 errors, whose deviation is about their size: 5 % for the mean, less than 8 % as neighbours share noise.
  const { free, paid } = gapErrors("0.1", seededEntropy("leads"));
  expect(Math.abs(free / 50 - 1)).toBeLessThan(0.5);
  expect(Math.abs(paid / 150 - 1)).toBeLessThan(0.5);
});
