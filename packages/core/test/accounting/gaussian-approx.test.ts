import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { approx, gaussianToApprox } from "../../src/index.js";

describe("gaussianToApprox", () => {
  it("gives δ = 2Φ(μ/2) − 1 at ε = 0, the total variation", () => {
    const { delta } = gaussianToApprox("1/2", { epsilon: 0 }); // μ = 1
    expect(delta.compare("0.38292492254802620727")).toBeGreaterThan(0);
    expect(delta.compare("0.38292492254803")).toBeLessThan(0);
  });

  it("gives an ε whose δ is met, and a smaller ε would not meet it", () => {
    for (const rho of ["1e-6", "0.02", "3"])
      for (const delta of ["1e-12", "1e-5", "0.01"]) {
        const epsilon = rational(gaussianToApprox(rho, { delta }).epsilon);
        expect(gaussianToApprox(rho, { epsilon: epsilon.times("0.999999999") }).delta.compare(delta)).toBe(
          epsilon.numerator === 0n ? -1 : 1,
        );
        expect(gaussianToApprox(rho, { epsilon }).delta.times("0.99999999999999").compare(delta)).toBe(-1);
      }
  });

  it("needs no ε where δ covers the total variation", () => {
    expect(gaussianToApprox("1e-9", { delta: "0.1" })).toEqual(approx(0, "0.1"));
  });

  it("answers at the ends of its range", () => {
    expect(rational(gaussianToApprox(100, { delta: "1e-6" }).epsilon).toNumber()).toBeCloseTo(
      166.362230031003,
      9,
    );
    expect(gaussianToApprox("1e-6", { delta: "1e-100" }).delta).toEqual(rational("1e-100"));
    expect(gaussianToApprox("1e-40", { epsilon: "1e-21" }).delta.numerator).toBeGreaterThan(0n);
    expect(gaussianToApprox("1", { epsilon: 1000 }).delta.compare("1e-300")).toBe(-1);
  });

  it.each([
    [() => gaussianToApprox(0, { epsilon: 1 }), "rho must be a rational > 0; got 0"],
    [() => gaussianToApprox(101, { epsilon: 1 }), "rho must be a rational <= 100; got 101"],
    [() => gaussianToApprox(1, { epsilon: -1 }), "epsilon must be a rational from 0 to 1000; got -1"],
    [() => gaussianToApprox(1, { epsilon: 1001 }), "epsilon must be a rational from 0 to 1000; got 1001"],
    [() => gaussianToApprox(1, { delta: 1 }), "delta must be a rational >= 1e-100 and < 1; got 1"],
    [() => gaussianToApprox(1, { delta: 0 }), "delta must be a rational >= 1e-100 and < 1; got 0"],
    [
      () => gaussianToApprox(1, {} as never),
      "delta must be given, or epsilon instead, but not both; got undefined",
    ],
    [() => gaussianToApprox(1, { delta: "0.1", epsilon: 1 } as never), 'got "both"'],
  ])("is refused with a sentence (%#)", (run, message) => {
    expect(run).toThrow(message);
  });
});
