import { expect, it } from "vitest";
import { deltaInWords, epsilonInWords } from "../../src/app/parts/in-words.js";

it.each([
  [0.1, /^Very strong\..*by a factor of at most 1\.11\.$/],
  [1, /^Strong\..*by a factor of at most 2\.72\.$/],
  [3, /^Moderate\..*by a factor of at most 20\.1\.$/],
  [6, /^Weak\..*by a factor of at most 404\.$/],
  [10, /^Very weak\..*by a factor of at most 22,100\.$/],
  [undefined, /^Enter a number greater than 0\.$/],
])("ε = %s is told in words", (epsilon, words) => {
  expect(epsilonInWords(epsilon, "the release")).toMatch(words);
});

it("says of what the promise is made", () => {
  expect(epsilonInWords(1, "all releases together")).toContain("all releases together can change the odds");
});

it.each([
  [1e-6, /^The promise holds except with a chance of at most 1 in 1,000,000\./],
  [1e-5, /at most 1 in 100,000\./],
  [0.5, /at most 1 in 2\./],
  [0.6, /at most 1 in 1\./],
  [1e-300, /at most 1 in 10\^\d{3}\./],
  [1, /^Enter a number between 0 and 1\.$/],
  [undefined, /^Enter a number between 0 and 1\.$/],
])("δ = %s is told in words", (delta, words) => {
  expect(deltaInWords(delta)).toMatch(words);
});
