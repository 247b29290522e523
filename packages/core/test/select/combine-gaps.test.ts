import { describe, expect, it } from "vitest";
import { type Rational, rational } from "../../src/exact/rational.js";
import { combineGaps } from "../../src/select/combine-gaps.js";
import { vectors } from "../support/vectors.js";

const texts = (values: readonly Rational[]) => values.map(String);

describe("combineGaps", () => {
  it.each(vectors.blue)(
    "gives the estimates and the variance of the vectors: λ = $lambda_var_ratio",
    (vector) => {
      const { measurements, gaps, lambda_var_ratio: varianceRatio } = vector;
      const combined = combineGaps(measurements, gaps, { varianceRatio });
      expect(combined.estimates).toEqual(vector.estimates.map((estimate) => rational(estimate)));
      expect(combined.relativeVariance).toEqual(rational(vector.variance_ratio));
    },
  );

  it("does not use the gap of the last winner, and takes it or leaves it", () => {
    const options = { varianceRatio: "1/2" };
    const with3 = combineGaps([10, 8, 3], [1, 4, 99], options);
    expect(with3).toEqual(combineGaps([10, 8, 3], [1, 4], options));
  });

  it("adds half a resolution to gaps that were rounded down", () => {
    const floored = combineGaps([10, 8, 3], [1, 4], { varianceRatio: 2, resolution: "1/2" });
    expect(floored).toEqual(combineGaps([10, 8, 3], ["5/4", "17/4"], { varianceRatio: 2 }));
  });

  it("of one winner is its measurement, and of exact gaps has 1/k of the variance", () => {
    expect(combineGaps(["7/3"], [5], { varianceRatio: 2 })).toEqual({
      estimates: [rational("7/3")],
      relativeVariance: rational(1),
    });
    const { estimates, relativeVariance } = combineGaps([10, 5, 0], [1, 1], { varianceRatio: 0 });
    expect([texts(estimates), String(relativeVariance)]).toEqual([["6", "5", "4"], "1/3"]);
  });

  it("has the figures of half a budget for each, in five winners: 0.733 general, 0.467 monotone", () => {
    const five = [0, 0, 0, 0, 0];
    const ratio = (varianceRatio: string) =>
      String(combineGaps(five, five, { varianceRatio }).relativeVariance);
    expect([ratio("2"), ratio("1/2")]).toEqual(["11/15", "7/15"]);
  });

  it.each([
    [[], [], {}, "measurements must be a list of at least one"],
    [[1, 2], [], {}, "gaps must be a list of 2 or 1 for 2 measurements"],
    [[1, 2], [1, 2, 3], {}, "gaps must be a list of 2 or 1 for 2 measurements"],
    [[1, 2], [1], { varianceRatio: -1 }, "varianceRatio must be a rational >= 0; got -1"],
    [[1, 2], [1], { resolution: -1 }, "resolution must be a rational >= 0; got -1"],
    [[1, Number.NaN], [1], {}, "measurements must be a rational number"],
    [[1, 2], [Number.NaN], {}, "gaps must be a rational number"],
    [7 as never, [1], {}, /^measurements must be /],
    [[1, 2], 7 as never, {}, /^gaps must be /],
  ])("refuses measurements %o with gaps %o and %o", (measurements, gaps, options, message) => {
    expect(() => combineGaps(measurements, gaps, { varianceRatio: 1, ...options })).toThrow(message);
  });
});
