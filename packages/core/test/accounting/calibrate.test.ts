import { describe, expect, it } from "vitest";
import { epsilonAtMost } from "../../src/accounting/calibrate.js";
import { rhoOfRounds } from "../../src/accounting/price.js";
import { type Rational, type RationalLike, rational } from "../../src/exact/rational.js";
import {
  approx,
  base2,
  boundedRangeCurve,
  convert,
  gaussianToApprox,
  pure,
  rhoAtMost,
  scaleAtLeast,
  varianceAtLeast,
  zcdp,
} from "../../src/index.js";

const digits = (value: RationalLike) => rational(value).toNumber();
const HALF = 5e-6;

describe("rhoAtMost", () => {
  it.each([
    ["0.4", HALF, 0.00322443696659],
    ["0.8", HALF, 0.0126954919569],
    ["1.0", HALF, 0.0196832541888],
    ["0.4", "1/4586", 0.00463520654395],
    ["0.8", "1/4586", 0.018127781905],
    ["1.0", "1/4586", 0.0280150977518],
  ])(
    "calibrates ε = %s, δ = %s for the published experiments by the simple formula",
    (epsilon, delta, rho) => {
      expect(digits(rhoAtMost({ epsilon, delta }, { conversion: "simple" })) / rho).toBeCloseTo(1, 10);
    },
  );

  it("gives more by the optimal formula", () => {
    const target = { epsilon: 1, delta: "1e-6" };
    expect(digits(rhoAtMost(target))).toBeCloseTo(0.0243559703595, 12);
    expect(digits(rhoAtMost(target, { conversion: "simple" }))).toBeCloseTo(0.0174689047691, 12);
  });

  it("is that of the simple formula where the best order is beyond those that are searched", () => {
    const target = { epsilon: "1e-60", delta: "1e-100" };
    expect(rhoAtMost(target)).toEqual(rhoAtMost(target, { conversion: "simple" }));
  });

  it("is a short rational", () => {
    expect(String(rhoAtMost({ epsilon: 1, delta: "1e-6" })).length).toBeLessThanOrEqual(20);
  });

  it.each([
    [() => rhoAtMost(undefined as never), "target must be an object; got undefined"],
    [() => rhoAtMost({ epsilon: 0, delta: "0.1" }), "epsilon must be a rational > 0; got 0"],
    [() => rhoAtMost({ epsilon: 1, delta: 0 }), "delta must be a rational > 0 and < 1; got 0"],
    [() => rhoAtMost({ epsilon: 1, delta: 1 }), "delta must be a rational > 0 and < 1; got 1"],
  ])("is refused with a sentence (%#)", (run, message) => {
    expect(run).toThrow(message);
  });
});

describe("epsilonAtMost", () => {
  it("is exact where the root is a short decimal", () => {
    expect(epsilonAtMost("0.005")).toEqual(rational("0.1"));
    expect(epsilonAtMost("0.02", { rounds: 4, class: "bounded-range" })).toEqual(rational("0.2"));
  });

  it("never costs more than it may, and the next digit would", () => {
    for (const rho of ["0.1", "1/3", "7e-20", "12345"])
      for (const times of [1, 7, 600n]) {
        const plain = epsilonAtMost(rho, { rounds: times });
        const cost = (epsilon: RationalLike) => rational(epsilon).times(epsilon).times(BigInt(times));
        expect(cost(plain).dividedBy(2).compare(rho)).toBeLessThanOrEqual(0);
        expect(cost(plain.times("1.00000000000001")).dividedBy(2).compare(rho)).toBeGreaterThan(0);
        const ranged = epsilonAtMost(rho, { rounds: times, class: "bounded-range" });
        expect(rational(boundedRangeCurve(ranged).rho).times(BigInt(times)).compare(rho)).toBeLessThanOrEqual(
          0,
        );
      }
  });

  it("gives the rounds of the published peeling experiment: ε = 0.1, δ = 1e-6, ten times top fifteen", () => {
    const rho = rhoAtMost({ epsilon: "0.1", delta: "1e-6" }, { conversion: "simple" });
    expect(digits(epsilonAtMost(rho, { rounds: 150, class: "bounded-range" }))).toBeCloseTo(
      0.003101002678,
      12,
    );
  });

  it("refuses nothing to share and no one to share it", () => {
    expect(() => epsilonAtMost(0)).toThrow("rho must be a rational > 0; got 0");
    expect(() => epsilonAtMost(1, { rounds: 0 })).toThrow("rounds must be an integer >= 1; got 0");
  });
});

