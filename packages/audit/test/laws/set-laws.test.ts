import { describe, expect, it } from "vitest";
import { eta } from "winnow-dp";
import { lawOfSets, vectors } from "../../../core/test/support/set-vectors.js";
import { setLaw, setUtility } from "../../src/laws/set-laws.js";
import { expectEnclosed } from "../expect-enclosed.js";

describe("setLaw", () => {
  it.each(vectors.set_law)(
    "reproduces the reference values: $name",
    ({ counts, k, lambda, tau, outcomes }) => {
      const law = setLaw(counts, { k, scale: tau, outsiderShare: lambda });
      expectEnclosed(law, lawOfSets(outcomes));
    },
  );

  it.each(vectors.set_law_base2)("reproduces the reference values in base 2: $name", (vector) => {
    const { x, y, z } = vector.eta;
    const law = setLaw(vector.counts, { k: vector.k, scale: eta(x, y, z), outsiderShare: vector.lambda });
    for (const { set, prob_exact } of vector.outcomes)
      expect(law.get(String(set))!.contains(prob_exact)).toBe(true);
  });
});

describe("setUtility", () => {
  it.each(
    vectors.set_utility.flatMap(({ results, ...vector }) =>
      results.map((result) => ({ ...vector, ...result })),
    ),
  )("reproduces the reference values: $name, λ = $lambda", ({ h, k, tau, lambda, prob_first, recall }) => {
    const utility = setUtility(h, { k, scale: tau, outsiderShare: lambda });
    expectEnclosed(new Map(Object.entries(utility)), { first: prob_first, recall });
  });
});
