import { describe, expect, it } from "vitest";
import { boundedRangeDelta } from "../../src/accounting/profile/bounded-range.js";
import { byCurve, planFor } from "../../src/discover/limited-plan.js";
import {
  failure,
  failureOf,
  type LimitedNoise,
  smallestThreshold,
  type ThresholdTerms,
} from "../../src/discover/limited-threshold.js";
import { Rational, rational } from "../../src/exact/rational.js";
import { tight } from "../support/tight-vectors.js";
import { vectors } from "../support/unknown-vectors.js";

const close = (value: Rational, decimal: string, digits: string) => {
  const off = rational(decimal).times(digits);
  return value.compare(rational(decimal).minus(off)) >= 0 && value.compare(rational(decimal).plus(off)) <= 0;
};

describe("The threshold of ⊥", () => {
  const cases = vectors.bot_threshold.map((vector) => ({
    ...vector,
    terms: {
      noise: vector.noise as LimitedNoise,
      scale: rational(vector.scale),
      newcomers: vector.m,
    } satisfies ThresholdTerms,
  }));

  it.each(cases)(
    "is the smallest integer for $noise noise of scale $scale, m = $m, δ = $delta",
    ({ terms, ...vector }) => {
      const threshold = smallestThreshold(terms, rational(vector.delta));
      expect(threshold).toBe(BigInt(vector.T_integer));
      const spent = failureOf(terms, Rational.of(threshold));
      expect(close(spent, vector.failure, "1e-14")).toBe(true);
      expect(spent.compare(rational(vector.failure).times("0.9999999999999999999999999999")) >= 0).toBe(true);
      if (vector.failure_one_less === null) return;
      const oneLess = failureOf(terms, Rational.of(threshold - 1n));
      expect(close(oneLess, vector.failure_one_less, "1e-14")).toBe(true);
      expect(oneLess.compare(vector.delta)).toBe(1);
    },
  );

  it.each(["gumbel", "exponential"] as const)("is found at once for hardly any noise (%s)", (noise) => {
    const terms = (scale: string) => ({ noise, scale: rational(scale), newcomers: 40 });
    expect(smallestThreshold(terms("1e-9"), rational("1e-6"))).toBe(1n);
    const far = failureOf(terms("1e-9"), Rational.ONE);
    expect(far).toEqual(failureOf(terms("1/512"), Rational.ONE));
    expect(far.compare(failureOf(terms("1/511"), Rational.ONE))).toBe(-1);
    expect(far.compare(rational("1e-220"))).toBe(-1);
    // A δ below all that is computed is still kept, if not by the smallest integer.
    expect(smallestThreshold(terms("1/512"), rational("1e-300"))).toBe(2n);
    expect(failureOf(terms("1/512"), rational(2), rational("1e-300"))).toEqual(rational("1e-300"));
  });

  it.each(["gumbel", "exponential"] as const)(
    "is 0 from where δ is the failure there: m/(m + 1) (%s)",
    (noise) => {
      for (const newcomers of [1, 2, 40]) {
        const terms = { noise, scale: rational("1/10"), newcomers };
        const zero = Rational.of(BigInt(newcomers), BigInt(newcomers) + 1n);
        expect(failureOf(terms, Rational.ZERO)).toEqual(zero);
        expect(smallestThreshold(terms, zero)).toBe(0n);
        expect(smallestThreshold(terms, zero.minus("1e-30"))).toBe(1n);
      }
    },
  );

  it.each(["gumbel", "exponential"] as const)("is right for a δ next to a boundary (%s)", (noise) => {
    const terms = { noise, scale: rational("7/3"), newcomers: 40 };
    const exact = failure(terms, rational(19))(400);
    const hair = rational("1e-40");
    expect(smallestThreshold(terms, exact.upper().plus(hair))).toBe(19n);
    expect(smallestThreshold(terms, exact.lower().minus(hair))).toBe(20n);
  });

  it.each(["gumbel", "exponential"] as const)("holds over many parameters (%s)", (noise) => {
    for (const newcomers of [1, 2, 1000, 1_000_000])
      for (const scale of ["1/50", "1", "40", "12345"].map((text) => rational(text)))
        for (const delta of ["0.6", "1/100", "1e-12", "1e-60"].map((text) => rational(text))) {
          const terms = { noise, scale, newcomers };
          const threshold = smallestThreshold(terms, delta);
          expect(failureOf(terms, Rational.of(threshold), delta).compare(delta)).not.toBe(1);
          if (threshold > 0n) expect(failureOf(terms, Rational.of(threshold - 1n)).compare(delta)).toBe(1);
        }
  });
});

