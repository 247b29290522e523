import { describe, expect, it } from "vitest";
import { Reference } from "../../../packages/audit/src/reference-samplers.js";
import { caseOf, closedLaw, onGrid, vectorLaw } from "../../../packages/audit/test/laws/gap-outcomes.js";
import { replayEntropy } from "../../../packages/core/src/testing/replay-entropy.js";
import { expectLaw } from "../../../packages/core/test/support/expect-law.js";
import { vectors } from "../../../packages/core/test/support/vectors.js";
import { paperTopKWithGap } from "../../src/study/paper-top-k-with-gap.js";
import {
  byRefinement,
  type GapOracle,
  optionsOf,
  SMALL_CASES,
  treeOfBits,
  treeOfChoices,
} from "./gap-oracles.js";

const { two, three, allRanked, fractions } = SMALL_CASES;

describe("paperTopKWithGap", () => {
  it.each([
    { of: two, refinement: 2n, smallestMass: "1e-7", undecided: 0.0003 },
    { of: two, refinement: 3n, smallestMass: "1e-6", undecided: 0.001 },
    { of: three, refinement: 2n, smallestMass: "1e-5", undecided: 0.05 },
    { of: allRanked, refinement: 2n, smallestMass: "1e-5", undecided: 0.1 },
    { of: fractions, refinement: 2n, smallestMass: "1e-6", undecided: 0.002 },
  ])(
    "has the law of the closed form to $undecided: scores $of.scores, k = $of.k, M = $refinement",
    (check) => {
      const tree = treeOfChoices(byRefinement(check.refinement), check.of, check.smallestMass);
      expectLaw({ tree, probabilities: closedLaw(onGrid(check.of)) });
      expect(tree.undecided.isBelow(check.undecided)).toBe(true);
    },
  );

  it("has the same law without pruning", () => {
    const unpruned: GapOracle = (of, reference) =>
      paperTopKWithGap(of.scores, { ...optionsOf(of), refinement: 2n, prune: false }, reference);
    const tree = treeOfChoices(unpruned, three, "1e-5");
    expectLaw({ tree, probabilities: closedLaw(three) });
    expect(tree.undecided.isBelow(0.1)).toBe(true);
  });

  it.each([
    ["k=1 n=3 monotone", "0.04"],
    ["n=k+1, k=1", "0.009"],
  ])("has the law of the vector %s to %s", (name, undecided) => {
    const vector = vectors.noisy_topk_gap.find((candidate) => candidate.name === name)!;
    const tree = treeOfChoices(byRefinement(2n), caseOf(vector), "1e-5");
    expectLaw({ tree, probabilities: vectorLaw(vector) });
    expect(tree.undecided.isBelow(undecided)).toBe(true);
  });

  it("has its law over all bits, to 0.17", () => {
    const tree = treeOfBits(byRefinement(2n), two, 16);
    expectLaw({ tree, probabilities: closedLaw(two) });
    expect(tree.undecided.compare("0.17")).toBe(-1);
  });

  it.each([
    [{ k: 2 }, "k must be an integer below the number of candidates; got 2"],
    [{ k: 1, refinement: 1n }, "refinement must be an integer >= 2; got 1n"],
  ])("refuses %o before a bit is drawn", (options, message) => {
    const reference = new Reference(replayEntropy(""));
    expect(() => paperTopKWithGap([1, 2], { scale: 1, resolution: 1, ...options }, reference)).toThrow(
      message,
    );
  });
});
