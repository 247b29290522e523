import { describe, expect, it } from "vitest";
import { gaussianMaxCurve } from "../../src/accounting/noisy-max-curve.js";
import { rhoOfPure, rhoOfRange } from "../../src/accounting/price.js";
import { Interval } from "../../src/exact/interval.js";
import { type Rational, rational } from "../../src/exact/rational.js";
import {
  boundedRangeCurve,
  gaussianCurve,
  noisyMaxCurve,
  pureCurve,
  RenyiCurve,
  renyi,
  zcdpCurve,
} from "../../src/index.js";

const pureRho = (epsilon: number) => rational(rhoOfPure(rational(epsilon)) as Rational);

describe("a Rényi curve", () => {
  it("can be evaluated at any order above 1, near it and far from it", () => {
    const curve = boundedRangeCurve(1);
    const values = ["1.000000001", "1.5", "17/3", 1000, "1e30"].map((alpha) => curve.at(alpha));
    for (let i = 1; i < values.length; i++) expect(values[i].compare(values[i - 1])).toBeGreaterThan(0);
    expect(values[4].toNumber()).toBeCloseTo(1, 12);
  });

  it("keeps its digits where next to nothing is lost", () => {
    const part = boundedRangeCurve("1e-60").at(2).dividedBy(rational("1e-120").dividedBy(4n));
    expect(part.toNumber()).toBeCloseTo(1, 12); // ρα = ε²/8·2
  });

  it("is below both where it is the smaller of two, also as a limit that is rounded down", () => {
    const [small, large] = [pureCurve("1/10"), boundedRangeCurve(2)];
    for (const curve of [small.min(large), large.min(small)]) {
      expect(curve.at(3, "down")).toEqual(small.at(3, "down"));
      expect(curve.at(3)).toEqual(small.at(3));
    }
  });

  it("is told from lookalikes, also from what was derived from it", () => {
    class Derived extends (RenyiCurve as unknown as new (...parts: unknown[]) => RenyiCurve) {
      override at() {
        return rational(0);
      }
    }
    const derived = new Derived(rational(1), new Map(), {});
    for (const value of [null, undefined, 1, {}, Object.create(RenyiCurve.prototype), derived])
      expect(RenyiCurve.isCurve(value)).toBe(false);
    expect(RenyiCurve.isCurve(pureCurve(1))).toBe(true);
  });

  it("is exact on a line", () => {
    expect(zcdpCurve("0.1").at(2)).toEqual(rational("0.2"));
    expect(gaussianCurve({ sensitivity: 2, variance: 100 }).at("7/2")).toEqual(rational("0.07"));
  });

  it("adds up, repeats, and takes the smaller of two", () => {
    const [line, pure] = [zcdpCurve("0.3"), pureCurve(1)];
    const at = (curve: RenyiCurve) => curve.at(3).toNumber();
    expect(at(line.plus(pure))).toBeCloseTo(at(line) + at(pure), 12);
    expect(at(pure.times(600n))).toBeCloseTo(600 * at(pure), 9);
    expect(at(pure.times(0n))).toBe(0);
    expect(at(line.min(pure))).toBeCloseTo(at(pure), 12);
    expect(line.min(pure).at("1.1").toNumber()).toBeCloseTo(0.33, 12);
  });

  it("counts one curve that is added ten thousand times as one formula", () => {
    let evaluations = 0;
    const one = RenyiCurve.of((_, precision) => {
      evaluations++;
      return Interval.from("1/3", precision);
    });
    let sum = one;
    for (let i = 1; i < 10_000; i++) sum = sum.plus(one);
    expect(sum.at(2).toNumber()).toBeCloseTo(10_000 / 3, 8);
    expect(evaluations).toBe(1);
  });

  it("knows what it bounds at all orders at once", () => {
    expect(pureCurve(2)).toMatchObject({ epsilon: rational(2), rho: pureRho(2) });
    expect(boundedRangeCurve(2)).toMatchObject({ epsilon: rational(2), rho: rhoOfRange(rational(2)) });
    expect(zcdpCurve(2)).toMatchObject({ epsilon: Infinity, rho: rational(2) });
    expect(pureCurve(2).plus(pureCurve(1))).toMatchObject({
      epsilon: rational(3),
      rho: pureRho(2).plus(pureRho(1)),
    });
    expect(pureCurve(2).times(3n)).toMatchObject({ epsilon: rational(6), rho: pureRho(2).times(3n) });
    expect(zcdpCurve(1).min(pureCurve(2))).toMatchObject({ epsilon: rational(2), rho: rational(1) });
    expect(noisyMaxCurve(zcdpCurve(1), 2)).toMatchObject({ epsilon: Infinity, rho: Infinity });
  });

  it("rounds a limit down when asked", () => {
    const curve = pureCurve(1);
    expect(curve.at(2, "down").compare(curve.at(2))).toBeLessThan(0);
  });

  it("is zero where nothing is lost", () => {
    for (const curve of [
      pureCurve(0),
      boundedRangeCurve(0),
      zcdpCurve(0),
      gaussianCurve({ sensitivity: 0, variance: 1 }),
    ])
      expect(curve.at(2)).toEqual(rational(0));
  });

  it.each([
    [() => pureCurve(1).at("x"), "alpha must be a rational"],
    [() => pureCurve(1).plus({} as never), "other must be a RenyiCurve"],
    [() => pureCurve(1).minus({} as never), "other must be a RenyiCurve"],
    [() => pureCurve(1).min({} as never), "other must be a RenyiCurve"],
    [() => pureCurve(1).at(1), "alpha must be a rational > 1; got 1"],
    [() => pureCurve(-1), "epsilon must be a rational >= 0; got -1"],
    [() => boundedRangeCurve("-1"), 'epsilon must be a rational >= 0; got "-1"'],
    [() => zcdpCurve("-1/3"), 'rho must be a rational >= 0; got "-1/3"'],
    [() => gaussianCurve({ variance: 0 }), "variance must be a rational > 0; got 0"],
    [() => gaussianCurve({ sensitivity: -1, variance: 1 }), "sensitivity must be a rational >= 0; got -1"],
    [() => noisyMaxCurve(zcdpCurve(1), 0), "outcomes must be an integer >= 1; got 0"],
    [() => noisyMaxCurve(zcdpCurve(1), 1.5), "outcomes must be an integer >= 1; got 1.5"],
    [
      () => gaussianMaxCurve({ maxCandidates: 2, distance: -1, variance: 1 }),
      "distance must be a rational >= 0",
    ],
  ])("is refused with a sentence (%#)", (make, message) => {
    expect(make).toThrow(message);
  });
});

