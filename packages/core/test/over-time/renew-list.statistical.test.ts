import { describe, it } from "vitest";
import type { Entropy } from "../../src/entropy.js";
import { renewList } from "../../src/over-time/renew-list.js";
import { renewalLaw } from "../support/renewal-law.js";
import { expectAccepts, expectRejects, tally } from "../support/tally.js";

const WEEKS = [
  [3, 2, 0],
  [1, 3, 2],
  [0, 1, 3],
];

/** ε = 2: two lists of 1/4 and a half, b₁ = 2 and b₂ = 4. */
const renewal = renewList({
  ...{ k: 1, renewals: 1, epsilon: "3/2", monotone: true, listShare: "1/3" },
  scales: { threshold: 2, query: 4 },
});
const WORLD = { k: 1, renewals: 1, tolerance: 0, threshold: 2, query: 4, listScale: 4 };

/** Three weeks, as a transcript of `renewalLaw`. */
function horizon(list: typeof renewal, weeks: readonly number[][], entropy: Entropy): string {
  let step = list.start(weeks[0], entropy);
  let said = String(step.candidates);
  for (const week of weeks.slice(1)) {
    step = list.next(step.state, week, entropy);
    said += step.isRenewed ? `|${step.candidates}` : "|.";
  }
  return said;
}

describe("renewList", () => {
  it("has the law of its formula, and not that of fresh noise in each week", () => {
    const draws = tally({
      seed: "renewed lists",
      runs: 24_000,
      sample: (entropy) => horizon(renewal, WEEKS, entropy),
    });
    expectAccepts(draws, textOf(renewalLaw(WEEKS, WORLD)));
    expectRejects(draws, textOf(renewalLaw(WEEKS, WORLD, { freshNoise: true })));
  });

  it("tests with Gumbel noise around a discrete Gaussian in zCDP", () => {
    const zcdp = renewList({ k: 1, renewals: 1, rho: 1, monotone: true });
    // The lists are almost sure, so the answer to one test is left.
    const draws = tally({
      seed: "Gumbel tests",
      runs: 9000,
      sample: (entropy) =>
        horizon(
          zcdp,
          [
            [200, 0],
            [4, 0],
          ],
          entropy,
        ) !== "0|.",
    });
    const [variance, scale] = [gaussianVariance(), gumbelScale()];
    expectAccepts(draws, above(variance, scale));
    expectRejects(draws, above(variance, scale * 1.25));
  });
});

function textOf(law: Map<string, number>): Record<string, string> {
  return Object.fromEntries([...law].map(([said, p]) => [said, String(p)]));
}

// The split of ρ/2 = 1/2 for r = 1 and one renewal: 1 : 2π√(1/6).
const WEIGHT = 2 * Math.PI * Math.sqrt(1 / 6);

function gaussianVariance(): number {
  return 1 / (2 * (0.5 / (1 + WEIGHT)));
}

function gumbelScale(): number {
  return Math.sqrt((2 * 2) / (2 * ((0.5 * WEIGHT) / (1 + WEIGHT))));
}

/** P(ν ≥ Z + 4). */
function above(variance: number, scale: number): Record<string, string> {
  let [sum, total] = [0, 0];
  for (let z = -60; z <= 60; z++) {
    const weight = Math.exp(-(z * z) / (2 * variance));
    total += weight;
    sum += weight * -Math.expm1(-Math.exp(-(z + 4) / scale));
  }
  return { true: String(sum / total), false: String(1 - sum / total) };
}
