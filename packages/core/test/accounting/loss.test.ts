import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import {
  approx,
  base2,
  describeLoss,
  pure,
  pureCurve,
  type RenyiCurve,
  renyi,
  zcdp,
} from "../../src/index.js";

describe("a loss", () => {
  it("is a plain frozen value with exact fields", () => {
    const losses = [pure("1/3"), base2(2), zcdp("0.1"), approx(1, "1e-6"), renyi(pureCurve(1))];
    for (const loss of losses) expect(Object.isFrozen(loss)).toBe(true);
    expect(pure("1/3")).toEqual({ measure: "pure", epsilon: rational("1/3") });
    expect(base2(2)).toEqual({ measure: "base2", eta: rational(2) });
    expect(zcdp("0.1", "1e-6")).toEqual({ measure: "zcdp", rho: rational("0.1"), delta: rational("1e-6") });
    expect(approx(1, 0)).toEqual({ measure: "approx", epsilon: rational(1), delta: rational(0) });
  });

  it("is not approximate when its δ is 0", () => {
    expect(zcdp(1, 0)).not.toHaveProperty("delta");
    expect(renyi(pureCurve(1), 0)).not.toHaveProperty("delta");
  });

  it("may be infinite, which promises nothing", () => {
    expect(pure(Infinity).epsilon).toBe(Infinity);
    expect(zcdp(Infinity).rho).toBe(Infinity);
  });

  it.each([
    [() => pure(-1), "epsilon must be a rational >= 0, or Infinity; got -1"],
    [() => pure(-Infinity), "epsilon must be a rational number"],
    [() => base2(Number.NaN), "eta must be a rational number"],
    [() => zcdp("-1/2"), 'rho must be a rational >= 0, or Infinity; got "-1/2"'],
    [() => zcdp(1, 2), "delta must be a rational from 0 to 1; got 2"],
    [() => approx("x", 0), "epsilon must be a rational"],
    [() => approx(1, "x"), "delta must be a rational"],
    [() => zcdp(1, "x"), "delta must be a rational"],
    [() => pure({ numerator: 1, denominator: 1n } as never), "epsilon must be a rational"],
    [() => approx(1, -1), "delta must be a rational from 0 to 1; got -1"],
    [
      () => renyi({ at: () => 1 } as unknown as RenyiCurve),
      "curve must be a RenyiCurve made by this copy of winnow-dp",
    ],
  ])("is refused with a sentence (%#)", (make, message) => {
    expect(make).toThrow(message);
  });
});

describe("a loss as JSON", () => {
  it("says that it is unbounded, which JSON has no number for", () => {
    expect(JSON.stringify(pure(Infinity))).toBe('{"measure":"pure","epsilon":"Infinity"}');
    expect(pure(1)).not.toHaveProperty("toJSON");
  });
});

describe("describeLoss", () => {
  it("says the loss in words, exactly where that is short", () => {
    expect(describeLoss(pure("1/3"))).toBe("epsilon = 1/3");
    expect(describeLoss(base2(Infinity))).toBe("eta = Infinity");
    expect(describeLoss(zcdp("0.1", "1e-6"))).toBe("rho = 0.1, delta = 0.000001");
    expect(describeLoss(approx(1, 0))).toBe("epsilon = 1, delta = 0");
  });

  it("is exact up to twenty characters", () => {
    expect(describeLoss(pure("1/123456789012345678"))).toBe("epsilon = 1/123456789012345678");
  });

  it("shows a Rényi curve at no order by default", () => {
    expect(describeLoss(renyi(pureCurve(1), "1e-6"))).toBe("delta = 0.000001");
  });

  it("rounds long fractions in the direction asked for", () => {
    const long = pure(rational(2).dividedBy(3n ** 50n));
    const up = Number(describeLoss(long).split(" = ")[1]);
    const down = Number(describeLoss(long, { rounding: "down" }).split(" = ")[1]);
    expect(down).toBeLessThan(up);
    expect(describeLoss(long, { rounding: "up" })).toBe(describeLoss(long));
  });

  it("shows a Rényi curve at the given orders", () => {
    const loss = renyi(pureCurve(1), "1e-9");
    expect(describeLoss(loss, { orders: [rational(2)] })).toBe(
      "epsilon(2) = 0.73532566405552, delta = 0.000000001",
    );
  });
});