describe("gaussianMaxCurve", () => {
  it("names a noise that isn't a curve", () => {
    expect(() => noisyMaxCurve({} as never, 2)).toThrow(/^noise must be /);
  });

  it("is the smaller of the two bounds at each order", () => {
    const curve = gaussianMaxCurve({ maxCandidates: 40, distance: 2, variance: 2500 });
    // α·r²/(2σ²) + ln m/(α − 1) against α·m·r²/(8σ²): the second is smaller up to α near 22.
    expect(curve.at(2).toNumber()).toBeCloseTo(0.016, 14);
    expect(curve.at(100).toNumber()).toBeCloseTo(0.08 + Math.log(40) / 99, 12);
  });

  it("is that of one Gaussian for two outcomes, since only the difference of two noises matters", () => {
    expect(gaussianMaxCurve({ maxCandidates: 2, distance: 1, variance: 1 }).at(2).toNumber()).toBeCloseTo(
      0.5,
      14,
    );
  });
});

describe("renyi", () => {
  it("is a loss with the curve itself, and with a δ only where there is one", () => {
    const curve = zcdpCurve("1/8");
    expect(renyi(curve)).toEqual({ measure: "renyi", curve });
    expect(renyi(curve, "1e-6")).toEqual({ measure: "renyi", curve, delta: rational("1e-6") });
  });

  it("refuses what isn't a curve, by the name of the parameter", () => {
    expect(() => renyi({} as RenyiCurve)).toThrow(/^curve must be /);
  });
});
