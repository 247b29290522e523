import { describe, expect, it } from "vitest";
import { gaussianThreshold, laplaceThreshold } from "../../src/accounting/profile/tails.js";
import type { Interval } from "../../src/exact/interval.js";
import { rational } from "../../src/exact/rational.js";
import { vectors } from "../support/vectors.js";
import {
  choiceLaw,
  fixedLaw,
  gaussianTail,
  laplaceTail,
  passing,
  setName,
  stableLaw,
  stableName,
} from "./exact-laws.js";
import { expectValue } from "./expect-enclosed.js";

/** The closed forms of `exact-laws.ts` against independent values of 28 (gap2: 20) digits. */

describe("thresholds and release probabilities", () => {
  const gaussian = vectors.ptr.filter((vector) => vector.kind === "discrete_gaussian");
  const laplace = vectors.ptr.filter((vector) => vector.kind === "discrete_laplace");

  it.each(gaussian)("of Gaussian noise, σ² = $sigma2, δ = $delta_t, Δ = $gap_sensitivity", (vector) => {
    const [variance, delta] = [rational(vector.sigma2), rational(vector.delta_t)];
    const [smallest, closed] = [vector.lambda_exact, vector.lambda_subgaussian];
    expect(gaussianThreshold(variance, delta, "smallest")).toBe(BigInt(smallest));
    expect(gaussianThreshold(variance, delta, "closed-form")).toBe(BigInt(closed));
    const tail = gaussianTail(variance);
    expectValue(tail(smallest), vector.actual_delta_exact);
    expectValue(tail(closed), vector.actual_delta_subgaussian);
    for (const { gap, p_exact, p_subgaussian } of vector.release) {
      expectValue(passing(gap, vector.gap_sensitivity, smallest, tail), p_exact);
      expectValue(passing(gap, vector.gap_sensitivity, closed, tail), p_subgaussian);
    }
  });

  it.each(laplace)("of Laplace noise, ε = $epsilon, δ = $delta_t, Δ = $gap_sensitivity", (vector) => {
    const scale = rational(vector.gap_sensitivity).dividedBy(vector.epsilon);
    const delta = rational(vector.delta_t);
    const [smallest, paper] = [vector.lambda_exact, vector.lambda_paper];
    expect(laplaceThreshold(scale, delta, "smallest")).toBe(BigInt(smallest));
    expect(laplaceThreshold(scale, delta, "closed-form")).toBe(BigInt(paper));
    const tail = laplaceTail(scale);
    expectValue(tail(smallest), vector.actual_delta_exact);
    expectValue(tail(paper), vector.actual_delta_paper);
    for (const { gap, p_exact, p_paper_lambda } of vector.release) {
      expectValue(passing(gap, vector.gap_sensitivity, smallest, tail), p_exact);
      expectValue(passing(gap, vector.gap_sensitivity, paper, tail), p_paper_lambda);
    }
  });
});

describe("the law of stableTopK", () => {
  it.each(vectors.stable_topk)("on $histogram", (vector) => {
    const maxK = vector.regularizer.length;
    const law = stableLaw(vector.histogram, {
      maxK,
      gapSensitivity: 1,
      scale: rational(2).dividedBy(vector.epsilon_em),
      tail: gaussianTail(vector.sigma2),
      threshold: vector.lam,
      regulariser: (k) => vector.regularizer[k - 1],
    });
    for (const { k, set, prob } of vector.outcomes)
      expectValue(law.get(stableName({ k, candidates: set })), prob);
    const bottom = vector.outcomes.map(({ k }) => law.get(stableName({ k })) as Interval);
    expectValue(
      bottom.reduce((a, b) => a.plus(b)),
      vector.prob_bottom,
    );
  });

  it.each(vectors.stable_topk_gap2)("on $histogram when a person is replaced", (vector) => {
    const law = choiceLaw(vector.histogram, {
      maxK: vector.p_k.length,
      gapSensitivity: vector.gap_sensitivity,
      scale: rational(2 * vector.gap_sensitivity).dividedBy(vector.epsilon_em),
      tail: gaussianTail(vector.sigma2),
      threshold: vector.lam,
    });
    law.forEach(({ chosen, passes }, j) => {
      expectValue(chosen, vector.p_k[j], 20);
      expectValue(passes, vector.p_release_given_k[j], 20);
    });
    const released = law.map(({ chosen, passes }) => chosen.times(passes)).reduce((a, b) => a.plus(b));
    expectValue(released.negated().plus(1n), vector.p_not_released, 20);
  });
});

describe("the law of stableTopKFixed", () => {
  it.each(vectors.stable_topk_fixed)("on $histogram with k = $k", (vector) => {
    const { k, histogram } = vector;
    const [variance, delta] = [rational(vector.sigma2), rational(vector.delta_t)];
    const law = fixedLaw(histogram, {
      k,
      maxK: histogram.length - 1,
      domain: "public",
      gapSensitivity: 1,
      scale: rational(2).dividedBy(vector.epsilon_em_select),
      tail: gaussianTail(variance),
      threshold: Number(gaussianThreshold(variance, delta, "closed-form")),
      regulariser: (j) => rational(vector.reg_lambda).times(-Math.abs(j - k)),
      roundScale: () => vector.em_peel_tau,
    });
    expect(law.size).toBe(vector.outcomes.length);
    for (const { set, prob } of vector.outcomes) expectValue(law.get(setName(set)), prob);
  });
});
