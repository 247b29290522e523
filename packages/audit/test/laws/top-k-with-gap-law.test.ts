import { describe, expect, it } from "vitest";
import { vectors } from "../../../core/test/support/vectors.js";
import { topKWithGapLaw } from "../../src/laws/top-k-laws.js";
import { expectEnclosed } from "../expect-enclosed.js";
import { caseOf, onGrid, vectorLaw } from "./gap-outcomes.js";

describe("topKWithGapLaw", () => {
  it.each(vectors.noisy_topk_gap)("is that of the vectors: $name", (vector) => {
    const { scores, ...options } = onGrid(caseOf(vector));
    expectEnclosed(topKWithGapLaw(scores, options), vectorLaw(vector));
  });

  it("of gaps that are not told apart is the law of the order", () => {
    const [vector] = vectors.exp_oneshot_topk;
    const law = topKWithGapLaw(vector.scores, {
      k: vector.k,
      scale: vector.scale,
      resolution: "3/7",
      largestGap: 0,
    });
    expectEnclosed(
      law,
      Object.fromEntries(vector.outcomes.map(({ indices, prob }) => [`${indices} by >=0,>=0`, prob])),
    );
  });

  it("keeps fractions as they are: the vector of the published grid is another law", () => {
    const vector = vectors.noisy_topk_gap.find(({ name }) => name.startsWith("non-grid"))!;
    const { scores, ...options } = caseOf(vector);
    const distance = [...topKWithGapLaw(scores, options)]
      .map(([outcome, { lo, precision }]) =>
        Math.abs(Number(lo) / 2 ** precision - Number(vectorLaw(vector)[outcome])),
      )
      .reduce((a, b) => a + b);
    expect(distance).toBeGreaterThan(0.01);
    // P(1 wins by at least a whole) for scores 0.1 and 0.9 and noise of scale 1 is e^−0.2/2, as of 0 and 0.8.
    const law = topKWithGapLaw(["0.1", "0.9"], { k: 1, scale: 1, resolution: 1, largestGap: 1 });
    expect(law.get("1 by >=1")!.toNumber("down")).toBeCloseTo(Math.exp(-0.2) / 2, 15);
  });

  it("keeps integer scores as they are, whatever the resolution", () => {
    const options = { k: 1, scale: 1, largestGap: 3 };
    const law = topKWithGapLaw([2, 0], { ...options, resolution: "3/2" });
    // P(gap of 0 ≥ 3) = P(2 − 3 + E > E'), and with scores floored to 3/2 it would be P(3/2 − 3 + E > E').
    const atLeastTwo = [...law].filter(([outcome]) => ["0 by 2", "0 by >=3"].includes(outcome));
    const sum = atLeastTwo.map(([, probability]) => probability).reduce((a, b) => a.plus(b));
    expect(sum.toNumber("down")).toBeCloseTo(Math.exp(-1) / 2, 15);
  });

  it.each([
    [{ k: 2, resolution: 1, largestGap: 1 }, "k must be an integer from 1 to 1; got 2"],
    [{ k: 1, resolution: 0, largestGap: 1 }, "resolution must be a rational > 0; got 0"],
    [{ k: 1, resolution: 1, largestGap: -1 }, "largestGap must be an integer >= 0; got -1"],
  ])("refuses %o", (options, message) => {
    expect(() => topKWithGapLaw([1, 2], { scale: 1, ...options })).toThrow(message);
  });
});
