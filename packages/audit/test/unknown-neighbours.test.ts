import { describe, expect, it } from "vitest";
import type { LimitedNoise } from "../../core/src/discover/limited-threshold.js";
import { makeLimitedTopK } from "../../core/src/discover/limited-top-k.js";
import { Interval } from "../../core/src/exact/interval.js";
import { rational } from "../../core/src/exact/rational.js";
import { approx, type Neighbours } from "../../core/src/index.js";
import { TruncatedLaplace } from "../../core/src/sample/truncated-laplace.js";
import { allHistograms, checkApprox, pairsOf } from "../src/claims/check-claim.js";
import { named, unknownClaims, withOneExchanged, withOneJoining } from "../src/claims/unknown-claims.js";
import type { Law } from "../src/laws/law.js";
import { exponentialTopKLaw } from "../src/laws/top-k-laws.js";
import { keepProbabilities, limitedTopKLaw, selectPartitionsLaw } from "../src/laws/unknown-laws.js";
import { hockeyStick } from "../src/likelihood-ratio.js";

type Counts = readonly number[];

/** The same for every list of names: the largest δ at the claimed ε, divided by the claimed δ. */
interface Case {
  readonly noise: LimitedNoise;
  readonly k: number;
  readonly maxCandidates: number;
  readonly most: number;
  readonly neighbours: Neighbours;
  readonly threshold?: number;
  /** How far ⊥ stands above the next count; by default r + T. */
  readonly height?: number;
  /** The m of the claim; by default what one person can have. */
  readonly claimed?: number;
  readonly inputs?: readonly Counts[];
  /** The order of names with equal counts; by default the names'. */
  readonly order?: (counts: Counts) => Record<string, number>;
  readonly shareOfEpsilon?: string;
}

function excess(instance: Case): { least: number; most: number } {
  const { noise, k, maxCandidates, most, neighbours, threshold = 2, order = named } = instance;
  const range = neighbours === "replace" ? 2 : 1;
  const question = { k, maxCandidates, noise, scale: 1 };
  const maxItemsPerUser = instance.claimed ?? most;
  const { reservation } = makeLimitedTopK({ ...question, threshold, neighbours, maxItemsPerUser });
  const height = instance.height ?? range + threshold;
  const next = neighbours === "replace" ? withOneExchanged : withOneJoining;
  const pairs = pairsOf<Counts>(
    instance.inputs ?? allHistograms(3, 3),
    (counts) => next(counts, most),
    (counts) => limitedTopKLaw(order(counts), { ...question, height, precision: 128 }),
  );
  const epsilon = rational(reservation.approx.epsilon).times(instance.shareOfEpsilon ?? 1);
  const { found, claimed } = checkApprox(pairs, approx(epsilon, reservation.approx.delta));
  return { least: found.least / claimed, most: found.most / claimed };
}

const NOISES = ["gumbel", "exponential"] as const;
const EXACT = 1e-12;

describe("Over all histograms of three names", () => {
  const cases = NOISES.flatMap((noise) =>
    [1, 2, 3].flatMap((maxCandidates) =>
      [1, 2].filter((k) => k <= maxCandidates).map((k) => ({ noise, maxCandidates, k })),
    ),
  );

  it.each(cases)("one person more costs exactly δ: $noise noise, k = $k of $maxCandidates", (question) => {
    for (const most of [1, 3]) {
      const found = excess({ ...question, most, neighbours: "add-remove" });
      expect(found.most).toBeLessThan(1 + EXACT);
      expect(found.least).toBeGreaterThan(1 - EXACT);
    }
  });

  it.each(cases)(
    "one person replaced costs at most δ: $noise noise, k = $k of $maxCandidates",
    (question) => {
      for (const most of [1, 3])
        expect(excess({ ...question, most, neighbours: "replace" }).most).toBeLessThan(1 + EXACT);
    },
  );

  it.each(NOISES)("and exactly δ where as many names are exchanged as race (%s)", (noise) => {
    const found = excess({
      ...{ noise, k: 1, maxCandidates: 2, most: 2, neighbours: "replace" },
      inputs: [
        [4, 4, 4, 4],
        [5, 5, 3, 3],
        [3, 3, 5, 5],
      ],
    });
    expect(found.least).toBeGreaterThan(1 - EXACT);
    expect(found.most).toBeLessThan(1 + EXACT);
  });

  it("the claims reach their δ when someone joins", () => {
    for (const claim of unknownClaims().filter(({ instance }) => instance.includes("person more with"))) {
      const { found, claimed, holds } = claim.check();
      expect([holds, found.least / claimed > 1 - EXACT]).toEqual([true, true]);
    }
  });
});

