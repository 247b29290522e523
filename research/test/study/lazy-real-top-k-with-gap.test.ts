import { describe, expect, it } from "vitest";
import { Reference } from "../../../packages/audit/src/reference-samplers.js";
import { closedLaw } from "../../../packages/audit/test/laws/gap-outcomes.js";
import { replayEntropy } from "../../../packages/core/src/testing/replay-entropy.js";
import { expectLaw } from "../../../packages/core/test/support/expect-law.js";
import { lazyRealTopKWithGap } from "../../src/study/paper-top-k-with-gap.js";
import { byLazyReals, SMALL_CASES, treeOfBits } from "./gap-oracles.js";

describe("lazyRealTopKWithGap", () => {
  it("has the law of the closed form over all bits, to 0.66", () => {
    const tree = treeOfBits(byLazyReals, SMALL_CASES.two, 16);
    expectLaw({ tree, probabilities: closedLaw(SMALL_CASES.two) });
    expect(tree.undecided.compare("0.66")).toBe(-1);
  });

  it("refuses a k that leaves nobody to lead before a bit is drawn", () => {
    const reference = new Reference(replayEntropy(""));
    expect(() => lazyRealTopKWithGap([1], { k: 1, scale: 1, resolution: 1 }, reference)).toThrow(
      "k must be an integer below the number of candidates; got 1",
    );
  });
});
