import { describe, it } from "vitest";
import { eta } from "../../src/accounting/base2-parameter.js";
import { rational } from "../../src/exact/rational.js";
import { topKSet } from "../../src/select/top-k-set.js";
import { lawOfSets, scoresOf, vectors } from "../support/set-vectors.js";
import { expectAccepts, expectRejects, tally } from "../support/tally.js";

const RUNS = 6000;

describe("topKSet", () => {
  it.each(vectors.set_law)("has its law: $name", ({ name, counts, k, lambda, tau, outcomes }) => {
    const scores = scoresOf(counts);
    const draws = tally({
      seed: `set ${name}`,
      runs: RUNS,
      sample: (entropy) => topKSet(scores, { k, scale: tau, outsiderShare: lambda, entropy }).candidates,
    });
    expectAccepts(draws, lawOfSets(outcomes));
  });

  it.each(vectors.set_law_base2)(
    "has its law in base 2: $name",
    ({ name, counts, k, lambda, outcomes, ...vector }) => {
      const { x, y, z } = vector.eta;
      const draws = tally({
        seed: `base-2 set ${name}`,
        runs: RUNS,
        sample: (entropy) =>
          topKSet(counts, { k, eta: eta(x, y, z), outsiderShare: lambda, entropy }).candidates,
      });
      expectAccepts(draws, lawOfSets(outcomes));
    },
  );

  it("has another law when the scale is 10 % off, and when the lead of the best set is cut off", () => {
    const { counts, k, lambda, tau, outcomes } = vectors.set_law[0];
    const scores = scoresOf(counts);
    const sample = (scale: string) =>
      tally({
        seed: `set with scale ${scale}`,
        runs: 5 * RUNS,
        sample: (entropy) => topKSet(scores, { k, scale, outsiderShare: lambda, entropy }).candidates,
      });
    expectRejects(sample(rational(tau).times("1.1").toString()), lawOfSets(outcomes));
    expectRejects(sample(tau), lawOfSets(truncated(outcomes)));
  });
});

/** The law of the truncated score min(0, q) of [SL22]: the best set weighs as much as a set whose penalty is its lead. */
function truncated(outcomes: (typeof vectors.set_law)[0]["outcomes"]) {
  const weights = outcomes.map(({ set, score }) => ({
    set,
    weight: Math.exp(Math.min(0, rational(score).toNumber())),
  }));
  const total = weights.reduce((sum, { weight }) => sum + weight, 0);
  return weights.map(({ set, weight }) => ({ set, prob: String(weight / total) }));
}
