import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { vectors } from "./vectors.js";

describe("vectors", () => {
  it("has every section that its schema describes, and none is empty", () => {
    const described = Object.keys(vectors.schema).filter((section) => section !== "_about");
    for (const section of described) expect(vectors, section).toHaveProperty(section);
    for (const [section, cases] of Object.entries(vectors))
      if (section !== "schema") expect((cases as unknown[]).length, section).toBeGreaterThan(0);
  });

  it("has laws that sum to 1 as far as their digits go", () => {
    const complete = [
      ...vectors.base2_em.map(({ probs }) => probs),
      ...vectors.em_base_e.map(({ probs }) => probs),
      ...vectors.permute_and_flip.map(({ probs }) => probs),
      ...vectors.geometric.flatMap(({ truncated_mod_M }) => Object.values(truncated_mod_M)),
      ...[...vectors.pf_peel_topk, ...vectors.exp_oneshot_topk, ...vectors.gumbel_topk].map(({ outcomes }) =>
        outcomes.map(({ prob }) => prob),
      ),
      ...vectors.noisy_topk_gap.map(({ cells }) => cells.map(({ prob }) => prob)),
    ];
    for (const law of complete) {
      const total = law.reduce((sum, p) => sum.plus(p), rational(0));
      expect(Math.abs(total.minus(1).toNumber())).toBeLessThan(1e-26);
    }
  });
});
