import { describe, expect, it } from "vitest";
import { drawRuns, type RunsLaw, readRuns } from "../../src/sample/runs-law.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { expectLaw } from "../support/expect-law.js";
import { vectors } from "../support/set-vectors.js";

describe("drawRuns", () => {
  it.each([
    {
      name: "geometric",
      runs: { law: "truncated-negative-binomial", eta: 1, gamma: "1/2" },
      probs: ["0", "1/2", "1/4", "1/8"],
    },
    {
      name: "with shape 1/2",
      runs: { law: "truncated-negative-binomial", eta: "1/2", gamma: "3/4" },
      probs: ["0", "0.80801270189221932338"],
    },
    {
      name: "Poisson",
      runs: { law: "poisson", mean: "1/2" },
      probs: ["0.60653065971263342360", "0.30326532985631671180"],
    },
  ] as { name: string; runs: RunsLaw; probs: string[] }[])(
    "has its law by bit tree: $name",
    ({ runs, probs }) => {
      const read = readRuns("runs", runs);
      const tree = bitTree((entropy) => drawRuns(read, entropy), { depth: 14 });
      const law = Object.fromEntries(probs.flatMap((p, k) => (p === "0" ? [] : [[String(k), p]])));
      if (probs[0] === "0") expect(tree.mass.has("0")).toBe(false);
      for (const [k, p] of Object.entries(law)) {
        const mass = tree.mass.get(k)!.toNumber();
        const p0 = fraction(p);
        expect(mass).toBeLessThanOrEqual(p0 + 1e-15);
        expect(mass + tree.undecided.toNumber()).toBeGreaterThanOrEqual(p0 - 1e-15);
      }
      expect(tree.undecided.toNumber()).toBeLessThan(0.1);
    },
  );

  it("sums of counts have the law of a larger shape", () => {
    const read = readRuns("runs", { law: "truncated-negative-binomial", eta: 2, gamma: "1/2" });
    const tree = bitTree((entropy) => drawRuns(read, entropy), { depth: 16 });
    // (k + 1)·2^−k over 3: the law on k ≥ 0 has (k + 1)/2^(k + 2), and ¼ of it is at 0.
    expectLaw({ tree, probabilities: { "1": "1/3", "2": "1/4", "3": "1/6" } });
  });

  it.each([
    [
      { law: "truncated-negative-binomial", eta: -1, gamma: "1/2" },
      "eta must be a rational > -1 and <= 1000; got -1",
    ],
    [{ law: "truncated-negative-binomial", eta: 1, gamma: 0 }, "gamma must be a rational > 0 and < 1; got 0"],
    [{ law: "truncated-negative-binomial", eta: 1, gamma: "1e-12" }, "gamma must be at least 1/1000000000"],
    [{ law: "poisson", mean: 0 }, "mean must be a rational > 0; got 0"],
    [{ law: "poisson", mean: 1, gamma: 1 }, "unknown name"],
    [{ law: "uniform", mean: 1 }, "unknown name"],
  ])("refuses %o", (runs, message) => {
    expect(() => readRuns("runs", runs as RunsLaw)).toThrow(message);
  });

  it("knows the laws of the reference values", () => {
    expect(vectors.runs_law.map(({ law }) => law)).toContain("poisson");
  });
});

function fraction(text: string): number {
  const [a, b = "1"] = text.split("/");
  return Number(a) / Number(b);
}
