import { describe, expect, it } from "vitest";
import { reportNoisyMax } from "../../src/select/report-noisy-max.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { expectLaw } from "../support/expect-law.js";
import { exponentialLaw, gumbelLaw, laplaceLaw, lawOf, type NoisyMaxLaw } from "./noisy-max-laws.js";

const LAWS: readonly { noise: "exponential" | "gumbel" | "laplace"; law: NoisyMaxLaw }[] = [
  { noise: "exponential", law: exponentialLaw },
  { noise: "gumbel", law: gumbelLaw },
  { noise: "laplace", law: laplaceLaw },
];

describe.each(LAWS)("The law of reportNoisyMax with $noise noise, by bit tree", ({ noise, law }) => {
  it.each([
    { scores: [1, 0], scale: "2", depth: 13, wordBits: 1, undecided: "0.04" },
    { scores: [0.25, 0.5], scale: "1/3", depth: 14, wordBits: 2, undecided: "0.06" },
    { scores: [-7n, 3n], scale: "5", depth: 16, wordBits: 4, undecided: "0.02" },
  ])(
    "is that of two candidates with scores $scores and scale $scale, in words of $wordBits bits",
    ({ scores, scale, undecided, ...options }) => {
      const tree = bitTree((entropy) => reportNoisyMax(scores, { noise, scale, entropy }).candidate, options);
      expectLaw({ tree, probabilities: lawOf(law(scores, scale)) });
      expect(tree.undecided.compare(undecided)).toBe(-1);
    },
  );

  it("is that of the negated scores where the smallest is asked for", () => {
    const tree = bitTree(
      (entropy) => reportNoisyMax([2, 1], { noise, scale: 1, negate: true, entropy }).candidate,
      { depth: 12 },
    );
    expectLaw({ tree, probabilities: lawOf(law([-2, -1], 1)) });
  });
});

describe.each(LAWS.slice(0, 2))(
  "The law of reportNoisyMax with $noise noise, by bit tree",
  ({ noise, law }) => {
    it("is that of three candidates", () => {
      const scores = [1, 0, 2];
      const tree = bitTree((entropy) => reportNoisyMax(scores, { noise, scale: 2, entropy }).candidate, {
        depth: 15,
        wordBits: 3,
      });
      expectLaw({ tree, probabilities: lawOf(law(scores, 2)) });
      expect(tree.undecided.compare("0.11")).toBe(-1);
    });
  },
);
