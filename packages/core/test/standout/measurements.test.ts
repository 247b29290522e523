import { describe, expect, it } from "vitest";
import { pure, zcdp } from "../../src/accounting/loss.js";
import { makeStableTopK } from "../../src/standout/stable-top-k.js";
import { makeStableTopKFixed } from "../../src/standout/stable-top-k-fixed.js";

const noise = { choose: { noise: "gumbel", scale: 12 }, test: { variance: 144 }, delta: "1e-6" } as const;
const shared = { ...noise, sensitivity: 3, monotone: true } as const;
const fixed = { ...shared, k: 2, domain: "public", rounds: { rho: "1/8" } } as const;

describe.each([
  ["makeStableTopK", makeStableTopK({ ...shared, maxK: 4 }), "1/16"],
  ["makeStableTopKFixed", makeStableTopKFixed(fixed), "3/16"],
])("The privacy map of %s", (_, measurement, rho) => {
  it("is the loss of a run up to the sensitivity that the noise was made for", () => {
    expect(measurement.measure).toBe("zcdp");
    for (const dIn of [3, "5/2", 1n]) expect(measurement.map(dIn)).toEqual(zcdp(rho, "1e-6"));
    expect(measurement.map(3)).toEqual(measurement.zcdp);
  });

  it("is 0 where nothing changes, and unbounded beyond that sensitivity: the test's δ would not hold", () => {
    expect(measurement.map(0)).toEqual(zcdp(0));
    for (const dIn of [4, "3.01"]) expect(measurement.map(dIn)).toEqual(zcdp(Infinity));
  });

  it("is checked in both ρ and δ", () => {
    expect(measurement.check(3, zcdp(rho, "1e-6"))).toBe(true);
    expect(measurement.check(3, { measure: "zcdp", rho: "1/4", delta: "1e-5" })).toBe(true);
    expect(measurement.check(3, zcdp("1/17", "1e-6"))).toBe(false);
    expect(measurement.check(3, zcdp(1, "1e-7"))).toBe(false);
    expect(measurement.check(3, zcdp(1))).toBe(false);
    expect(measurement.check(4, zcdp(1, "1/2"))).toBe(false);
    expect(measurement.check(4, zcdp(Infinity))).toBe(true);
    expect(measurement.check(0, zcdp(0))).toBe(true);
  });

  it("refuses distances and limits that are none", () => {
    expect(() => measurement.map(-1)).toThrow("dIn must be a rational >= 0; got -1");
    expect(() => measurement.check(1, pure(1) as never)).toThrow(
      'dOut must be a loss in the measure "zcdp"; got "pure"',
    );
    expect(() => measurement.check(1, 1 as never)).toThrow("dOut");
  });
});
