import { describe, expect, it } from "vitest";
import { vectors } from "../../../core/test/support/vectors.js";
import { exponentialTopKLaw, ordersOf } from "../../src/laws/top-k-laws.js";
import { expectEnclosed } from "../expect-enclosed.js";

describe("exponentialTopKLaw", () => {
  it.each(vectors.exp_oneshot_topk)("is that of the vectors for scores $scores, k = $k", (vector) => {
    const law = exponentialTopKLaw(vector.scores, { k: vector.k, scale: vector.scale });
    expectEnclosed(
      law,
      Object.fromEntries(vector.outcomes.map(({ indices, prob }) => [String(indices), prob])),
    );
  });

  it.each(vectors.permute_and_flip)("of one winner is permute-and-flip for scores $scores", (vector) => {
    const law = exponentialTopKLaw(vector.scores, { k: 1, scale: vector.scale });
    expectEnclosed(law, Object.fromEntries(vector.probs.map((prob, index) => [String(index), prob])));
  });

  it("of all n candidates orders them", () => {
    const law = exponentialTopKLaw([0, 0, 0], { k: 3, scale: "1/7" });
    expectEnclosed(
      law,
      Object.fromEntries([...ordersOf([0, 1, 2], 3)].map((order) => [String(order), "1/6"])),
    );
  });

  it.each([
    [{ k: 0, scale: 1 }, "k must be an integer >= 1; got 0"],
    [{ k: 3, scale: 1 }, "k must be an integer from 1 to 2; got 3"],
    [{ k: 1, scale: 0 }, "scale must be a rational > 0; got 0"],
    [{ k: 1, scale: 1, precision: 0.5 }, "precision must be an integer >= 1; got 0.5"],
  ])("refuses %o", (options, message) => {
    expect(() => exponentialTopKLaw([1, 2], options)).toThrow(message);
  });

  it("refuses a score that is no number without naming it", () => {
    expect(() => exponentialTopKLaw([1, Number.NaN], { k: 1, scale: 1 })).toThrow(
      "scores must be finite numbers or rationals",
    );
  });
});
