/** From (ε, δ) to the least Gumbel noise. */
import { describe, expect, it } from "vitest";
import { gumbelNoise, noiseForApprox } from "../../src/accounting/gumbel-scale.js";
import { deltaAtMost } from "../../src/accounting/profile/bounded-range.js";
import { rational } from "../../src/exact/rational.js";
import { approx, pure, scaleAtLeast } from "../../src/index.js";
import { tight } from "../support/tight-vectors.js";

const asked = (epsilon: string, delta: string, rounds: number, distance = "1") => ({
  epsilon: rational(epsilon),
  delta: rational(delta),
  rounds,
  distance: rational(distance),
});

describe("the least Gumbel noise of (ε, δ)", () => {
  it.each(tight.range_for)("for ($epsilon, $delta) and $k rounds has the largest range", (vector) => {
    const { scale, privacy } = gumbelNoise(asked(vector.epsilon, vector.delta, vector.k));
    const range = rational(1).dividedBy(scale);
    const least = rational(vector.eta ?? vector.eta_at_least ?? "").times("0.999");
    expect(range.compare(least)).toBeGreaterThanOrEqual(0);
    expect(range.compare(vector.eta ?? vector.eta_at_most ?? "")).toBeLessThanOrEqual(0);
    expect(privacy.epsilon).toEqual(rational(vector.epsilon));
    expect(privacy.delta.compare(vector.delta)).toBeLessThanOrEqual(0);
    expect(deltaAtMost(rational(vector.epsilon), { range, rounds: vector.k })).toEqual(privacy.delta);
  });

  it.each([
    ["1e-6", "1e-12", 7],
    ["50", "0.1", 7],
    ["1", "0.3", 40],
    ["0.01", "1e-9", 50],
    ["1", "1e-140", 30],
  ] as const)(
    "for (%s, %s) and %s rounds is certified for the scale that is used",
    (epsilon, delta, rounds) => {
      const { scale, privacy } = gumbelNoise(asked(epsilon, delta, rounds, "2/3"));
      const range = rational("2/3").dividedBy(scale);
      expect(deltaAtMost(rational(epsilon), { range, rounds }).compare(delta)).toBeLessThanOrEqual(0);
      expect(privacy.delta.compare(delta)).toBeLessThanOrEqual(0);
      expect(range.compare(rational(epsilon).dividedBy(rounds).times("0.99"))).toBe(1);
    },
  );

  it("comes from zCDP beyond 1,000 rounds", () => {
    const { scale, privacy } = gumbelNoise(asked("1", "1e-6", 1001));
    expect(scale.toNumber() / gumbelNoise(asked("1", "1e-6", 1000)).scale.toNumber()).toBeLessThan(1.08);
    expect(privacy.delta).toEqual(rational("1e-6"));
  });

  it("is taken where its standard deviation is the smaller one: from 7 winners on at (1, 10⁻⁶)", () => {
    const noises = (epsilon: string, delta: string) =>
      [2, 5, 6, 7, 10, 11, 20].map((k) => noiseForApprox(asked(epsilon, delta, k)).noise === "gumbel");
    expect(noises("1", "1e-6")).toEqual([false, false, false, true, true, true, true]);
    expect(noises("0.3", "1e-6")).toEqual([false, false, true, true, true, true, true]);
    expect(noises("1", "1e-9")).toEqual([false, false, false, false, false, true, true]);
    expect(noiseForApprox(asked("1", "1e-6", 2)).privacy).toEqual(approx(1, 0));
  });

  it("is what scaleAtLeast gives for a class of bounded range; other noise takes ε alone", () => {
    const target = approx(1, "1e-6");
    const scale = scaleAtLeast(target, { distance: 1, rounds: 100, class: "bounded-range" });
    expect(scale).toEqual(gumbelNoise(asked("1", "1e-6", 100)).scale);
    expect(scaleAtLeast(target, { distance: 2, rounds: 5 })).toEqual(
      scaleAtLeast(pure(1), { distance: 2, rounds: 5 }),
    );
    expect(() => scaleAtLeast(approx(1, 0), { distance: 1, class: "bounded-range" })).toThrow(
      "delta must be a rational > 0 and < 1; got 0",
    );
  });
});
