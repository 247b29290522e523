/**
 * The accounting of the multi-label experiment of [ZW22], by the run itself: 600 queries, 40 labels, σ₁ = 50 for choosing k,
 * σ = 60 and δ = 10⁻⁹ in the test, δ = 10⁻⁶ in all. The paper reports ε = 3.6; `accounting/teacher-accounting.test.ts` has
 * what each bound gives and why that one is refuted.
 */
import { describe, expect, it } from "vitest";
import { approx } from "../../src/accounting/loss.js";
import { rational } from "../../src/exact/rational.js";
import { labelByTeachers, type TeacherOptions } from "../../src/pate/label-by-teachers.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

const gaussian = { noise: "gaussian", variance: 2500 } as const;
/** The same standard deviation, 50 = τπ/√6, with τ rounded up. */
const gumbel = { noise: "gumbel", scale: "38.98484006168381" } as const;

const nobody = new Uint8Array(600 * 40); // one teacher, who never votes: the account does not look at votes

function epsilonOf(options: Partial<TeacherOptions>): { epsilon: string; accounting: string } {
  const { privacy, accounting, queries } = labelByTeachers(nobody, {
    task: "multi-label",
    teachers: 1,
    labels: 40,
    test: { variance: 3600 },
    delta: "1e-9",
    limit: approx(1000, "1e-6"),
    entropy: seededEntropy("celebrities"),
    ...options,
  } as TeacherOptions);
  expect(queries).toBe(600);
  const { epsilon } = privacy as ReturnType<typeof approx>;
  return { epsilon: rational(epsilon).toNumber().toFixed(2), accounting };
}

describe("600 multi-label queries, a teacher replaced", () => {
  it("cost 52.56 or 51.08 with Gaussian noise: the bound on all noisy gaps together is the smallest proven", () => {
    expect(epsilonOf({ choose: gaussian, conversion: "simple" })).toEqual({
      epsilon: "52.56",
      accounting: "zcdp",
    });
    expect(epsilonOf({ choose: gaussian })).toEqual({ epsilon: "51.08", accounting: "zcdp" });
  });

  it("cost 9.26 or 8.58 with Gumbel noise as concentrated losses, and a little less by its Rényi curve", () => {
    const concentrated = { choose: gumbel, accounting: "zcdp" } as const;
    expect(epsilonOf({ ...concentrated, conversion: "simple" })).toEqual({
      epsilon: "9.26",
      accounting: "zcdp",
    });
    expect(epsilonOf(concentrated)).toEqual({ epsilon: "8.58", accounting: "zcdp" });
    expect(epsilonOf({ choose: gumbel })).toEqual({ epsilon: "8.57", accounting: "renyi" });
  });
});

describe("one query", () => {
  const once = (options: object) =>
    labelByTeachers([new Uint8Array(40_000)], {
      task: "multi-label",
      teachers: 1,
      labels: 40_000,
      choose: { noise: "gaussian", variance: 2500 },
      maxK: 30_000,
      test: { variance: 3600 },
      delta: "1e-9",
      limit: approx(1000, "1e-6"),
      entropy: seededEntropy("one"),
      ...options,
    } as TeacherOptions);

  it("among very many labels is better accounted for by one gap and a logarithm", () => {
    const [best, concentrated] = [once({}), once({ accounting: "zcdp" })];
    expect(best.accounting).toBe("renyi");
    const size = ({ privacy }: typeof best) =>
      rational((privacy as ReturnType<typeof approx>).epsilon).toNumber();
    expect(size(best)).toBeLessThan(size(concentrated) / 5);
  });
});
