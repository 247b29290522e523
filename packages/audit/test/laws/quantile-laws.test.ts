import { describe, expect, it } from "vitest";
import { quantile } from "../../../core/src/numbers/quantile.js";
import { quantiles } from "../../../core/src/numbers/quantiles.js";
import { bitTree } from "../../../core/src/testing/bit-tree.js";
import { expectLaw } from "../../../core/test/support/expect-law.js";
import { parameterOf, vectors } from "../../../core/test/support/more-vectors.js";
import type { Law } from "../../src/laws/law.js";
import { quantileLaw, quantilesLaw, upperBoundLaw, type ValueCounts } from "../../src/laws/quantile-laws.js";
import { expectEnclosed } from "../expect-enclosed.js";

const countsOf = (counts: readonly number[][]) => counts as unknown as ValueCounts;
const byValue = (lower: number, probs: readonly string[]) =>
  Object.fromEntries(probs.map((prob, i) => [String(lower + i), prob]));
const digits = (law: Law) => Object.fromEntries([...law].map(([outcome, p]) => [outcome, String(p.lower())]));

describe("quantileLaw", () => {
  it.each(vectors.quantile)("has all digits of the reference law: $name", (vector) => {
    const { counts, lower, upper, p, tau, probs } = vector;
    const law = quantileLaw(countsOf(counts), { lower, upper, quantile: p, scale: tau });
    expectEnclosed(law, byValue(lower, probs));
  });

  it.each(vectors.quantile_base2)("has the reference rationals: $name", (vector) => {
    const { counts, lower, upper, p, eta, probs_exact } = vector;
    const law = quantileLaw(countsOf(counts), { lower, upper, quantile: p, eta: parameterOf(eta) });
    expectEnclosed(law, byValue(lower, probs_exact));
  });
});

describe("quantilesLaw", () => {
  it.each(vectors.quantiles)("has all digits of the reference law: $name", (vector) => {
    const { counts, lower, upper, ps, sub_cells, epsilon_level, outcomes } = vector;
    const law = quantilesLaw(countsOf(counts), {
      lower,
      upper,
      quantiles: ps,
      subCells: sub_cells,
      epsilonLevel: epsilon_level,
    });
    expectEnclosed(law, Object.fromEntries(outcomes.map(({ values, prob }) => [values.join(","), prob])));
  });
});

describe("upperBoundLaw", () => {
  it.each(vectors.upper_bound)("has all digits of the reference law: $name", (vector) => {
    const { counts_above, target, threshold_scale, query_scale, probs } = vector;
    const law = upperBoundLaw(counts_above, {
      target,
      thresholdScale: threshold_scale,
      queryScale: query_scale,
    });
    const names = [...counts_above.map((_, i) => String(i)), "none"];
    expectEnclosed(law, Object.fromEntries(names.map((name, i) => [name, probs[i]])));
  });
});

describe("By all bit strings", () => {
  it("quantile has its law", () => {
    const counts = countsOf([[1, 1]]);
    const options = { lower: 0, upper: 2, quantile: "1/2", scale: 1 } as const;
    const tree = bitTree((entropy) => quantile(counts, { ...options, entropy }).value, {
      depth: 18,
      key: String,
    });
    expect(tree.undecided.compare("1/3")).toBe(-1);
    expectLaw({ tree, probabilities: digits(quantileLaw(counts, options)) });
  });

  it("nobody's quantile is uniform, and a single point needs no bits", () => {
    const tree = bitTree(
      (entropy) => quantile([], { lower: 5, upper: 8, quantile: "1/3", epsilon: 1, entropy }).value,
      { depth: 12 },
    );
    expectLaw({ tree, probabilities: { 5: "1/4", 6: "1/4", 7: "1/4", 8: "1/4" } });
    const point = bitTree(
      (entropy) => quantiles([1, 2], { lower: 5, upper: 5, quantiles: [0, 1], epsilon: 1, entropy }).values,
      { depth: 12 },
    );
    expect([...point.mass.keys()]).toEqual(["5,5"]);
  });
});
