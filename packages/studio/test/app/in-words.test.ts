import { expect, it } from "vitest";
import { deltaInWords, epsilonInWords } from "../../src/app/parts/in-words.js";

it.each([
  [0.1, /^Very strong\..*by a factor of at most 1\.11\.$/],
  [1, /^Strong\..*by a factor of at most 2\.72\.$/],
  [3, /^Moderate\..*by a factor of at most 20\.1\.$/],
  [6, /^Weak\..*by a factor of at most 404\.$/],
  [10, /^Very weak: little is promised\..*by a factor of at most 22,100\.$/],
  [undefined, /^Nothing can be promised without a number\.$/],
])("ε = %s is told in words", (epsilon, words) => {
  expect(epsilonInWords(epsilon, "the release")).toMatch(words);
});

it("says of what the promise is made", () => {
  expect(epsilonInWords(1, "all releases together")).toContain("all releases together can change the odds");
});

it.each([
  [1e-6, /^A chance of at most 1 in 1,000,000 that the promise above does not hold\./],
  [1e-5, /^A chance of at most 1 in 100,000 /],
  [0.5, /^A chance of at most 1 in 2 /],
  [0.6, /^A chance of at most 1 in 1 /],
  [1, /^A chance is a number between zero and one\.$/],
  [undefined, /^A chance is a number between zero and one\.$/],
])("δ = %s is told in words", (delta, words) => {
  expect(deltaInWords(delta)).toMatch(words);
});
