import { describe, expect, it } from "vitest";
import { repeat } from "../../src/accounting/compose.js";
import { convert } from "../../src/accounting/convert.js";
import { type Loss, zcdp } from "../../src/accounting/loss.js";
import { gaussianThreshold } from "../../src/accounting/profile/tails.js";
import { Interval } from "../../src/exact/interval.js";
import { Rational, rational } from "../../src/exact/rational.js";
import {
  type ExactLaw,
  fixedLaw,
  gaussianTail,
  passing,
  type StableLawOptions,
  softmax,
  stableLaw,
} from "./exact-laws.js";
import { hockeyStick, worstDelta } from "./hockey-stick.js";

/**
 * What the literature, or haste, would do otherwise, each shown to break the promise by the check that ours passes.
 */

/** By how much a pair of laws exceeds what a loss allows at ε, as a factor. */
function excess(pair: [ExactLaw, ExactLaw], loss: Loss, epsilon: number): number {
  const { delta } = convert(loss, { to: "approx", epsilon });
  return worstDelta([pair], epsilon).dividedBy(delta).toNumber();
}

const [rho, delta] = [rational(1), "1/50"];
/** σ² = Δ_gap²/ρ and a Gumbel scale of Δ_gap/√ρ for ρ = 1, with the smallest threshold. */
const optionsFor = (gapSensitivity: number, maxK: number): StableLawOptions => {
  const variance = rational(gapSensitivity * gapSensitivity);
  const threshold = Number(gaussianThreshold(variance, rational(delta), "smallest"));
  return { maxK, gapSensitivity, scale: gapSensitivity, tail: gaussianTail(variance), threshold };
};

describe("a gap sensitivity of 1 when a person is replaced", () => {
  // One person moves from candidate 1 to candidate 0, and the largest is another.
  const pair = (options: StableLawOptions): [ExactLaw, ExactLaw] => [
    stableLaw([1, 3], options),
    stableLaw([2, 2], options),
  ];

  it("lets a set through that the person changed, with more than δ", () => {
    expect(excess(pair(optionsFor(1, 1)), zcdp(rho, delta), 20)).toBeGreaterThan(2);
  });

  it("of 2 passes the same check", () => {
    for (const epsilon of [0, 1, 20])
      expect(excess(pair(optionsFor(2, 1)), zcdp(rho, delta), epsilon)).toBeLessThanOrEqual(1);
  });
});

describe("a test that passes what only reaches the threshold", () => {
  it("lets an unstable set through with more than δ", () => {
    const options = optionsFor(1, 1);
    const reached = stableLaw([1, 2], { ...options, threshold: options.threshold - 1 }); // noise ≥ λ
    expect(excess([reached, stableLaw([2, 2], options)], zcdp(rho, delta), 20)).toBeGreaterThan(2);
    const exceeded = stableLaw([1, 2], options);
    expect(excess([exceeded, stableLaw([2, 2], options)], zcdp(rho, delta), 20)).toBeLessThanOrEqual(1);
  });
});

describe("an order by count", () => {
  it("would tell with certainty that one person came", () => {
    const byCount = (order: string) => new Map([[order, Interval.from(1n, 160)]]);
    // (50, 50, 1) and (50, 51, 1): the set {0, 1} is as stable as can be.
    expect(hockeyStick(byCount("1 0"), byCount("0 1"), 20).toNumber("down")).toBe(1);
    const options = optionsFor(1, 3);
    const pair: [ExactLaw, ExactLaw] = [stableLaw([50, 50, 1], options), stableLaw([50, 51, 1], options)];
    expect(excess(pair, zcdp(rho, delta), 1)).toBeLessThanOrEqual(1);
  });
});

describe("the exponential mechanism on candidates that nobody released", () => {
  const fixed = { ...optionsFor(1, 4), k: 2, roundScale: () => 1 };
  /** The second candidate exists because one person mentioned it. */
  const pair = (domain: "public" | "unknown"): [ExactLaw, ExactLaw] => [
    fixedLaw([5, 1], { ...fixed, domain }),
    fixedLaw([5], { ...fixed, domain: "unknown" }),
  ];

  it("names a candidate that one person alone mentioned", () => {
    expect(excess(pair("public"), zcdp(rho.times(2n), delta), 20)).toBeGreaterThan(40);
    expect(excess(pair("unknown"), zcdp(rho.times(2n), delta), 20)).toBeLessThanOrEqual(1);
  });
});

