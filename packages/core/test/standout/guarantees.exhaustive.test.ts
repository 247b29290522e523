import { describe, expect, it } from "vitest";
import { convert } from "../../src/accounting/convert.js";
import { zcdp } from "../../src/accounting/loss.js";
import type { Interval } from "../../src/exact/interval.js";
import { rational } from "../../src/exact/rational.js";
import { StabilityTest } from "../../src/standout/stability-test.js";
import {
  addTo,
  type ExactLaw,
  type FixedLawOptions,
  fixedLaw,
  gaussianTail,
  laplaceTail,
  passing,
  setName,
  softmax,
  sorted,
  stableLaw,
} from "./exact-laws.js";
import { worstDelta } from "./hockey-stick.js";
import { added, allHistograms, replaced } from "./neighbours.js";

/**
 * The guarantees, checked on all small histograms and all their neighbours, for all sets of answers. The laws are the
 * closed forms that vectors, bit trees and simulations tie to the code; thresholds and scales are those of the code.
 */

const EPSILONS = [0, 0.1, 0.5, 1, 2, 4, 8, 16];

const NEIGHBOURS = [
  { change: "a person is added or removed", neighbours: added, gapSensitivity: 1, range: 1 },
  { change: "a person is replaced", neighbours: replaced, gapSensitivity: 2, range: 2 },
];

/** All pairs of neighbours, each law computed once. */
function pairsOf(
  histograms: readonly number[][],
  neighbours: (histogram: readonly number[]) => number[][],
  lawOf: (histogram: readonly number[]) => ExactLaw,
): [ExactLaw, ExactLaw][] {
  const laws = new Map<string, ExactLaw>();
  const law = (histogram: readonly number[]) => {
    const known = laws.get(String(histogram)) ?? lawOf(histogram);
    laws.set(String(histogram), known);
    return known;
  };
  return histograms.flatMap((histogram) =>
    neighbours(histogram).map((other): [ExactLaw, ExactLaw] => [law(histogram), law(other)]),
  );
}

/** What is left of a law when candidates that nobody has are dropped from the sets, as on an unknown domain. */
function withoutUnmentioned(law: ExactLaw, histogram: readonly number[]): ExactLaw {
  const dropped = new Map<string, Interval>();
  for (const [outcome, probability] of law) {
    const [head, set] = outcome.split(": ");
    const kept = set.split(" ").filter((index) => !/^\d+$/.test(index) || histogram[Number(index)] > 0);
    addTo(dropped, `${head}: ${kept.join(" ")}`, probability);
  }
  return dropped;
}

describe.each(NEIGHBOURS)("when $change", ({ neighbours, gapSensitivity, range }) => {
  const [delta, maxK] = ["1/50", 3];
  const histograms = allHistograms(3, 6);
  // Gumbel noise of scale 1 and Gaussian noise of σ² = 1, for either sensitivity.
  const rho = rational(gapSensitivity * gapSensitivity);
  const { threshold } = new StabilityTest(BigInt(gapSensitivity), { rho: rho.dividedBy(2n) }, { delta });
  const stable = { maxK, gapSensitivity, scale: 1, tail: gaussianTail(1), threshold: Number(threshold) };

  it("largestGap is ε-DP, and no less", () => {
    const epsilon = rational(2 * gapSensitivity);
    const lawOf = (histogram: readonly number[]) => {
      const counts = sorted(histogram).map(({ count }) => count);
      const gaps = [counts[0] - counts[1], counts[1] - counts[2], counts[2]];
      return new Map(softmax(gaps, 1).map((chance, j) => [String(j + 1), chance]));
    };
    const pairs = pairsOf(allHistograms(3, 5), neighbours, lawOf);
    expect(worstDelta(pairs, epsilon).toNumber()).toBeLessThan(1e-40);
    expect(worstDelta(pairs, epsilon.times("0.75")).toNumber()).toBeGreaterThan(1e-3);
  });

  it("proposeTestRelease with Laplace noise is (ε, δ)-DP", () => {
    const epsilon = rational(gapSensitivity);
    const test = new StabilityTest(BigInt(gapSensitivity), { epsilon }, { delta });
    const tail = laplaceTail(1);
    const lawOf = (k: number) => (histogram: readonly number[]) => {
      const order = sorted([...histogram, 0]);
      const chance = passing(
        order[k - 1].count - order[k].count,
        gapSensitivity,
        Number(test.threshold),
        tail,
      );
      const set = setName(order.slice(0, k).map(({ index }) => index));
      return new Map([
        [set, chance],
        ["nothing", chance.negated().plus(1n)],
      ]);
    };
    for (const k of [1, 2, 3]) {
      const pairs = pairsOf(allHistograms(3, 8), neighbours, lawOf(k));
      expect(worstDelta(pairs, epsilon).compare(delta)).toBeLessThanOrEqual(0);
      // And no less, but for the gap down to a zero that nobody can move.
      if (k < 3) expect(worstDelta(pairs, epsilon.times("0.9")).compare(delta)).toBe(1);
    }
  });

  it.each([
    ["every candidate is known", (law: ExactLaw) => law],
    ["candidates are known by being counted", withoutUnmentioned],
  ])("stableTopK is δ-approximately ρ-zCDP where %s", (_, seen) => {
    const pairs = pairsOf(histograms, neighbours, (histogram) =>
      seen(stableLaw(histogram, stable), histogram),
    );
    for (const epsilon of EPSILONS) {
      const { delta: allowed } = convert(zcdp(rho, delta), { to: "approx", epsilon });
      expect(worstDelta(pairs, epsilon).compare(allowed)).toBeLessThanOrEqual(0);
    }
  });

  it.each([
    [1, "public"],
    [2, "public"],
    [1, "unknown"],
    [2, "unknown"],
  ] as const)("stableTopKFixed for k = %i of a domain that is %s is δ-approximately ρ-zCDP", (k, domain) => {
    const fixed: FixedLawOptions = {
      ...stable,
      k,
      domain,
      cap: 2 * Number(threshold) + gapSensitivity + 1,
      regulariser: (j) => -Math.abs(j - k),
      // K rounds share as much as choosing and testing: r·√(K/8ρ), rounded up.
      roundScale: (rounds) => (range / gapSensitivity) * (rounds === 1 ? 0.36 : 0.5),
    };
    const lawOf = (histogram: readonly number[]) => fixedLaw(histogram, fixed);
    const pairs = pairsOf(allHistograms(3, 4), neighbours, lawOf);
    for (const epsilon of EPSILONS) {
      const { delta: allowed } = convert(zcdp(rho.times(2n), delta), { to: "approx", epsilon });
      expect(worstDelta(pairs, epsilon).compare(allowed)).toBeLessThanOrEqual(0);
    }
  });
});
