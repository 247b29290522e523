import { describe, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { proposeTestRelease } from "../../src/standout/propose-test-release.js";
import { expectAccepts, expectRejects, tally } from "../support/tally.js";
import { vectors } from "../support/vectors.js";

/** The real function, many times on seeded bits, against the release probabilities of the vectors. */

describe("proposeTestRelease releases as often as its vectors say", () => {
  it.each(vectors.ptr)("$kind, δ = $delta_t, Δ = $gap_sensitivity", (vector) => {
    const noise =
      vector.kind === "discrete_gaussian" ? { variance: vector.sigma2 } : { epsilon: vector.epsilon };
    const release = vector.release.map((row) => ({
      gap: row.gap,
      closed: "p_subgaussian" in row ? row.p_subgaussian : row.p_paper_lambda,
    }));
    const isOpen = (p: string) => rational(p).compare("0.01") > 0 && rational(p).compare("0.99") < 0;
    for (const { gap, closed } of release.filter((row) => isOpen(row.closed))) {
      const options = {
        k: 1,
        ...noise,
        delta: vector.delta_t,
        thresholdRule: "closed-form" as const,
        monotone: vector.gap_sensitivity === 1,
      };
      const draws = tally({
        seed: `test of a gap of ${gap}, ${JSON.stringify(noise)}`,
        runs: 5000,
        sample: (entropy) => proposeTestRelease([gap], { ...options, entropy }).released,
      });
      const chance = rational(closed);
      expectAccepts(draws, { true: chance.toNumber() });
      expectRejects(draws, { true: chance.times("0.75").toNumber() });
    }
  });
});
