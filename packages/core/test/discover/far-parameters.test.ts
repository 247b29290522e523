import { describe, expect, it } from "vitest";
import { levelOfEach } from "../../src/discover/count-noise.js";
import { KeepCoin } from "../../src/discover/keep-probabilities.js";
import { measureCounts, Rational, rational, selectPartitions } from "../../src/index.js";
import { TruncatedLaplace } from "../../src/sample/truncated-laplace.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

/** The recursion of [DVGM20] in doubles. */
function keepProbabilities(epsilon: number, delta: number, counts: number): number[] {
  const chances = [0];
  for (let n = 1; n <= counts; n++) {
    const last = chances[n - 1];
    chances.push(Math.min(Math.exp(epsilon) * last + delta, 1 - Math.exp(-epsilon) * (1 - last - delta), 1));
  }
  return chances;
}

describe("The probability that a name is kept", () => {
  it.each([
    ["1", "1e-3"],
    ["1/10", "1e-6"],
    ["3", "1/5"],
    ["1/100", "9/10"],
    ["30", "1e-12"],
  ])("is that of the recursion, step by step: ε = %s, δ = %s", (epsilon, delta) => {
    const coin = new KeepCoin(rational(epsilon), rational(delta));
    const expected = keepProbabilities(Number(rational(epsilon)), Number(rational(delta)), 300);
    for (const [count, chance] of expected.entries()) {
      const enclosed = coin.enclose(count, 64);
      if (enclosed === undefined) expect(chance).toBeCloseTo(1, 9);
      else expect(enclosed.toNumber("up")).toBeCloseTo(chance, 9);
    }
  });

  it("is enclosed narrowly at any count, without the ones before it", () => {
    const coin = new KeepCoin(rational("1e-12"), rational("1e-15"));
    // π_n = δ·(e^(nε) − 1)/(e^ε − 1) in the first branch.
    const chance = coin.enclose(1_000_000_000_000, 64);
    expect(chance?.toNumber("up")).toBeCloseTo(0.0017182818284, 12);
    expect((chance?.toNumber("up") ?? 1) - (chance?.toNumber("down") ?? 0)).toBeLessThan(1e-18);
    expect(coin.enclose(100_000_000_000_000, 64)).toBeUndefined();
  });

  it.each(["1e-300", "1e-6", 2 ** 24, 2e7, 1e9, "1e300"])("is known at ε = %s", (epsilon) => {
    const people = { many: 10n ** 400n, few: 1 };
    const { winners } = selectPartitions(people, {
      maxItemsPerUser: 1,
      epsilon,
      delta: "1e-300",
      entropy: seededEntropy(String(epsilon)),
    });
    expect(winners).toEqual([{ candidate: "many" }]);
  });

  it("is 1 from two people on at a huge ε and a δ that leaves nothing else", () => {
    const coin = new KeepCoin(rational(1e9), rational("1/2"));
    expect(coin.enclose(1, 64)?.contains("1/2")).toBe(true);
    expect(coin.enclose(3, 64)).toBeUndefined();
  });
});

describe("The bound of truncated noise", () => {
  it.each(["1e-300", "1e-6", "1/3", 1, 20])(
    "is the least whose probability is at most δ: ε = %s",
    (epsilon) => {
      const delta = rational("1e-9");
      const { bound, failure } = new TruncatedLaplace(rational(epsilon), delta);
      expect(failure.compare(delta)).toBeLessThanOrEqual(0);
      // One less would fail more often than δ, so δ is nearly reached where steps are small.
      if (rational(epsilon).compare("1/100") < 0) expect(failure.times("1.01").compare(delta)).toBe(1);
      expect(bound).toBeGreaterThan(0n);
    },
  );

  it.each([5e4, 1e5, 1e9, 1e300])("takes no longer for a huge ε = %s", (epsilon) => {
    const { threshold, privacy } = selectPartitions(
      { a: 5 },
      { maxItemsPerUser: 1, epsilon, delta: "1e-6", counts: true, entropy: seededEntropy(1) },
    );
    expect(threshold).toEqual(Rational.of(2n));
    expect(privacy.delta?.compare("1e-200")).toBe(-1);
  });

  it("keeps its promise where δ is smaller than any probability that is computed", () => {
    const delta = rational("1e-300");
    const { bound, failure } = new TruncatedLaplace(Rational.ONE, delta);
    expect(bound).toBe(691n);
    expect(failure).toEqual(delta);
  });
});

describe("The level of each of several counts", () => {
  it.each(["1e-76", "1e-100", "1e-300", "1e-1000"])("is above 0 and nearly its share for %s", (level) => {
    const each = levelOfEach(rational(level), 5);
    expect(each.times(5n).compare(rational(level).times("0.999999"))).toBe(1); // (1 − each)^5 = 1 − level
    expect(each.times(5n).compare(rational(level).times("1.000001"))).toBe(-1);
  });

  it.each(["1e-76", "1e-300"])("is below 1 for 1 − %s", (rest) => {
    expect(levelOfEach(Rational.ONE.minus(rest), 3).compare(1n)).toBe(-1);
  });

  it("serves thresholds and intervals of a tiny δ", () => {
    const options = { maxItemsPerUser: 5, epsilon: 1, entropy: seededEntropy(2) };
    const thresholds = ["1e-70", "1e-76", "1e-300"].map(
      (delta) => selectPartitions({ a: 1_000_000 }, { ...options, delta }).threshold ?? Rational.ZERO,
    );
    expect(thresholds).toEqual(thresholds.toSorted((a, b) => a.compare(b)));
    const confidence = Rational.ONE.minus("1e-100");
    const measured = measureCounts({ a: 5 }, ["a", "b", "c"], { variance: 100, confidence });
    expect(measured.simultaneous.compare(measured.halfWidth)).toBeGreaterThanOrEqual(0);
  });
});
