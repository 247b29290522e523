import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import {
  approx,
  base2,
  boundedRangeCurve,
  compose,
  convert,
  type Loss,
  pure,
  pureCurve,
  renyi,
  repeat,
  zcdp,
  zcdpCurve,
} from "../../src/index.js";

const RHO_OF_ONE = rational("0.4621171572600098"); // tanh(1/2)

describe("compose", () => {
  it("adds up losses of one measure exactly", () => {
    expect(compose(pure("1/3"), pure("1/6"))).toEqual(pure("1/2"));
    expect(compose(base2(1), base2("1/2"))).toEqual(base2("3/2"));
    expect(compose(zcdp("0.1"), zcdp("0.2", "1e-6"), zcdp(0, "1e-6"))).toEqual(zcdp("0.3", "2e-6"));
    expect(compose(approx(1, "1e-6"), approx(2, "1e-7"))).toEqual(approx(3, "1.1e-6"));
    const both = compose(renyi(pureCurve(1)), renyi(zcdpCurve(1), "1e-9"));
    expect(both.curve.at(2)).toEqual(pureCurve(1).at(2).plus(2));
    expect(both.delta).toEqual(rational("1e-9"));
  });

  it("gives one loss back as it is", () => {
    expect(compose(base2(1))).toEqual(base2(1));
  });

  it("expresses mixed losses in the measure that holds them all", () => {
    const measureOf = (...losses: Loss[]) => compose(...losses).measure;
    expect(measureOf(pure(1), base2(1))).toBe("pure");
    expect(measureOf(pure(1), base2(1), approx(1, "1e-6"))).toBe("approx");
    expect(measureOf(pure(1), approx(1, "1e-6"), zcdp(1))).toBe("zcdp");
    expect(measureOf(base2(1), zcdp(1), renyi(pureCurve(1)))).toBe("renyi");
    expect(compose(pure(1), approx(1, "1e-6"), zcdp(1))).toEqual(zcdp(RHO_OF_ONE.times(2).plus(1), "1e-6"));
    expect(compose(pure(1), approx(2, "1e-6"))).toEqual(approx(3, "1e-6"));
  });

  it("converts each loss before it adds, which is tighter than adding first", () => {
    expect(compose(pure(1), pure(1), zcdp(0))).toEqual(zcdp(RHO_OF_ONE.times(2)));
    expect(compose(compose(pure(1), pure(1)), zcdp(0))).toEqual(convert(pure(2), { to: "zcdp" }));
  });

  it("never makes δ larger than 1", () => {
    expect(compose(approx(1, "0.7"), approx(1, "0.7"))).toEqual(approx(2, 1));
    expect(repeat(zcdp(1, "0.3"), 4)).toEqual(zcdp(4, 1));
  });

  it("promises nothing as soon as one part does", () => {
    expect(compose(renyi(pureCurve(1)), pure(Infinity))).toEqual(pure(Infinity));
    expect(compose(zcdp(1), zcdp(Infinity))).toEqual(zcdp(Infinity));
  });

  it("refuses to compose nothing", () => {
    expect(() => compose()).toThrow("losses must be at least one loss; got an array");
  });
});

describe("repeat", () => {
  it("is the composition of so many equal losses", () => {
    for (const loss of [pure("1/3"), base2(2), zcdp("0.1", "1e-9"), approx(1, "1e-9")] as Loss[])
      expect(repeat(loss, 3)).toEqual(compose(loss, loss, loss));
    const curve = repeat(renyi(boundedRangeCurve(1), "1e-9"), 600n);
    expect(curve.curve.at(2).toNumber()).toBeCloseTo(600 * boundedRangeCurve(1).at(2).toNumber(), 9);
    expect(curve.delta).toEqual(rational("6e-7"));
  });

  it("is no loss for no run", () => {
    expect(repeat(zcdp(Infinity, "1e-6"), 0)).toEqual(zcdp(0));
  });

  it.each([-1, 1.5, Number.NaN])("refuses %s times", (times) => {
    expect(() => repeat(pure(1), times)).toThrow("times must be an integer >= 0");
  });
});
