import { describe, expect, it } from "vitest";
import { rhoAtMost } from "../../core/src/accounting/calibrate.js";
import type { LimitedNoise } from "../../core/src/discover/limited-threshold.js";
import { limitedFor, makeLimitedTopK } from "../../core/src/discover/limited-top-k.js";
import { Interval } from "../../core/src/exact/interval.js";
import { Rational, rational } from "../../core/src/exact/rational.js";
import { allHistograms } from "../src/claims/check-claim.js";
import { named, withOneJoining } from "../src/claims/unknown-claims.js";
import { type Law, leftOf, sideBySide } from "../src/laws/law.js";
import { discreteGaussianTail } from "../src/laws/stable-laws.js";
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

const [epsilon, delta] = [rational("3/2"), rational("1/100")];

type Price = (outcome: string) => Rational;

/** The largest excess over all pairs with one person more, in both directions, as a share of δ. */
function worstOf(inputs: readonly Counts[], lawOf: (counts: Counts) => Law, price: Price) {
  const laws = new Map<string, Law>();
  const law = (counts: Counts) => {
    const known = laws.get(String(counts)) ?? lawOf(counts);
    laws.set(String(counts), known);
    return known;
  };
  const found = { least: 0, most: 0 };
  for (const counts of inputs)
    for (const more of withOneJoining(counts, counts.length)) {
      const [here, there] = [law(counts), law(more)];
      for (const { least, most } of [excess(here, there, price), excess(there, here, price)]) {
        found.least = Math.max(found.least, least / delta.toNumber());
        found.most = Math.max(found.most, most / delta.toNumber());
      }
    }
  return found;
}

/** The sum of P(outcome) − e^price·P'(outcome) where that is positive, from below and, with what the law leaves of 1, from above. */
function excess(law: Law, other: Law, price: Price): { least: number; most: number } {
  const parts = [...sideBySide(law, other)].map(([outcome, here, there]) =>
    here.minus(there.times(Interval.from(price(outcome), here.precision).exp())),
  );
  const sum = (ends: Rational[]) =>
    ends.filter((end) => end.numerator > 0n).reduce((a, b) => a.plus(b), Rational.ZERO);
  return {
    least: sum(parts.map((part) => part.lower())).toNumber(),
    most: sum(parts.map((part) => part.upper()))
      .plus(leftOf(law))
      .toNumber(),
  };
}

describe("Paying for rounds of Gumbel noise that (ε, δ) calibrated", () => {
  const [k, maxCandidates] = [3, 3];
  const question = { k, maxCandidates, noise: "gumbel", epsilon, delta } as const;
  const { measurement } = limitedFor(question);
  const each = rational(1).dividedBy(measurement.scale);
  const height = Number(measurement.threshold) + 1;
  const lawOf = (counts: Counts) =>
    limitedTopKLaw(named(counts), {
      ...{ k, maxCandidates, noise: "gumbel", scale: measurement.scale, height, precision: 96 },
    });
  const inputs = [0, height - 2].flatMap((low) =>
    allHistograms(3, 3).map((counts) => counts.map((count) => count + low)),
  );
  const worst = (price: Price) => worstOf(inputs, lawOf, price);

  const atMostEpsilon = (price: Rational) => (price.compare(epsilon) < 0 ? price : epsilon);
  const byRounds = (outcome: string) => atMostEpsilon(each.times(roundsOf(outcome)));

  it("costs less than ε for some answers, and not for all", () => {
    expect(each.compare(epsilon)).toBe(-1);
    expect(each.times(k).compare(epsilon)).toBe(1);
  });

  it("keeps δ if an answer is charged its rounds, at most ε, and all of δ", () => {
    const found = worst(byRounds);
    expect(found.most).toBeLessThan(1);
    expect(found.least).toBeGreaterThan(0.4); // the half that ⊥ takes
  });

  it("does not if ⊥ is free, or if rounds cost a quarter less", () => {
    expect(
      worst((outcome) => atMostEpsilon(each.times(roundsOf(outcome) - (outcome.endsWith(".") ? 1 : 0))))
        .least,
    ).toBeGreaterThan(2);
    expect(worst((outcome) => byRounds(outcome).times("3/4")).least).toBeGreaterThan(1);
  });
});

describe("Paying for one name with a Gaussian count", () => {
  const rho = rhoAtMost({ epsilon, delta: delta.dividedBy(2n) });
  const names = { rho: rho.times("3/4"), delta: delta.dividedBy(2n) };
  const { measurement } = limitedFor({ k: 1, maxCandidates: 2, noise: "gumbel", ...names });
  const each = rational(1).dividedBy(measurement.scale);
  const height = Number(measurement.threshold) + 1;
  const tail = discreteGaussianTail(rational(1).dividedBy(rho.dividedBy(4n).times(2n)));
  const far = 30;
  const lawOf = (counts: Counts): Law => {
    const law = new Map<string, Interval>();
    const terms = { k: 1, maxCandidates: 2, scale: measurement.scale, height, precision: 160 };
    for (const [outcome, p] of limitedTopKLaw(named(counts), { noise: "gumbel", ...terms })) {
      if (outcome === ".") law.set(outcome, p);
      else
        for (let noise = -far; noise <= far; noise++) {
          const here = tail(noise - 1).minus(tail(noise));
          law.set(`${outcome} ${named(counts)[outcome] + noise}`, p.times(here));
        }
    }
    return law;
  };
  const near = allHistograms(2, 3).map((counts) => counts.map((count) => count + height - 2));
  const inputs = [...allHistograms(2, 1), ...near];

  it("keeps δ if nobody is named for one round, and everything else costs ε", () => {
    expect(each.compare(epsilon)).toBe(-1);
    const { least, most } = worstOf(inputs, lawOf, (outcome) => (outcome === "." ? each : epsilon));
    expect(most).toBeLessThan(1);
    expect(least).toBeGreaterThan(0.1);
  });

  it("does not if nobody is named for nothing", () => {
    const { least } = worstOf(inputs, lawOf, (outcome) => (outcome === "." ? Rational.ZERO : epsilon));
    expect(least).toBeGreaterThan(2);
  });
});