describe("The noise for a budget", () => {
  const terms = (vector: (typeof vectors.calibration)[number]) => ({
    k: vector.k,
    range: rational(vector.r),
    newcomers: vector.m,
    delta: rational(vector.delta),
    noise: undefined,
  });

  it.each(vectors.calibration)("is the smallest for ε = $epsilon, δ = $delta, k = $k", (vector) => {
    const curve = byCurve(rational(vector.epsilon), { ...terms(vector), noise: "gumbel" });
    expect(curve.scale.compare(vector.tau_renyi)).not.toBe(-1);
    expect(close(curve.scale, vector.tau_renyi, "1e-9")).toBe(true);
    expect(curve.threshold).toBe(rational(vector.T_renyi).ceil());
    const gumbel = planFor({ epsilon: vector.epsilon }, { ...terms(vector), noise: "gumbel" });
    expect(gumbel.threshold).toBeLessThanOrEqual(curve.threshold);
    const exponential = planFor({ epsilon: vector.epsilon }, { ...terms(vector), noise: "exponential" });
    expect(exponential.scale.equals(vector.beta)).toBe(true);
    expect(exponential.threshold).toBe(rational(vector.T_exponential).ceil());
    const concentrated = planFor(
      { rho: vector.rho },
      { ...terms(vector), delta: rational(vector.delta).dividedBy(2n) },
    );
    expect(close(concentrated.scale, vector.tau_zcdp, "1e-14")).toBe(true);
    expect(concentrated.threshold).toBe(rational(vector.T_zcdp).ceil());
  });

  it.each(vectors.calibration)("keeps what it promises: ε = $epsilon, k = $k", (vector) => {
    for (const noise of ["gumbel", "exponential", undefined] as const) {
      const { privacy } = planFor({ epsilon: vector.epsilon }, { ...terms(vector), noise });
      if (privacy.measure !== "approx") throw new Error("not in the measure of the budget");
      expect(rational(privacy.epsilon).compare(vector.epsilon)).not.toBe(1);
      expect(privacy.delta.compare(vector.delta)).not.toBe(1);
    }
  });

  it.each(tight.limited_threshold)("has the threshold of the best split of δ: k = $k", (vector) => {
    const { k, m: newcomers, epsilon } = vector;
    const asked = { k, range: rational(1n), newcomers, delta: rational(vector.delta) };
    const plan = planFor({ epsilon }, { ...asked, noise: "gumbel" });
    const reached = Number(plan.threshold) + 1;
    expect(reached).toBeLessThanOrEqual(Number(vector.r_plus_T) * 1.005 + 1);
    if (k >= 10) expect(reached).toBeLessThan(Number(vector.today));
    expect(rational(plan.privacy.delta ?? 0n).compare(vector.delta)).not.toBe(1);
  });

  it.each([
    [
      "the failure of the threshold beside that of the rounds",
      (failure: number, rounds: number) => failure + (1 - failure) * rounds,
    ],
    ["the rounds alone", (_: number, rounds: number) => rounds],
    ["the threshold alone", (failure: number) => failure],
  ] as const)("promises what the recursion says, and not %s", (what, together) => {
    const k = 10;
    const asked = { k, range: rational(1n), newcomers: 1000, delta: rational("1e-6") };
    const { scale, failure, privacy } = planFor({ epsilon: 1 }, { ...asked, noise: "gumbel" });
    const rounds = boundedRangeDelta({ epsilon: 1, range: rational(1n).dividedBy(scale), rounds: k });
    const claim = (privacy.delta ?? rational(0n)).toNumber();
    const found = together(failure.toNumber(), rounds.toNumber());
    if (what.startsWith("the failure")) expect(claim).toBeCloseTo(found, 18);
    else expect(claim).toBeGreaterThan(1.5 * found);
  });

  it("is exponential where that has the lower threshold, for few names, and else Gumbel", () => {
    const noises = [1, 2, 3, 4, 10].map(
      (k) => planFor({ epsilon: 1 }, { ...terms(vectors.calibration[0]), k }).noise,
    );
    expect(noises).toEqual(["exponential", "exponential", "exponential", "gumbel", "gumbel"]);
    expect(planFor({ rho: 1 }, { ...terms(vectors.calibration[0]), k: 1 }).noise).toBe("gumbel");
    expect(planFor({ scale: 1 }, { ...terms(vectors.calibration[0]), k: 9 }).noise).toBe("exponential");
  });
});
