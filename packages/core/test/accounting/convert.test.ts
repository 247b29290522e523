import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import {
  approx,
  base2,
  boundedRangeCurve,
  convert,
  type Loss,
  noisyMaxCurve,
  pure,
  pureCurve,
  renyi,
  zcdp,
  zcdpCurve,
} from "../../src/index.js";

const number = (value: unknown) => rational(value as string).toNumber();

describe("convert", () => {
  it("changes the base of a pure loss, rounding up both ways", () => {
    expect(number(convert(base2(1), { to: "pure" }).epsilon)).toBeCloseTo(Math.LN2, 14);
    expect(number(convert(pure(1), { to: "base2" }).eta)).toBeCloseTo(Math.LOG2E, 14);
    const there = convert(convert(pure("1/3"), { to: "base2" }), { to: "pure" }).epsilon;
    expect(rational(there).compare("1/3")).toBeGreaterThanOrEqual(0);
  });

  it("charges ε·tanh(ε/2) for a pure loss in zCDP, and never the price of bounded range", () => {
    expect(number(convert(pure("1/3"), { to: "zcdp" }).rho)).toBeCloseTo(Math.tanh(1 / 6) / 3, 15);
    expect(number(convert(base2(1), { to: "zcdp" }).rho)).toBeCloseTo(Math.LN2 / 3, 14); // tanh(ln 2/2) = 1/3
  });

  it("charges x − 1 − ln x where bounded range is stated by its curve", () => {
    const x = 1 / 3 / Math.expm1(1 / 3);
    const stated = zcdp(boundedRangeCurve("1/3").rho);
    expect(number(stated.rho)).toBeCloseTo(x - 1 - Math.log(x), 15);
    expect(convert(renyi(boundedRangeCurve("1/3")), { to: "zcdp" })).toEqual(stated);
    expect(convert(renyi(boundedRangeCurve("1/3")), { to: "pure" })).toEqual(pure("1/3"));
  });

  it("keeps the δ of an approximate loss", () => {
    expect(convert(approx(1, "1e-6"), { to: "zcdp" })).toEqual(zcdp("0.4621171572600098", "1e-6"));
    const curve = convert(zcdp("1/2", "1e-6"), { to: "renyi" });
    expect(curve.delta).toEqual(rational("1e-6"));
    expect(curve.curve.at(3)).toEqual(rational("3/2"));
    expect(convert(curve, { to: "zcdp" })).toEqual(zcdp("1/2", "1e-6"));
    expect(convert(approx(1, "1e-6"), { to: "renyi" }).curve.at(2)).toEqual(pureCurve(1).at(2));
  });

  it("gives back a loss that is in the measure already", () => {
    for (const loss of [pure(1), base2(1), zcdp(1), renyi(zcdpCurve(1))] as Loss[])
      expect(convert(loss, { to: loss.measure as "pure" })).toBe(loss);
    expect(convert(approx(1, 0), { to: "pure" })).toEqual(pure(1));
  });

  it("uses the exact trade-off of pure ε where a δ is given away", () => {
    const loss = convert(pure(1), { to: "approx", delta: "0.1" });
    expect(number(loss.epsilon)).toBeCloseTo(Math.log(Math.E - 0.1 * (1 + Math.E)), 13);
    expect(convert(pure(1), { to: "approx", delta: "0.1", conversion: "simple" })).toEqual(approx(1, "0.1"));
    expect(convert(pure(1), { to: "approx", delta: "0.5" })).toEqual(approx(0, "0.5"));
    const back = convert(pure(1), { to: "approx", epsilon: "1/2" });
    expect(number(back.delta)).toBeCloseTo((Math.E - Math.exp(0.5)) / (1 + Math.E), 13);
    expect(convert(pure(1), { to: "approx", epsilon: 1 })).toEqual(approx(1, 0));
    expect(convert(pure(1), { to: "approx", epsilon: "1/2", conversion: "simple" })).toEqual(
      approx("1/2", 1),
    );
    expect(convert(pure(1), { to: "approx", epsilon: 2, conversion: "simple" })).toEqual(approx(2, 0));
  });

  it("sets the δ of an approximate loss aside before it converts", () => {
    const direct = convert(zcdp("0.1"), { to: "approx", delta: "1e-6" });
    const shared = convert(zcdp("0.1", "1e-7"), { to: "approx", delta: "1.1e-6" });
    expect(shared.epsilon).toEqual(direct.epsilon);
    const delta = convert(zcdp("0.1"), { to: "approx", epsilon: 2 }).delta;
    expect(convert(zcdp("0.1", "1e-7"), { to: "approx", epsilon: 2 }).delta).toEqual(delta.plus("1e-7"));
    expect(convert(zcdp(5, "0.9"), { to: "approx", epsilon: 0 }).delta).toEqual(rational(1));
  });

  it("follows the textbook formulas where it is asked to", () => {
    const simple = { to: "approx", conversion: "simple" } as const;
    const tail = Math.exp(-(1.9 ** 2) / 0.4); // e^(−(ε − ρ)²/(4ρ)) at ε = 2, ρ = 1/10
    expect(number(convert(zcdp("0.1"), { ...simple, delta: "1e-6" }).epsilon)).toBeCloseTo(
      0.1 + 2 * Math.sqrt(0.1 * Math.log(1e6)),
      12,
    );
    expect(number(convert(zcdp("0.1"), { ...simple, epsilon: 2 }).delta)).toBeCloseTo(tail, 14);
    expect(convert(zcdp(5), { ...simple, epsilon: 5 }).delta).toEqual(rational(1));
    expect(convert(zcdp(5), { ...simple, epsilon: 1 }).delta).toEqual(rational(1));
    expect(number(convert(renyi(zcdpCurve("0.1")), { ...simple, epsilon: 2 }).delta)).toBeCloseTo(tail, 12);
    expect(convert(renyi(zcdpCurve(5)), { to: "approx", epsilon: 0 }).delta.compare(1)).toBeLessThanOrEqual(
      0,
    );
    const optimal = convert(renyi(zcdpCurve("0.1")), { to: "approx", epsilon: 2 }).delta;
    expect(optimal.numerator > 0n && optimal.compare(rational("1/2")) < 0).toBe(true);
    expect(optimal).toEqual(convert(zcdp("0.1"), { to: "approx", epsilon: 2 }).delta);
    expect(number(optimal)).toBeLessThan(tail / 2);
    expect(convert(pure(1), { ...simple, epsilon: 1 })).toEqual(approx(1, 0));
  });

  it("converts a base-2 loss as the natural one that it is", () => {
    const [binary, natural] = [base2(2), convert(base2(2), { to: "pure" })];
    for (const target of [{ delta: "0.01" }, { epsilon: 1 }] as const)
      expect(convert(binary, { to: "approx", ...target })).toEqual(
        convert(natural, { to: "approx", ...target }),
      );
  });

  it("keeps ε where no δ is given away, and needs none where δ covers all", () => {
    expect(convert(pure("1/3"), { to: "approx", delta: 0 })).toEqual(approx("1/3", 0));
    expect(convert(approx("1/3", "0.1"), { to: "approx", delta: "0.1" })).toEqual(approx("1/3", "0.1"));
    expect(convert(pure(1), { to: "approx", epsilon: 2 })).toEqual(approx(2, 0));
    const { delta } = convert(pure(1), { to: "approx", epsilon: 0 });
    expect(convert(pure(1), { to: "approx", delta }).epsilon).toEqual(rational(0));
    const most = rational(1).minus("1e-86"); // more digits than the first precision has
    expect(number(convert(pure(200), { to: "approx", delta: most }).epsilon)).toBeCloseTo(
      200 + Math.log(1e-86 - Math.exp(-200)),
      9,
    );
  });

  it("takes the best that a curve knows: its orders, its line or its pure bound", () => {
    const pureBound = convert(renyi(pureCurve(1)), { to: "approx", delta: "1e-6" }).epsilon;
    expect(pureBound).toEqual(convert(pure(1), { to: "approx", delta: "1e-6" }).epsilon);
    const tiny = convert(renyi(zcdpCurve("1e-60")), { to: "approx", delta: "1e-100" });
    const formula = convert(zcdp("1e-60"), { to: "approx", delta: "1e-100", conversion: "simple" });
    expect(tiny.epsilon).toEqual(formula.epsilon); // its best order is beyond those that are searched
  });

  it("says nothing where nothing is promised, and zero where nothing is lost", () => {
    expect(convert(zcdp(Infinity), { to: "approx", delta: "1e-6" }).epsilon).toBe(Infinity);
    expect(convert(zcdp(Infinity), { to: "approx", epsilon: 1 }).delta).toEqual(rational(1));
    expect(convert(pure(Infinity), { to: "zcdp" }).rho).toBe(Infinity);
    expect(convert(pure(Infinity), { to: "base2" }).eta).toBe(Infinity);
    expect(convert(pure(Infinity), { to: "approx", delta: "1e-6" }).epsilon).toBe(Infinity);
    for (const method of ["simple", "optimal"] as const) {
      expect(convert(zcdp(0), { to: "approx", delta: "1e-6", conversion: method }).epsilon).toEqual(
        rational(0),
      );
      expect(convert(zcdp(0), { to: "approx", epsilon: 1, conversion: method }).delta).toEqual(rational(0));
    }
  });

  it.each(["1e-300", "1e-12", "1", "1e9", "1e300"])("answers for ρ = %s at every size of δ", (rho) => {
    for (const delta of ["1e-300", "1e-9", "0.999"]) {
      const [simple, optimal] = (["simple", "optimal"] as const).map((method) =>
        rational(convert(zcdp(rho), { to: "approx", delta, conversion: method }).epsilon),
      );
      expect(optimal.compare(simple)).toBeLessThanOrEqual(0);
    }
  });

  it.each([
    [
      () => convert(zcdp(1), { to: "pure" }),
      'loss must be a loss that is bounded in the measure pure; got "zcdp"',
    ],
    [() => convert(approx(1, "1e-6"), { to: "base2" }), "bounded in the measure pure"],
    [() => convert(renyi(pureCurve(1), "1e-6"), { to: "pure" }), "bounded in the measure pure"], // its δ would be lost
    [() => convert(pure(1), undefined as never), "options must be an object; got undefined"],
    [() => convert(renyi(noisyMaxCurve(zcdpCurve(1), 5)), { to: "zcdp" }), "bounded in the measure zcdp"],
    [() => convert(pure(Infinity), { to: "renyi" }), "bounded in the measure renyi"],
    [
      () => convert(pure(1), { to: "epsilon" as "pure" }),
      'to must be "pure", "base2", "zcdp", "renyi" or "approx"',
    ],
    [
      () => convert(zcdp(1), { to: "approx" } as never),
      "delta must be given, or epsilon instead, but not both; got undefined",
    ],
    [() => convert(zcdp(1), { to: "approx", delta: "0.1", epsilon: 1 } as never), 'got "both"'],
    [
      () => convert(pure(1), { to: "zcdp", delta: "0.1" } as never),
      "options has an unknown name; known are to",
    ],
    [() => convert(renyi(zcdpCurve(1)), { to: "approx", delta: 0 }), "delta must be a rational > 0; got 0"],
    [() => convert(zcdp(1), { to: "approx", delta: 0 }), "delta must be a rational > 0; got 0"],
    [
      () => convert(zcdp(1, "0.1"), { to: "approx", delta: "0.1" }),
      "delta must be a rational > 0.1; got 0.1",
    ],
    [
      () => convert(approx(1, "0.1"), { to: "approx", delta: "0.01" }),
      "delta must be a rational >= 0.1; got 0.01",
    ],
    [() => convert(zcdp(1), { to: "approx", delta: 2 }), "delta must be a rational from 0 to 1; got 2"],
    [() => convert(zcdp(1), { to: "approx", epsilon: -1 }), "epsilon must be a rational >= 0; got -1"],
    [
      () => convert(zcdp(1), { to: "approx", delta: "0.1", conversion: "best" as "optimal" }),
      'conversion must be "simple" or "optimal"; got "best"',
    ],
  ])("is refused with a sentence (%#)", (run, message) => {
    expect(run).toThrow(message);
  });
});
