import { describe, it } from "vitest";
import type { Interval } from "../../src/exact/interval.js";
import { rational } from "../../src/exact/rational.js";
import { largestGap } from "../../src/standout/largest-gap.js";
import { makeStableTopK } from "../../src/standout/stable-top-k.js";
import { makeStableTopKFixed } from "../../src/standout/stable-top-k-fixed.js";
import type { Law } from "../support/law.js";
import { expectAccepts, expectRejects, tally } from "../support/tally.js";
import { vectors } from "../support/vectors.js";
import {
  fixedLaw,
  gaussianTail,
  type StableLawOptions,
  setName,
  softmax,
  stableLaw,
  stableName,
} from "./exact-laws.js";

/**
 * The real functions, many times on seeded bits, against the exact laws of the vectors, which `vectors.test.ts` ties to the
 * closed forms; and a wrong law of each kind, which the same draws must reject.
 */

const toLaw = (law: ReadonlyMap<string, Interval>): Law =>
  Object.fromEntries([...law].map(([outcome, chance]) => [outcome, chance.lower().toNumber()]));

describe("largestGap chooses k by its law", () => {
  const histogram = [30, 24, 24, 15, 14, 2];
  const gaps = [6, 0, 9, 1, 12];

  it("with Gumbel noise", () => {
    const sample = tally({
      seed: "largest gap, Gumbel",
      runs: 8000,
      sample: (entropy) => largestGap(histogram, { maxK: 5, epsilon: "1/2", monotone: true, entropy }).k,
    });
    const law = (scale: string) =>
      toLaw(new Map(softmax(gaps, scale).map((chance, j) => [String(j + 1), chance])));
    expectAccepts(sample, law("4"));
    expectRejects(sample, law("4.4"));
  });

  it("with Gaussian noise on two gaps, which differ by 6", () => {
    const draws = tally({
      seed: "largest gap, Gaussian",
      runs: 8000,
      sample: (entropy) => largestGap([20, 10, 6], { maxK: 2, noise: "gaussian", variance: 32, entropy }).k,
    });
    expectAccepts(draws, { 1: 0.7733726476231317 }); // Φ(6/√64)
    expectRejects(draws, { 1: 0.75 });
  });
});

describe("stableTopK has the law of its vectors", () => {
  it.each(vectors.stable_topk)("on $histogram", (vector) => {
    const maxK = vector.regularizer.length;
    const scale = rational(2).dividedBy(vector.epsilon_em);
    const measurement = makeStableTopK({
      maxK,
      choose: { noise: "gumbel", scale },
      test: { variance: vector.sigma2 },
      delta: vector.delta_t,
      thresholdRule: "closed-form",
      monotone: true,
      regulariser: vector.regularizer,
    });
    const draws = tally({
      seed: `stableTopK on ${vector.histogram}`,
      runs: 12_000,
      sample: (entropy) => measurement.invoke(vector.histogram, entropy),
      key: stableName,
    });
    const options = {
      maxK,
      gapSensitivity: 1,
      scale,
      tail: gaussianTail(vector.sigma2),
      threshold: vector.lam,
    };
    const law = (changes: Partial<StableLawOptions> = {}) =>
      toLaw(
        stableLaw(vector.histogram, {
          ...options,
          regulariser: (k) => vector.regularizer[k - 1],
          ...changes,
        }),
      );
    expectAccepts(draws, law());
    expectRejects(draws, law({ scale: scale.times(2n) }));
    expectRejects(draws, law({ threshold: vector.lam + 4 }));
  });

  it.each(vectors.stable_topk_gap2)("on $histogram when a person is replaced", (vector) => {
    const maxK = vector.p_k.length;
    const scale = rational(4).dividedBy(vector.epsilon_em);
    const measurement = makeStableTopK({
      maxK,
      choose: { noise: "gumbel", scale },
      test: { variance: vector.sigma2 },
      delta: vector.delta_t,
      thresholdRule: "closed-form",
    });
    const draws = tally({
      seed: `stableTopK, replaced, on ${vector.histogram}`,
      runs: 8000,
      sample: (entropy) => measurement.invoke(vector.histogram, entropy),
      key: stableName,
    });
    const law = (gapSensitivity: number) =>
      toLaw(
        stableLaw(vector.histogram, {
          maxK,
          gapSensitivity,
          scale,
          tail: gaussianTail(vector.sigma2),
          threshold: vector.lam,
        }),
      );
    expectAccepts(draws, law(2));
    expectRejects(draws, law(1));
  });
});

describe("stableTopKFixed has the law of its vectors", () => {
  it.each(vectors.stable_topk_fixed)("on $histogram with k = $k", (vector) => {
    const { k, histogram } = vector;
    const measurement = makeStableTopKFixed({
      k,
      maxK: histogram.length - 1,
      domain: "public",
      choose: { noise: "gumbel", scale: rational(2).dividedBy(vector.epsilon_em_select) },
      test: { variance: vector.sigma2 },
      rounds: { scale: vector.em_peel_tau },
      delta: vector.delta_t,
      thresholdRule: "closed-form",
      penalty: vector.reg_lambda,
      gapCap: Infinity,
      monotone: true,
    });
    const draws = tally({
      seed: `stableTopKFixed on ${histogram}`,
      runs: 8000,
      sample: (entropy) => measurement.invoke(histogram, entropy).candidates,
      key: setName,
    });
    expectAccepts(draws, Object.fromEntries(vector.outcomes.map(({ set, prob }) => [setName(set), prob])));
  });

  it("on an unknown domain, where it adds nothing, and with its own cap and penalty", () => {
    const histogram = [16, 14, 13, 4, 3, 1];
    const [k, maxK] = [2, 4];
    const measurement = makeStableTopKFixed({
      k,
      maxK,
      domain: "unknown",
      choose: { noise: "gumbel", scale: 2 },
      test: { variance: 4 },
      rounds: { rho: "1/4" },
      delta: "1/20",
      monotone: true,
    });
    const draws = tally({
      seed: "stableTopKFixed, unknown",
      runs: 8000,
      sample: (entropy) => measurement.invoke(histogram, entropy).candidates,
      key: setName,
    });
    const threshold = 3; // P(noise > 3) = 0.04 < 1/20
    const cap = 2 * threshold + 2;
    const law = (penalty: number) =>
      toLaw(
        fixedLaw(histogram, {
          k,
          maxK,
          domain: "unknown",
          gapSensitivity: 1,
          scale: 2,
          tail: gaussianTail(4),
          threshold,
          cap,
          regulariser: (j) => -penalty * Math.abs(j - k),
          roundScale: () => 1, // √(2/8ρ)
        }),
      );
    expectAccepts(draws, law(cap / k));
    expectRejects(draws, law(cap / k - 1));
  });
});
