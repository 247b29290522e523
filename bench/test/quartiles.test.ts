import { expect, it } from "vitest";
import { quartiles } from "../src/quartiles.js";

it("quartiles of five values are the second, third and fourth", () => {
  expect(quartiles([5, 1, 4, 2, 3])).toEqual({ lower: 2, median: 3, upper: 4 });
});

it("quartiles lie between neighbours where there is no middle", () => {
  expect(quartiles([1, 2, 3, 4])).toEqual({ lower: 1.75, median: 2.5, upper: 3.25 });
});

it("quartiles of one value are that value", () => {
  expect(quartiles([7])).toEqual({ lower: 7, median: 7, upper: 7 });
});
