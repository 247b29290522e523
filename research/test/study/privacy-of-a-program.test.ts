import { describe, expect, it } from "vitest";
import { lawOf, likelihoodRatio, neighboursOf } from "winnow-audit";
import { type Rational, rational } from "winnow-dp";
import { byRanks, SMALL_CASES, treeOfChoices } from "./gap-oracles.js";

describe("the law of a program", () => {
  it("proves its loss without a formula: rankFree has its ε and no more, to 0.002", () => {
    const { scores, ...options } = SMALL_CASES.two;
    const lawAt = (of: readonly Rational[]) =>
      lawOf(treeOfChoices(byRanks, { ...options, scale: 2, largestGap: 2, scores: of }, "1e-9"));
    const { least, most } = likelihoodRatio(
      lawAt(scores.map((score) => rational(score))),
      neighboursOf(scores).map(lawAt),
    );
    expect((least as Rational).toNumber()).toBeGreaterThan(0.998);
    expect((most as Rational).toNumber()).toBeLessThan(1.002);
  });
});
