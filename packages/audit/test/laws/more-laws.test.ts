import { describe, expect, it } from "vitest";
import { eta } from "../../../core/src/accounting/base2-parameter.js";
import { Interval } from "../../../core/src/exact/interval.js";
import { rational } from "../../../core/src/exact/rational.js";
import { StabilityTest } from "../../../core/src/standout/stability-test.js";
import { vectors } from "../../../core/test/support/vectors.js";
import { base2ExponentialLaw, clampedLaplaceLaw } from "../../src/laws/base2-laws.js";
import type { Law } from "../../src/laws/law.js";
import { noisyMaxLaw } from "../../src/laws/noisy-max-laws.js";
import {
  discreteGaussianTail,
  discreteLaplaceTail,
  largestGapLaw,
  multiLabelLaw,
  proposeTestReleaseLaw,
  stableTopKFixedLaw,
  stableTopKLaw,
} from "../../src/laws/stable-laws.js";
import { renyiDivergence } from "../../src/likelihood-ratio.js";

/** The laws of the claims against independent values of 28 (two of them 20) digits. */

function expectNear(probability: Interval | undefined, decimal: string, digits: number): void {
  const value = rational(decimal);
  const slack = value.times(rational(`1e-${digits - 1}`));
  const { lower, upper } = { lower: probability!.lower(), upper: probability!.upper() };
  expect(lower.minus(value).compare(slack)).toBeLessThanOrEqual(0);
  expect(value.minus(upper).compare(slack)).toBeLessThanOrEqual(0);
  expect(upper.minus(lower).compare("1e-30")).toBeLessThan(0);
}

describe("The law of base2Exponential", () => {
  it.each(vectors.base2_em)(
    "$name",
    ({ eta: { x, y, z }, utilities, utility_min, utility_max, probs_exact }) => {
      const options = { eta: eta(x, y, z), lower: utility_min, upper: utility_max };
      const law = base2ExponentialLaw(utilities, options);
      for (const [index, exact] of probs_exact.entries())
        expect(law.get(String(index))!.contains(exact)).toBe(true);
    },
  );
});

describe("The law of clampedLaplace", () => {
  it("falls by half for every step to both sides", () => {
    const law = clampedLaplaceLaw(1, 3, eta(1, 1, 1)); // weights 1/2, 1, 1/2, 1/4
    const chances = ["2/9", "4/9", "2/9", "1/9"];
    for (const [point, chance] of chances.entries())
      expect(law.get(String(point))!.contains(chance)).toBe(true);
  });
});

describe("The law of reportNoisyMax", () => {
  it.each(vectors.rnm)("with $noise noise on $scores", (vector) => {
    const size = vector.noise === "laplace" ? vector.b : vector.sigma2;
    const law = () => noisyMaxLaw(vector.scores, vector.noise, size);
    if (vector.scores.length !== 2) return expect(law).toThrow("a list of 2 for this noise");
    return vector.probs.forEach((prob, index) => {
      expectNear(law().get(String(index)), prob, 20);
    });
  });

  it.each([
    ["laplace", 1.5, 0],
    ["gaussian", 0, 1],
  ] as const)("with %s noise has chances that sum to 1 and favour the larger score", (noise, a, b) => {
    const law = noisyMaxLaw([a, b], noise, 2);
    const [first, second] = [...law.values()];
    expect(first.plus(second).contains(1)).toBe(true);
    expect((a > b ? first : second).isAbove("1/2")).toBe(true);
  });
});

