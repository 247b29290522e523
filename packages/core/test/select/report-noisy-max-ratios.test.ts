/** The guarantees of report noisy max against its exact laws: nothing exceeds them, and 5 % less noise would. */
import { describe, expect, it } from "vitest";
import { Interval } from "../../src/exact/interval.js";
import { type Rational, rational } from "../../src/exact/rational.js";
import { noisyMaxLoss } from "../../src/select/noisy-max-loss.js";
import { exponentialLaw, gaussianLaw, gumbelLaw, laplaceLaw, type NoisyMaxLaw } from "./noisy-max-laws.js";

/** How far the first of two candidates is ahead: near 0 all noises are alike, far out the ratio is the largest. */
const LEADS = [0, 1, 2, 5, 20, 45];

/** The largest ratio of probabilities of an answer between two candidates at a lead and neighbours of them. */
function largestRatio(law: NoisyMaxLaw, scale: Rational, monotone: boolean): Interval {
  const moves = monotone ? [0, 1] : [-1, 0, 1];
  let largest = Interval.from(1, 192);
  for (const lead of LEADS)
    for (const first of moves)
      for (const second of moves) {
        const [before, after] = [law([lead, 0], scale), law([lead + first, second], scale)];
        for (const index of [0, 1])
          for (const ratio of [before[index].dividedBy(after[index]), after[index].dividedBy(before[index])])
            if (ratio.lo > largest.lo) largest = ratio;
      }
  return largest;
}

describe.each([
  { noise: "exponential", law: exponentialLaw },
  { noise: "gumbel", law: gumbelLaw },
  { noise: "laplace", law: laplaceLaw },
] as const)("The pure loss with $noise noise", ({ noise, law }) => {
  const scale = rational("3/2");

  it.each([{ monotone: true }, { monotone: false }])(
    "bounds every ratio, monotone $monotone",
    ({ monotone }) => {
      const { epsilon } = noisyMaxLoss({ noise, scale, monotone }).pure!;
      const allowed = Interval.from(epsilon, 192).exp();
      expect(largestRatio(law, scale, monotone).minus(allowed).isBelow("1e-40")).toBe(true);
    },
  );

  it.each([{ monotone: true }, { monotone: false }])(
    "is exceeded with 5 % less noise, monotone $monotone",
    ({ monotone }) => {
      const { epsilon } = noisyMaxLoss({ noise, scale, monotone }).pure!;
      const allowed = Interval.from(epsilon, 192).exp();
      expect(largestRatio(law, scale.times("0.95"), monotone).isAbove(allowed)).toBe(true);
    },
  );
});

/** The largest D_α/α between two candidates at a lead of 0 to 40 and neighbours where one of them moves by 2. */
function largestSlope(variance: Rational): Interval {
  const precision = 1024; // probabilities are down to e^−300
  let largest = Interval.from(0, precision);
  for (const lead of [0, 1, 8, 40]) {
    const [near, far] = [lead, lead + 2].map((ahead) => gaussianLaw([ahead, 0], variance, precision));
    for (const alpha of [2n, 5n, 21n])
      for (const loss of [divergence(near, far, alpha), divergence(far, near, alpha)])
        if (loss.dividedBy(alpha).lo > largest.lo) largest = loss.dividedBy(alpha);
  }
  return largest;
}

/** The Rényi divergence of order α between two laws: ln Σ p^α·q^(1−α) over α − 1. */
function divergence(p: readonly Interval[], q: readonly Interval[], alpha: bigint): Interval {
  const terms = p.map((probability, i) =>
    probability
      .ln()
      .times(alpha)
      .minus(q[i].ln().times(alpha - 1n))
      .exp(),
  );
  return terms[0]
    .plus(terms[1])
    .ln()
    .dividedBy(alpha - 1n);
}

describe("The ρ of two candidates with Gaussian noise", () => {
  const variance = rational(2);
  const rho = rational("1/2");

  it("is 1/2 for σ² = 2 where scores move by 2 against each other", () => {
    expect(noisyMaxLoss({ noise: "gaussian", variance, maxCandidates: 2 }).zcdp.rho).toEqual(rho);
  });

  // A candidate 20 standard deviations behind comes closer by one: at order 21, that it wins tells nearly as much as both
  // noisy scores would.
  it("bounds D_α/α, which comes within 2 % of it", () => {
    const largest = largestSlope(variance);
    expect(largest.isBelow(rho)).toBe(true);
    expect(largest.isAbove(rho.times("0.98"))).toBe(true);
  });

  it("is exceeded with 5 % less noise", () => {
    expect(largestSlope(variance.times("0.9025")).isAbove(rho)).toBe(true);
  });
});
