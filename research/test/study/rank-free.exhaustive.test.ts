import { describe, expect, it } from "vitest";
import { Reference } from "../../../packages/audit/src/reference-samplers.js";
import { caseOf, closedLaw, onGrid, vectorLaw } from "../../../packages/audit/test/laws/gap-outcomes.js";
import { replayEntropy } from "../../../packages/core/src/testing/replay-entropy.js";
import { expectLaw } from "../../../packages/core/test/support/expect-law.js";
import { vectors } from "../../../packages/core/test/support/vectors.js";
import { rankFree } from "../../src/study/rank-free.js";
import { byRanks, SMALL_CASES, treeOfBits, treeOfChoices } from "./gap-oracles.js";

describe("rankFree", () => {
  it.each(Object.values(SMALL_CASES))(
    "has the law of the closed form, to 0.001: scores $scores, k = $k",
    (of) => {
      const tree = treeOfChoices(byRanks, of, "1e-7");
      expectLaw({ tree, probabilities: closedLaw(onGrid(of)) });
      expect(tree.undecided.isBelow("0.001")).toBe(true);
    },
  );

  it.each([
    ["k=1 n=3 general", "1e-6", "0.01"],
    ["k=1 n=3 monotone", "1e-6", "0.002"],
    ["k=2 n=4 general", "1e-5", "0.12"],
    ["n=k+1, k=1", "1e-6", "0.001"],
    ["non-grid scores are floored to gamma first", "1e-5", "0.08"],
  ])("has the law of the vector %s, with smallest mass %s to %s", (name, smallestMass, undecided) => {
    const vector = vectors.noisy_topk_gap.find((candidate) => candidate.name === name)!;
    const tree = treeOfChoices(byRanks, caseOf(vector), smallestMass);
    expectLaw({ tree, probabilities: vectorLaw(vector) });
    expect(tree.undecided.isBelow(undecided)).toBe(true);
  });

  it("has its law over all bits, to 0.09", () => {
    const tree = treeOfBits(byRanks, SMALL_CASES.two, 16);
    expectLaw({ tree, probabilities: closedLaw(SMALL_CASES.two) });
    expect(tree.undecided.compare("0.09")).toBe(-1);
  });

  it.each([
    [[1, 2], { k: 2 }, "k must be an integer below the number of candidates; got 2"],
    [[1, 2], { k: 0 }, "k must be an integer >= 1; got 0"],
    [[1, 2], { k: 1, scale: 0 }, "scale must be a rational > 0; got 0"],
    [[1, 2], { k: 1, resolution: "-1" }, 'resolution must be a rational > 0; got "-1"'],
    [[1, Number.NaN], { k: 1 }, "score must be a rational number"],
  ])("refuses scores %o with %o before a bit is drawn", (scores, options, message) => {
    const reference = new Reference(replayEntropy(""));
    expect(() => rankFree(scores, { scale: 1, resolution: 1, ...options }, reference)).toThrow(message);
  });
});
