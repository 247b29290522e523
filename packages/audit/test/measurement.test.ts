import { describe, expect, it } from "vitest";
import { isBounded } from "../../core/src/accounting/extended.js";
import { type Rational, rational } from "../../core/src/exact/rational.js";
import { makeNoisyTopK } from "../../core/src/select/noisy-top-k.js";
import { exponentialTopKLaw } from "../src/laws/top-k-laws.js";
import { likelihoodRatio } from "../src/likelihood-ratio.js";

/** A valid measurement [Sho25, Theorem 2.1]: members that the metric has d apart lose at most map(d). */

const VALUES = [0, 0.5, 1, 3];
const INPUTS = VALUES.flatMap((a) => VALUES.flatMap((b) => VALUES.map((c) => [a, b, c])));
const SCALE = 2;

function worstShares(k: number, monotone: boolean): { within: number; beyond: number } {
  const measurement = makeNoisyTopK({ k, measure: "pure", scale: SCALE, monotone });
  const laws = INPUTS.map((scores) => exponentialTopKLaw(scores, { k, scale: SCALE, precision: 96 }));
  let [within, beyond] = [0, 0];
  for (const [i, first] of INPUTS.entries())
    for (const [j, second] of INPUTS.entries()) {
      if (i === j || (i + j) % 3 !== 0) continue;
      expect(measurement.domain.contains(first)).toBe(true);
      const distance = measurement.metric.distance(first, second);
      const loss = rational(likelihoodRatio(laws[i], [laws[j]]).most).toNumber();
      if (isBounded(distance)) {
        within = Math.max(within, loss / (measurement.map(distance).epsilon as Rational).toNumber());
        continue;
      }
      const largest = Math.max(...first.map((score, at) => Math.abs(score - second[at])));
      beyond = Math.max(beyond, loss / (measurement.map(largest).epsilon as Rational).toNumber());
    }
  return { within, beyond };
}

describe("The map of a noisy top k, over pairs of a small domain by its metric", () => {
  it.each([1, 2])("is never exceeded, and reached, for k = %d", (k) => {
    const { within } = worstShares(k, false);
    expect(within).toBeLessThan(1 + 1e-12);
    expect(within).toBeGreaterThan(0.8);
  });

  it("holds for monotone pairs, and the metric is right to exclude the others: they lose more", () => {
    const { within, beyond } = worstShares(1, true);
    expect(within).toBeLessThan(1 + 1e-12);
    expect(within).toBeGreaterThan(0.8);
    expect(beyond).toBeGreaterThan(1.2);
  });
});