describe("scaleAtLeast", () => {
  it("is exact for a pure target: rounds·distance/ε", () => {
    expect(scaleAtLeast(pure("1/2"), { distance: 2, rounds: 5 })).toEqual(rational(20));
    expect(scaleAtLeast(pure(3), { distance: 1 })).toEqual(rational("1/3"));
  });

  it("is rounded up for a zCDP target, a quarter of the loss for Gumbel noise", () => {
    expect(scaleAtLeast(zcdp("0.02"), { distance: 1, rounds: 4, class: "bounded-range" })).toEqual(
      rational(5),
    );
    expect(scaleAtLeast(zcdp("0.02"), { distance: 1, rounds: 4 })).toEqual(rational(10));
    const scale = scaleAtLeast(zcdp("0.1"), { distance: 2, rounds: 3, class: "bounded-range" });
    const cost = rhoOfRounds(rational(2).dividedBy(scale), "bounded-range", 3);
    expect(cost.compare("0.1")).toBeLessThanOrEqual(0);
    expect(cost.compare("0.0999999999999")).toBeGreaterThan(0);
  });

  it.each([
    [() => scaleAtLeast(pure(0), { distance: 1 }), "epsilon must be a rational > 0; got 0"],
    [() => scaleAtLeast(pure(Infinity), { distance: 1 }), "epsilon must be a rational number"],
    [() => scaleAtLeast(zcdp(0), { distance: 1 }), "rho must be a rational > 0; got 0"],
    [() => scaleAtLeast(pure(1), { distance: 0 }), "distance must be a rational > 0; got 0"],
    [() => scaleAtLeast(base2(1) as never, { distance: 1 }), "target must be a pure, zcdp or approx loss"],
  ])("is refused with a sentence (%#)", (run, message) => {
    expect(run).toThrow(message);
  });
});

describe("what isn't a simple fraction", () => {
  it("is rounded to more noise, never to less", () => {
    expect(scaleAtLeast(pure(1_000_003), { distance: 1 }).compare("1/1000003")).toBeGreaterThan(0);
    expect(varianceAtLeast(zcdp(1_000_003)).compare("1/2000006")).toBeGreaterThan(0);
  });
});

describe("varianceAtLeast", () => {
  it("is exact for a zCDP target where the fraction is simple", () => {
    expect(varianceAtLeast(zcdp("0.3"))).toEqual(rational("5/3"));
    expect(varianceAtLeast(zcdp("0.1"), { sensitivity: 2, rounds: 3 })).toEqual(rational(60));
  });

  it("meets an (ε, δ) target by each method, with ever less noise", () => {
    const target = approx(1, "1e-6");
    const [simple, optimal, exact] = (["simple", "optimal", "exact"] as const).map((method) =>
      varianceAtLeast(target, { conversion: method }),
    );
    const rhoOf = (variance: RationalLike) => rational(1).dividedBy(rational(variance).times(2));
    expect(
      rational(convert(zcdp(rhoOf(optimal)), { to: "approx", delta: "1e-6" }).epsilon).toNumber(),
    ).toBeCloseTo(1, 11);
    expect(gaussianToApprox(rhoOf(exact), { epsilon: 1 }).delta.compare("1e-6")).toBeLessThanOrEqual(0);
    expect(
      gaussianToApprox(rhoOf(exact.times("0.999999999")), { epsilon: 1 }).delta.compare("1e-6"),
    ).toBeGreaterThan(0);
    expect(simple.compare(optimal)).toBeGreaterThan(0);
    expect(optimal.compare(exact)).toBeGreaterThan(0);
  });

  it("finds the exact answer where it is more than twice what zCDP allows", () => {
    const target = approx("1e-6", "0.3");
    const rho = rational(1).dividedBy(varianceAtLeast(target, { conversion: "exact" }).times(2));
    expect(rho.compare(rhoAtMost(target as { epsilon: Rational; delta: Rational }).times(2))).toBeGreaterThan(
      0,
    );
    expect(gaussianToApprox(rho.times("1.000000001"), { epsilon: "1e-6" }).delta.compare("0.3")).toBe(1);
  });

  it.each([
    [() => varianceAtLeast(zcdp(0)), "rho must be a rational > 0; got 0"],
    [() => varianceAtLeast(approx(1, 0)), "delta must be a rational > 0 and < 1; got 0"],
    [
      () => varianceAtLeast(approx(Infinity, "1e-6"), { conversion: "exact" }),
      "epsilon must be a rational number",
    ],
    [() => varianceAtLeast(pure(1) as never), "target must be a zcdp or approx loss"],
    [() => varianceAtLeast(zcdp(1), { sensitivity: 0 }), "sensitivity must be a rational > 0; got 0"],
    [
      () => varianceAtLeast(approx(101, "1e-6"), { conversion: "exact" }),
      "epsilon must be a rational from 0 to 100; got 101",
    ],
  ])("is refused with a sentence (%#)", (run, message) => {
    expect(run).toThrow(message);
  });
});
