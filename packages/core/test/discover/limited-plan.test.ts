import { describe, expect, it } from "vitest";
import { approx, zcdp } from "../../src/accounting/loss.js";
import { type LimitedTerms, planFor } from "../../src/discover/limited-plan.js";
import { rational } from "../../src/exact/rational.js";

const TERMS: LimitedTerms = {
  k: 3,
  range: rational(2),
  newcomers: 5,
  delta: rational("1e-6"),
  noise: "gumbel",
};

/** A plan that takes no time. */
const quick = (scale: number) =>
  planFor({ scale }, { ...TERMS, newcomers: 1, delta: rational("1/2"), noise: "exponential" });

let asked = 1000;

/** Asks for so many other plans that none of those before is remembered. */
function forget(): void {
  for (let i = 0; i < 64; i++) quick(asked++);
}

describe("The noise for a scale", () => {
  it("is exponential unless it is asked for, and costs k·r/τ, or k·(r/τ)²/8 for Gumbel noise", () => {
    forget();
    const exponential = planFor({ scale: 4 }, { ...TERMS, noise: undefined });
    expect(exponential.noise).toBe("exponential");
    expect(exponential.privacy).toEqual(approx("3/2", exponential.failure));
    expect(planFor({ scale: 4 }, { ...TERMS, noise: "exponential" })).toEqual(exponential);
    const gumbel = planFor({ scale: 4 }, TERMS);
    expect(gumbel.noise).toBe("gumbel");
    expect(gumbel.privacy).toEqual(zcdp("3/32", gumbel.failure));
    expect([exponential, gumbel].map(({ threshold }) => threshold)).toEqual([59n, 62n]);
    expect([exponential, gumbel].map(({ scale }) => String(scale))).toEqual(["4", "4"]);
    expect(gumbel.failure.compare("1e-6")).toBe(-1);
  });
});

describe("The noise for ρ", () => {
  it("is Gumbel unless it is asked for, of scale r·√(k/8ρ), or exponential of scale k·r/√(2ρ)", () => {
    forget();
    const gumbel = planFor({ rho: "1/6" }, { ...TERMS, noise: undefined });
    expect([gumbel.noise, String(gumbel.scale)]).toEqual(["gumbel", "3"]);
    expect(gumbel.privacy).toEqual(zcdp("1/6", gumbel.failure));
    expect(planFor({ rho: "1/6" }, TERMS)).toEqual(gumbel);
    const exponential = planFor({ rho: "1/8" }, { ...TERMS, noise: "exponential" });
    expect([exponential.noise, String(exponential.scale)]).toEqual(["exponential", "12"]);
    expect(exponential.privacy).toEqual(zcdp("1/8", exponential.failure));
  });
});

describe("The noise for ε", () => {
  it("is exponential of scale k·r/ε with all of δ, if that is asked for", () => {
    forget();
    const plan = planFor({ epsilon: "1/2" }, { ...TERMS, noise: "exponential" });
    expect([plan.noise, String(plan.scale)]).toEqual(["exponential", "12"]);
    expect(plan.privacy).toEqual(approx("1/2", plan.failure));
  });

  it.each([
    ["1", 10, "13.6076420345233", "1"],
    ["1/3", 4, "21.91660353614877", "1/3"],
    ["8", 200, "9.54814364183331", "8"],
  ])(
    "is Gumbel of a scale that is the same on every engine, for ε = %s and k = %i",
    (epsilon, k, scale, spent) => {
      forget();
      const plan = planFor({ epsilon }, { ...TERMS, k });
      expect([plan.noise, String(plan.scale)]).toEqual(["gumbel", scale]);
      expect(plan.privacy.measure === "approx" && String(plan.privacy.epsilon)).toBe(spent);
      const { delta } = plan.privacy;
      expect(delta?.compare(plan.failure)).toBe(1);
      expect(delta?.compare("1e-6")).not.toBe(1);
      expect(delta?.compare("0.95e-6")).toBe(1);
    },
  );

  it("is the one with the lower threshold", () => {
    forget();
    const [few, many] = [1, 10].map((k) => {
      const [exponential, gumbel] = (["exponential", "gumbel"] as const).map((noise) =>
        planFor({ epsilon: 1 }, { ...TERMS, k, noise }),
      );
      const chosen = planFor({ epsilon: 1 }, { ...TERMS, k, noise: undefined });
      expect(chosen).toEqual(exponential.threshold <= gumbel.threshold ? exponential : gumbel);
      return chosen.noise;
    });
    expect([few, many]).toEqual(["exponential", "gumbel"]);
  });
});

describe("A plan", () => {
  it("is remembered until 64 are, and told from others by every term", () => {
    const isRemembered = () => {
      const plan = quick(7);
      quick(asked++);
      return quick(7) === plan;
    };
    expect(isRemembered() || isRemembered()).toBe(true); // at most one of two in a row meets the end of the memory
    const plan = quick(7);
    forget();
    expect(quick(7)).not.toBe(plan);
    const [wide, many] = [
      planFor({ scale: 40 }, { ...TERMS, k: 1, range: rational(11) }),
      planFor({ scale: 40 }, { ...TERMS, k: 11, range: rational(1) }),
    ];
    expect([wide.privacy, many.privacy]).toEqual([
      zcdp("121/12800", wide.failure),
      zcdp("11/12800", many.failure),
    ]);
  });

  it("has one budget, above 0", () => {
    for (const budget of [{}, { epsilon: 1, rho: 1 }, { rho: 1, scale: 1 }])
      expect(() => planFor(budget, TERMS)).toThrow("budget must be exactly one of epsilon, rho and scale");
    for (const name of ["epsilon", "rho", "scale"])
      expect(() => planFor({ [name]: 0 }, TERMS)).toThrow(new RegExp(`^${name} must be`));
  });
});
