import { describe, expect, it } from "vitest";
import { Interval } from "../../core/src/exact/interval.js";
import { rational } from "../../core/src/exact/rational.js";
import type { LimitedNoise } from "../../core/src/unknown/limited-threshold.js";
import { makeLimitedTopK } from "../../core/src/unknown/limited-top-k.js";
import { allHistograms } from "../src/claims/check-claim.js";
import { named, withOneJoining } from "../src/claims/unknown-claims.js";
import type { Law } from "../src/laws/law.js";
import { limitedTopKLaw } from "../src/laws/unknown-laws.js";
import { hockeyStick } from "../src/likelihood-ratio.js";

type Counts = readonly number[];

/** Winners and the ⊥ that ended the list. */
const roundsOf = (outcome: string) =>
  outcome.split(",").filter((name) => name.replace(".", "") !== "").length + (outcome.endsWith(".") ? 1 : 0);

/** The law of all answers of an analyst who goes on until all rounds are charged, always asking for as much as fits. */
function transcripts(
  counts: Counts,
  noise: LimitedNoise,
  {
    rounds,
    most,
    height,
    isStopFree,
  }: { rounds: number; most: number; height: number; isStopFree?: boolean },
  runs: number,
): Map<string, Interval> {
  const law = new Map<string, Interval>();
  const walk = (path: string, left: number, run: number, probability: Interval): void => {
    if (left === 0 || run === runs) {
      law.set(path, law.get(path)?.plus(probability) ?? probability);
      return;
    }
    const k = Math.min(left, most);
    const question = { k, maxCandidates: 2, noise, scale: 1, height, precision: 160 };
    for (const [outcome, p] of limitedTopKLaw(named(counts), question)) {
      const charged = roundsOf(outcome) - (isStopFree && outcome.endsWith(".") ? 1 : 0);
      walk(`${path}|${outcome}`, left - charged, run + 1, probability.times(p));
    }
  };
  walk("", rounds, 0, Interval.from(1, 160));
  return law;
}

describe.each(["gumbel", "exponential"] as const)("Paying for rounds only, %s noise", (noise) => {
  it("keeps the limit, whatever the next question is: (rounds·r/scale, runs·δ)", () => {
    const [rounds, runs, threshold] = [3, 3, 2];
    const { failure } = makeLimitedTopK({ k: 2, maxCandidates: 2, noise, scale: 1, threshold });
    const laws = new Map<string, Law>();
    const lawOf = (counts: Counts) => {
      const law =
        laws.get(String(counts)) ??
        transcripts(counts, noise, { rounds, most: 2, height: 1 + threshold }, runs);
      laws.set(String(counts), law);
      return law;
    };
    let worst = 0;
    for (const counts of allHistograms(2, 4))
      for (const more of withOneJoining(counts, 2)) {
        const [here, there] = [lawOf(counts), lawOf(more)];
        for (const { most } of [hockeyStick(here, there, rounds), hockeyStick(there, here, rounds)])
          worst = Math.max(worst, most.dividedBy(failure.times(runs)).toNumber());
      }
    expect(worst).toBeLessThan(1 + 1e-12);
    expect(worst).toBeGreaterThan(0.3);
  });

  it("is not private if ⊥ is free: twenty times nothing says a lot", () => {
    const threshold = 14;
    const { failure } = makeLimitedTopK({ k: 1, maxCandidates: 2, noise, scale: 1, threshold });
    const [runs, height] = [20, 1 + threshold];
    const law = (count: number) =>
      transcripts([count], noise, { rounds: 1, most: 1, height, isStopFree: true }, runs);
    const { least } = hockeyStick(law(height - 2), law(height - 1), 1);
    expect(least.compare(rational(failure).times(runs * 1000))).toBe(1);
  });
});