describe("A mistake is caught:", () => {
  const usual = { k: 1, maxCandidates: 2, most: 2, neighbours: "add-remove" } as const;

  it.each(NOISES)("⊥ without r (%s)", (noise) => {
    expect(excess({ ...usual, noise, height: 2 }).least).toBeGreaterThan(1.5);
  });

  it.each(NOISES)("⊥ with Δ where people are replaced (%s)", (noise) => {
    const found = excess({
      ...{ ...usual, noise, neighbours: "replace", height: 3 },
      inputs: [[3, 3, 5, 5]],
    });
    expect(found.least).toBeGreaterThan(1.5);
  });

  it.each(NOISES)("m = 1 though one person may have more names (%s)", (noise) => {
    expect(excess({ ...usual, noise, claimed: 1 }).least).toBeGreaterThan(1.2);
  });

  it.each(NOISES)("a T that is a hundredth too low (%s)", (noise) => {
    expect(excess({ ...usual, noise, height: 2.99 }).least).toBeGreaterThan(1.004);
  });

  it.each(NOISES)("ties that the data break (%s)", (noise) => {
    const byParity = (counts: Counts) => {
      const entries = Object.entries(named(counts));
      const total = counts.reduce((sum, count) => sum + count, 0);
      return Object.fromEntries(total % 2 === 0 ? entries : entries.reverse());
    };
    const question = { noise, k: 1, maxCandidates: 3, most: 1, neighbours: "add-remove" } as const;
    const inputs = allHistograms(5, 1).map((counts) => counts.map((count) => count + 2));
    expect(excess({ ...question, inputs }).most).toBeLessThan(1 + EXACT);
    expect(excess({ ...question, inputs, order: byParity }).least).toBeGreaterThan(1.2);
  });

  it("an ε that is 10 % too small", () => {
    const question = { noise: "exponential", k: 2, maxCandidates: 2, most: 2, threshold: 10 } as const;
    const inputs = allHistograms(2, 4).map((counts) => counts.map((count) => count + 9));
    const terms = { ...question, neighbours: "add-remove", inputs } as const;
    expect(excess(terms).most).toBeLessThan(1 + EXACT);
    expect(excess({ ...terms, shareOfEpsilon: "0.9" }).least).toBeGreaterThan(100);
  });

  it("the margin over ⊥ of a full list", () => {
    const { threshold, reservation } = makeLimitedTopK({
      ...{ k: 1, maxCandidates: 2, noise: "exponential", scale: 1, delta: "1/100" },
    });
    /** P(this name wins and leads ⊥ by so many quarters), and P(nobody is named). */
    const law = (counts: Counts): Law => {
      const bot = rational(threshold).plus(1);
      const atLeast = (quarters: number) =>
        exponentialTopKLaw([...counts, bot.plus(rational(quarters).dividedBy(4))], { k: 1, scale: 1 });
      const bins = new Map<string, Interval>([["nobody", atLeast(0).get(String(counts.length))!]]);
      for (let quarters = 0; quarters < 40; quarters++)
        for (const name of counts.keys()) {
          const here = atLeast(quarters).get(String(name))!;
          bins.set(
            `${name} by ${quarters}`,
            quarters === 39 ? here : here.minus(atLeast(quarters + 1).get(String(name))!),
          );
        }
      return bins;
    };
    const { least } = hockeyStick(law([9, 9]), law([10, 9]), reservation.approx.epsilon as never);
    expect(least.dividedBy(reservation.approx.delta).toNumber()).toBeGreaterThan(10);
  });
});

describe("selectPartitions", () => {
  const law = (keep: readonly Interval[], ...counts: number[]) => selectPartitionsLaw(named(counts), keep);
  const worst = (keep: readonly Interval[], epsilon: number) => {
    let most = 0;
    for (let count = 0; count < keep.length; count++) {
      const [here, there] = [law(keep, count), law(keep, count + 1)];
      for (const { most: delta } of [hockeyStick(here, there, epsilon), hockeyStick(there, here, epsilon)])
        most = Math.max(most, delta.toNumber());
    }
    return most;
  };

  it("keeps a name as often as (ε, δ) allows: to raise any probability is caught", () => {
    const keep = keepProbabilities(1, "1/50");
    expect(worst(keep, 1)).toBeCloseTo(1 / 50, 15);
    for (let count = 1; count < keep.length - 1; count++) {
      const raised = keep.map((chance, n) => (n === count ? chance.times("1.001") : chance));
      expect(worst(raised, 1)).toBeGreaterThan(1 / 50 + 1e-9);
    }
  });

  it("uses δ up for one name, and nearly for two", () => {
    const [one, two] = unknownClaims()
      .filter(({ mechanism }) => mechanism === "selectPartitions")
      .map((claim) => claim.check());
    expect(one.found.least / one.claimed).toBeGreaterThan(1 - EXACT);
    expect(two.found.least / two.claimed).toBeGreaterThan(0.95);
  });

  it("with counts: truncated noise costs (ε, P(κ)), and P(κ) is reached", () => {
    const noise = new TruncatedLaplace(rational(1), rational("1/50"));
    const bound = Number(noise.bound);
    const weights = Array.from({ length: 2 * bound + 1 }, (_, i) =>
      Interval.from(-Math.abs(i - bound), 192).exp(),
    );
    const total = weights.reduce((a, b) => a.plus(b));
    const countLaw = (count: number): Law => {
      const law = new Map<string, Interval>();
      for (const [i, weight] of weights.entries()) {
        const noisy = count + i - bound;
        const outcome = count > 0 && noisy > bound ? String(noisy) : "nothing";
        const probability = weight.dividedBy(total);
        law.set(outcome, law.get(outcome)?.plus(probability) ?? probability);
      }
      return law;
    };
    for (let count = 0; count <= 3 * bound; count++) {
      const [here, there] = [countLaw(count), countLaw(count + 1)];
      for (const { most } of [hockeyStick(here, there, 1), hockeyStick(there, here, 1)])
        expect(most.dividedBy(noise.failure).toNumber()).toBeLessThan(1 + EXACT);
    }
    const reached = hockeyStick(countLaw(1), countLaw(0), 1).least;
    expect(reached.dividedBy(noise.failure).toNumber()).toBeGreaterThan(1 - EXACT);
  });
});