describe("K rounds of the exponential mechanism with ε = 2√ρ each", () => {
  const [ROUNDS, EACH, OTHERS] = [20, 100, 100];

  /** How many of K picks are among `EACH` candidates that are `lead` noise scales ahead of as many others. */
  function picksAhead(lead: Rational): ExactLaw {
    const weight = Interval.from(lead, 160).exp();
    const one = Interval.from(1n, 160);
    let law = [one];
    for (let round = 0; round < ROUNDS; round++) {
      const next = Array.from({ length: round + 2 }, () => one.minus(one));
      law.forEach((probability, ahead) => {
        const [first, second] = [weight.times(BigInt(EACH - ahead)), BigInt(OTHERS - (round - ahead))];
        const chance = first.dividedBy(first.plus(second));
        next[ahead + 1] = next[ahead + 1].plus(probability.times(chance));
        next[ahead] = next[ahead].plus(probability.times(one.minus(chance)));
      });
      law = next;
    }
    return new Map(law.map((probability, ahead) => [String(ahead), probability]));
  }

  // All 200 candidates have the same count, and one person adds to half of them: no gap, so all rounds take place.
  const budget = rational("1/100");
  const pair = (epsilonOfRound: Rational): [ExactLaw, ExactLaw] => [
    picksAhead(Rational.ZERO),
    picksAhead(epsilonOfRound),
  ];

  it("lose far more than the ρ/2 that they are given", () => {
    expect(excess(pair(rational("0.2")), zcdp(budget.dividedBy(2n)), 0.5)).toBeGreaterThan(100);
  });

  it("lose no more than that with ε = 2√(ρ/K) each", () => {
    const each = rational("0.044"); // below 0.2/√20
    for (const epsilon of [0.05, 0.1, 0.25, 0.5])
      expect(excess(pair(each), zcdp(budget.dividedBy(2n)), epsilon)).toBeLessThanOrEqual(1);
  });
});

describe("60 runs of stableTopK with ρ = 0.01 each", () => {
  const [T, each, failure] = [60, rational("0.01"), rational("1e-20")];
  const tail = gaussianTail(100);
  const threshold = Number(gaussianThreshold(rational(100), failure, "smallest"));
  // Two gaps at which the test is open; a person added to the second of three candidates moves both of them.
  const gap = threshold + 1;
  const lawOf = (gaps: readonly number[]) =>
    softmax(gaps, 10).flatMap((chosen, j) => {
      const passes = passing(gaps[j], 1, threshold, tail);
      return [chosen.times(passes), chosen.minus(chosen.times(passes))].map((chance) =>
        chance.lower().toNumber(),
      );
    });
  const [before, after] = [lawOf([gap, gap + 1]), lawOf([gap + 1, gap])];

  /** δ(ε) between T independent draws of the one law and of the other, by all numbers of draws of each answer. */
  function composedDelta(epsilon: number): number {
    const lnFactorial = [0];
    for (let n = 1; n <= T; n++) lnFactorial.push(lnFactorial[n - 1] + Math.log(n));
    const lnRatio = before.map((p, i) => Math.log(p / after[i]));
    let total = 0;
    for (let a = 0; a <= T; a++)
      for (let b = 0; a + b <= T; b++)
        for (let c = 0; a + b + c <= T; c++) {
          const counts = [a, b, c, T - a - b - c];
          const loss = counts.reduce((sum, n, i) => sum + n * lnRatio[i], 0);
          if (loss <= epsilon) continue;
          const lnProbability = counts.reduce(
            (sum, n, i) => sum + n * Math.log(before[i]) - lnFactorial[n],
            lnFactorial[T],
          );
          total += Math.exp(lnProbability) * (1 - Math.exp(epsilon - loss));
        }
    return total;
  }

  const total = repeat(zcdp(each, failure), T);
  const target = "1e-9";

  it("lose more than ρ + √(2ρ·ln(1/δ)) says for all of them", () => {
    const sum = rational(total.rho).toNumber();
    const claimed = sum + Math.sqrt(2 * sum * Math.log(1e9));
    expect(claimed).toBeCloseTo(5.5868, 4);
    expect(composedDelta(claimed)).toBeGreaterThan(8e-9);
  });

  it("lose more than the ρ of one run says", () => {
    const { epsilon } = convert(zcdp(each, repeat(zcdp(each, failure), T).delta), {
      to: "approx",
      delta: target,
    });
    expect(composedDelta(rational(epsilon).toNumber())).toBeGreaterThan(1e-3);
  });

  it.each(["simple", "optimal"] as const)("lose no more than 60ρ says by the %s conversion", (method) => {
    const { epsilon } = convert(total, { to: "approx", delta: target, conversion: method });
    expect(composedDelta(rational(epsilon).toNumber())).toBeLessThan(1e-9);
  });
});