describe("The law of stableTopK", () => {
  it.each(vectors.stable_topk)("on $histogram", (vector) => {
    const choose = {
      maxK: vector.regularizer.length,
      scale: rational(2).dividedBy(vector.epsilon_em),
      regulariser: (k: number) => vector.regularizer[k - 1],
    };
    const pass = {
      gapSensitivity: 1,
      tail: discreteGaussianTail(vector.sigma2),
      threshold: vector.lam,
    };
    const law = stableTopKLaw(vector.histogram, { ...choose, ...pass });
    const choice = largestGapLaw(vector.histogram, choose);
    for (const { k, set, prob, p_k, p_release_given_k } of vector.outcomes) {
      expectNear(law.get(`${k}: ${set.join(" ")}`), prob, 27);
      expectNear(choice.get(String(k)), p_k, 27);
      const test = proposeTestReleaseLaw(vector.histogram, k, pass);
      expectNear(test.get(set.join(" ")), p_release_given_k, 27);
    }
    expectSumOne(law);
  });

  it.each(vectors.stable_topk_gap2)("on $histogram when a person is replaced", (vector) => {
    const choose = {
      maxK: vector.p_k.length,
      scale: rational(2 * vector.gap_sensitivity).dividedBy(vector.epsilon_em),
    };
    const pass = {
      gapSensitivity: vector.gap_sensitivity,
      tail: discreteGaussianTail(vector.sigma2),
      threshold: vector.lam,
    };
    const choice = largestGapLaw(vector.histogram, choose);
    for (const [index, p] of vector.p_k.entries()) expectNear(choice.get(String(index + 1)), p, 20);
    const answers = multiLabelLaw(vector.histogram, { ...choose, ...pass });
    expectNear(answers.get("nothing"), vector.p_not_released, 20);
    const sets = [...answers.keys()].filter((answer) => answer !== "nothing");
    expect(sets).toEqual(["0", "0 1", "0 1 2"]);
    for (const [index, set] of sets.entries()) {
      const test = proposeTestReleaseLaw(vector.histogram, index + 1, pass);
      expectNear(test.get(set), vector.p_release_given_k[index], 20);
    }
    expectSumOne(answers);
  });

  it("names nobody whom nobody counted, where the domain is unknown", () => {
    const options = {
      maxK: 2,
      gapSensitivity: 1,
      scale: 1,
      tail: discreteLaplaceTail(1),
      threshold: 1,
      isUnknownDomain: true,
    };
    expect([...stableTopKLaw([3, 0, 0], options).keys()]).toEqual([
      "1: 0",
      "1: nothing",
      "2: 0",
      "2: nothing",
    ]);
  });

  it("caps wide gaps", () => {
    const options = { maxK: 2, scale: 1 };
    const capped = largestGapLaw([9, 0], { ...options, gapCap: 2 });
    expect(capped.get("1")!.lo).toBe(largestGapLaw([2, 0], options).get("1")!.lo);
  });
});

describe("The law of stableTopKFixed", () => {
  it.each(vectors.stable_topk_fixed)("over a public domain, on $histogram", (vector) => {
    const law = stableTopKFixedLaw(vector.histogram, {
      k: vector.k,
      maxK: vector.histogram.length - 1,
      gapSensitivity: 1,
      scale: rational(2).dividedBy(vector.epsilon_em_select),
      tail: discreteGaussianTail(vector.sigma2),
      threshold: new StabilityTest(
        1n,
        { variance: vector.sigma2 },
        { delta: vector.delta_t, thresholdRule: "closed-form" },
      ).threshold,
      regulariser: (j) => rational(vector.reg_lambda).times(BigInt(-Math.abs(j - vector.k))),
      roundsScale: vector.em_peel_tau,
    });
    expectSumOne(law);
    for (const { set, prob } of vector.outcomes) {
      const ways = [...law]
        .filter(([name]) => name.endsWith(`: ${set.join(" ")}`))
        .map(([, chance]) => chance);
      expectNear(
        ways.reduce((sum, chance) => sum.plus(chance)),
        prob,
        26,
      );
    }
  });
});

describe("The tail of discrete Laplace noise", () => {
  it.each(vectors.ptr.filter((vector) => vector.kind === "discrete_laplace"))(
    "for ε = $epsilon",
    (vector) => {
      const tail = discreteLaplaceTail(rational(vector.gap_sensitivity).dividedBy(vector.epsilon));
      expectNear(tail(vector.lambda_exact), vector.actual_delta_exact, 27);
      expect(tail(-3).plus(tail(2)).contains(1)).toBe(true); // P(X > −3) + P(X > 2) = 1
    },
  );
});

describe("The Rényi divergence", () => {
  const law = (p: string): Law =>
    new Map([
      ["a", Interval.from(p, 128)],
      ["b", Interval.from(rational(1).minus(p), 128)],
    ]);

  it("of order 2 is the logarithm of the sum of p²/q", () => {
    const divergence = renyiDivergence(law("3/4"), law("1/4"), 2);
    expect(divergence.toNumber("down")).toBeCloseTo(Math.log(9 / 4 + 1 / 12), 12);
  });

  it("of a law to itself is 0, and grows with the order", () => {
    expect(renyiDivergence(law("1/3"), law("1/3"), 4).contains(0)).toBe(true);
    const orders = [2, 4, 16].map((order) => renyiDivergence(law("3/4"), law("1/4"), order));
    expect(orders[0].isBelow(orders[1])).toBe(true);
    expect(orders[1].isBelow(orders[2])).toBe(true);
    expect(orders[2].isBelow(rational("1.0987"))).toBe(true); // ln 3
  });

  it("refuses an order that is no integer above 1", () => {
    expect(() => renyiDivergence(law("1/2"), law("1/2"), 1)).toThrow("order must be");
  });
});

function expectSumOne(law: Law): void {
  const sum = [...law.values()].reduce((total, probability) => total.plus(probability));
  expect(sum.contains(1)).toBe(true);
}
