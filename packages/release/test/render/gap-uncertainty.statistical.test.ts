import { describe, expect, it } from "vitest";
import { makeNoisyTopK, rational } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { gapUncertainty, type Question } from "../../src/index.js";
import { mechanismOf } from "../../src/mechanisms/of-question.js";
import { gapInterval } from "../../src/render/answer-rows.js";
import { ask, listed } from "../support/ask.js";

/** The published interval of a gap covers the true lead as often as it says, whoever is close to whom. */

const uncertaintyOf = (question: Question) => gapUncertainty({ question, mechanism: mechanismOf(question) });

const RUNS = 2_000;
const K = 3;

interface Coverage {
  /** The share of runs in which the true lead is below, inside and above the interval, rank by rank. */
  readonly below: number[];
  readonly above: number[];
}

/** One place more than asked for, at the same scale: the first k winners and gaps have the same law, and the next is known. */
function coverage(scores: number[], shrunk = 1): Coverage {
  const question = ask({ k: K, domain: listed(scores.length), epsilon: 1 });
  const uncertainty = uncertaintyOf(question);
  if (uncertainty === undefined) throw new Error("gaps were expected");
  const [below, above] = [uncertainty.below, uncertainty.above].map((end) => end.times(rational(shrunk)));
  const mechanism = makeNoisyTopK({
    k: K + 1,
    measure: "pure",
    scale: mechanismOf(question).parameters.scale,
    resolution: 1,
  });
  const entropy = seededEntropy(`coverage of ${scores.slice(0, 10)}`);
  const misses = { below: [0, 0, 0], above: [0, 0, 0] };
  for (let run = 0; run < RUNS; run++) {
    const { winners } = mechanism.invoke(scores, entropy);
    for (let rank = 0; rank < K; rank++) {
      const lead = Math.max(0, scores[winners[rank].candidate] - scores[winners[rank + 1].candidate]);
      const { low, high } = gapInterval(String(winners[rank].gap), { ...uncertainty, below, above });
      if (low.compare(lead) > 0) misses.below[rank]++;
      if (high.compare(lead) < 0) misses.above[rank]++;
    }
  }
  return {
    below: misses.below.map((count) => count / RUNS),
    above: misses.above.map((count) => count / RUNS),
  };
}

/** 5 %, and five standard deviations of what 2,000 runs may show. */
const MOST = 0.05 + 5 * Math.sqrt((0.05 * 0.95) / RUNS);

describe("the interval of a gap", () => {
  it.each([
    ["all candidates are equal", Array.from({ length: 40 }, () => 50)],
    ["each leads clearly", [900, 700, 500, 300, 100]],
    ["one leads and all others are equal", [300, ...Array.from({ length: 100 }, () => 0)]],
    ["each leads by about the noise", [30, 26, 22, 18, 14, 10, 6, 2]],
    ["two levels, the lower one crowded", [40, 40, 40, ...Array.from({ length: 200 }, () => 20)]],
    ["there are hardly more candidates than winners", [8, 5, 3, 0, 0]],
  ])("misses the true lead on each side at most one time in twenty where %s", (_, scores) => {
    const { below, above } = coverage(scores);
    expect(Math.max(...below)).toBeLessThan(MOST);
    expect(Math.max(...above)).toBeLessThan(MOST);
  });

  it("would miss it too often at half the width", () => {
    expect(Math.max(...coverage([900, 700, 500, 300, 100], 0.5).below)).toBeGreaterThan(MOST);
    expect(Math.max(...coverage([300, ...Array.from({ length: 100 }, () => 0)], 0.5).above)).toBeGreaterThan(
      MOST,
    );
  });

  it("has the standard deviation √2·scale of the noise between candidates that are far apart", () => {
    const scores = [9000, 7000, 5000, 3000, 1000];
    const question = ask({ k: K, domain: listed(5), epsilon: 1 });
    const { standardDeviation = 0 } = uncertaintyOf(question) ?? {};
    expect(standardDeviation).toBeCloseTo(Math.SQRT2 * 3, 12);
    const mechanism = makeNoisyTopK({
      k: K,
      measure: "pure",
      scale: mechanismOf(question).parameters.scale,
      resolution: "1/64",
    });
    const entropy = seededEntropy("standard deviation of a gap");
    let squares = 0;
    for (let run = 0; run < 5_000; run++) {
      const [{ gap = rational(0) }] = mechanism.invoke(scores, entropy).winners;
      squares += (gap.toNumber() - 2000) ** 2;
    }
    expect(Math.sqrt(squares / 5_000) / standardDeviation).toBeCloseTo(1, 1);
  });

  it("is not given where no gaps are released", () => {
    expect(uncertaintyOf(ask({ k: 1, domain: listed(3), rho: 1 }))).toBeUndefined();
  });
});
