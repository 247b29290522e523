import { describe, expect, it } from "vitest";
import {
  answersOf,
  exactLawOfAnswers,
  lawOfAnswers,
  parameterOf,
  vectors,
} from "../../../core/test/support/more-vectors.js";
import { aboveThresholdLaw, base2AboveThresholdLaw } from "../../src/laws/threshold-laws.js";
import { expectEnclosed } from "../expect-enclosed.js";

type Noise = "exponential" | "laplace";

describe("aboveThresholdLaw", () => {
  it.each(vectors.above_threshold)("has all digits of the reference law: $name", (vector) => {
    const law = aboveThresholdLaw(vector.queries, {
      noise: vector.noise as Noise,
      thresholds: vector.thresholds,
      thresholdScale: vector.threshold_scale,
      queryScale: vector.query_scale,
      maxAbove: vector.count,
      resolution: vector.resolution ?? undefined,
      largestGap: vector.gap_bins || undefined,
    });
    expectEnclosed(law, lawOfAnswers(vector.outcomes));
  });

  it.each(vectors.above_threshold_adaptive)("has all digits of the reference law: $name", (vector) => {
    const law = aboveThresholdLaw(vector.queries, {
      thresholds: vector.thresholds,
      thresholdScale: vector.threshold_scale,
      queryScale: vector.levels.at(-1)!.scale,
      levels: vector.levels.map(({ sigma, cost }) => ({ margin: sigma, share: cost })),
      resolution: vector.resolution,
      largestGap: vector.gap_bins,
    });
    expectEnclosed(law, lawOfAnswers(vector.outcomes, true));
  });

  it("has probabilities that add up to 1", () => {
    const law = aboveThresholdLaw(["1/3", 2, "-1/7"], {
      ...{ thresholdScale: "3/2", queryScale: "5/7", maxAbove: 2, resolution: "1/3", largestGap: 3 },
    });
    const sum = [...law.values()].reduce((a, b) => a.plus(b));
    expect(sum.contains(1)).toBe(true);
    expect(sum.upper().minus(sum.lower()).compare("1e-45")).toBe(-1);
  });
});

describe("base2AboveThresholdLaw", () => {
  it.each(vectors.above_threshold_base2)("has the reference rationals: $name", (vector) => {
    const law = base2AboveThresholdLaw(vector.queries, {
      thresholds: vector.thresholds,
      thresholdEta: parameterOf(vector.eta_threshold),
      queryEta: parameterOf(vector.eta_query),
      maxAbove: vector.count,
      largestGap: vector.gap_cap,
    });
    expectEnclosed(law, exactLawOfAnswers(vector.outcomes, vector.gap_cap));
  });

  it("names answers as the vectors do", () => {
    expect(answersOf(["below", { above: [1, ">=2"] }], true)).toBe("below, above at 1 by >=2");
  });
});
