import { describe, expect, it } from "vitest";
import { Rational, rational } from "../../../core/src/exact/rational.js";
import { binomialTail, clopperPearson } from "../../src/statistics/clopper-pearson.js";

describe("The interval of Clopper and Pearson", () => {
  it.each([
    // Computed with 40 digits from sums of binomial terms.
    { hits: 0, runs: 10, confidence: "0.95", lower: 0, upper: 0.30849710781876 },
    { hits: 5, runs: 10, confidence: "0.95", lower: 0.18708602844739, upper: 0.8129139715526 },
    { hits: 10, runs: 100, confidence: "0.95", lower: 0.04900468922148, upper: 0.17622259774002 },
    { hits: 1, runs: 1, confidence: "0.9", lower: 0.05, upper: 1 },
  ])(
    "for $hits of $runs at $confidence is from $lower to $upper",
    ({ hits, runs, confidence, lower, upper }) => {
      const interval = clopperPearson({ hits, runs }, confidence);
      expect(interval.lower.toNumber()).toBeCloseTo(lower, 8);
      expect(interval.upper.toNumber()).toBeCloseTo(upper, 8);
      // Never narrower than it should be.
      expect(interval.lower.toNumber("down")).toBeLessThanOrEqual(lower + 1e-13);
      expect(interval.upper.toNumber("up")).toBeGreaterThanOrEqual(upper - 1e-13);
    },
  );

  it("for no hit ends where all misses are as likely as the confidence leaves", () => {
    const { upper } = clopperPearson({ hits: 0, runs: 50 }, "0.99");
    let allMissed = Rational.ONE;
    for (let run = 0; run < 50; run++) allMissed = allMissed.times(Rational.ONE.minus(upper));
    expect(allMissed.compare("0.005")).toBeLessThanOrEqual(0);
    expect(allMissed.compare("0.00499")).toBe(1);
  });

  it("follows some standard deviations of terms, not a share of the runs", { timeout: 30_000 }, () => {
    // Half of 10^9 runs and more: 1/2 and half of the middle term. A sixth of all terms would take minutes.
    const tail = binomialTail(5e8, 1e9, Rational.of(1n, 2n));
    expect(tail.toNumber("up")).toBeCloseTo(0.5 + Math.sqrt(1 / (2 * Math.PI * 1e9)), 12);
    expect(tail.upper().minus(tail.lower()).compare("1e-20")).toBe(-1);
  });

  it.each([1, 2, 5, 12])("covers the truth as often as it says, for %i runs and any p", (runs) => {
    const confidence = rational("0.8");
    const intervals = Array.from({ length: runs + 1 }, (_, hits) =>
      clopperPearson({ hits, runs }, confidence),
    );
    for (let tenth = 1; tenth < 20; tenth++) {
      const p = Rational.of(BigInt(tenth), 20n);
      let covered = Rational.ZERO;
      let term = power(Rational.ONE.minus(p), runs);
      for (let hits = 0; hits <= runs; hits++) {
        const { lower, upper } = intervals[hits];
        if (lower.compare(p) <= 0 && upper.compare(p) >= 0) covered = covered.plus(term);
        const odds = p.dividedBy(Rational.ONE.minus(p));
        term = term.times(odds).times(Rational.of(BigInt(runs - hits), BigInt(hits + 1)));
      }
      expect(covered.compare(confidence)).toBeGreaterThanOrEqual(0);
    }
  });

  it.each([
    { hits: 3, runs: 2, field: "hits" },
    { hits: -1, runs: 2, field: "hits" },
    { hits: 0, runs: 0, field: "runs" },
  ])("refuses $hits hits in $runs runs", ({ hits, runs, field }) => {
    expect(() => clopperPearson({ hits, runs }, "0.95")).toThrow(`${field} must be`);
  });

  it("refuses a confidence that is none", () => {
    for (const confidence of [0, 1, "3/2"])
      expect(() => clopperPearson({ hits: 1, runs: 2 }, confidence)).toThrow("confidence must be");
  });
});

function power(base: Rational, exponent: number): Rational {
  let product = Rational.ONE;
  for (let i = 0; i < exponent; i++) product = product.times(base);
  return product;
}
