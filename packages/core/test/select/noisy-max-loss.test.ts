import { describe, expect, it } from "vitest";
import { boundedRangeCurve } from "../../src/accounting/curve.js";
import { pure, zcdp } from "../../src/accounting/loss.js";
import { laplaceCurve } from "../../src/accounting/noisy-max-curve.js";
import { type NoisyMaxLossOptions, noisyMaxLoss } from "../../src/select/noisy-max-loss.js";

const ORDERS = ["1.5", "2", "8", "63.9"];

describe("noisyMaxLoss", () => {
  it.each(["exponential", "laplace"] as const)("with %s noise is that of the Laplace mechanism", (noise) => {
    const loss = noisyMaxLoss({ noise, scale: 4, sensitivity: 3 });
    expect(loss.pure).toEqual(pure("3/2"));
    expect(loss.zcdp).toEqual(zcdp("0.7231301601484299"));
    for (const alpha of ORDERS) expect(loss.renyi.curve.at(alpha)).toEqual(laplaceCurve("3/2").at(alpha));
  });

  it("with Gumbel noise is that of a mechanism of bounded range", () => {
    const loss = noisyMaxLoss({ noise: "gumbel", scale: 4, sensitivity: 3, monotone: true });
    expect(loss.pure).toEqual(pure("3/4"));
    expect(loss.zcdp).toEqual(zcdp(boundedRangeCurve("3/4").rho));
    for (const alpha of ORDERS)
      expect(loss.renyi.curve.at(alpha)).toEqual(boundedRangeCurve("3/4").at(alpha));
  });

  it("with Gaussian noise has no pure part, and m·r²/(8σ²) as ρ", () => {
    const loss = noisyMaxLoss({ noise: "gaussian", variance: 2500, maxCandidates: 39, monotone: true });
    expect(loss).not.toHaveProperty("pure");
    expect(loss.zcdp).toEqual(zcdp("39/20000"));
  });

  it("with Gaussian noise takes the smaller of its two bounds at each order", () => {
    const { curve } = noisyMaxLoss({ noise: "gaussian", variance: 100, maxCandidates: 1000 }).renyi;
    // At order 2: 2·4/200 + ln 1000 against 2·1000·4/800.
    expect(curve.at(2).toNumber()).toBeCloseTo(0.04 + Math.log(1000), 12);
    // Close to order 1 the logarithm counts for much.
    expect(curve.at("1.01").toNumber()).toBeCloseTo(5.05, 12);
  });

  it.each<[NoisyMaxLossOptions, string]>([
    [{ noise: "exponential", scale: 0 }, "scale must be a rational > 0; got 0"],
    [{ noise: "gaussian", variance: "-1", maxCandidates: 2 }, 'variance must be a rational > 0; got "-1"'],
    [{ noise: "gaussian", variance: 1, maxCandidates: 0 }, "maxCandidates must be an integer >= 1; got 0"],
    [
      { noise: "uniform", scale: 1 } as unknown as NoisyMaxLossOptions,
      'noise must be "exponential", "gumbel", "laplace" or "gaussian"; got "uniform"',
    ],
  ])("refuses %o", (options, message) => {
    expect(() => noisyMaxLoss(options)).toThrow(expect.objectContaining({ message }));
  });
});
