import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { approx, base2, pure, rational, renyi, zcdp, zcdpCurve } from "winnow-dp";
import { decimalText, readableLoss } from "../../src/index.js";

describe("a short decimal", () => {
  it.each([
    ["0", "0", "0"],
    ["1", "1", "1"],
    ["0.5", "0.5", "0.5"],
    ["1/3", "0.3334", "0.3333"],
    ["2/3", "0.6667", "0.6666"],
    ["1e-6", "0.000001", "0.000001"],
    ["1e-9", "1e-9", "1e-9"],
    ["123456789/7", "17640000", "17630000"],
    ["1234567890123", "1.235e12", "1.234e12"],
    ["0.99999999999", "1", "0.9999"],
    ["1/30000000", "3.334e-8", "3.333e-8"],
  ])("of %s is %s rounded up and %s rounded down", (value, up, down) => {
    expect([decimalText(rational(value), "up"), decimalText(rational(value), "down")]).toEqual([up, down]);
  });

  it("is a bound, and within a thousandth", () => {
    const sizes = fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 20n }), fc.bigInt({ min: 1n, max: 10n ** 20n }));
    fc.assert(
      fc.property(sizes, ([numerator, denominator]) => {
        const size = rational(numerator).dividedBy(denominator);
        const [up, down] = [rational(decimalText(size, "up")), rational(decimalText(size, "down"))];
        expect([up.compare(size), down.compare(size)]).toEqual([
          up.equals(size) ? 0 : 1,
          down.equals(size) ? 0 : -1,
        ]);
        expect(up.minus(down).compare(size.times("1/1000"))).toBe(-1);
      }),
    );
  });
});

describe("a loss in words", () => {
  it("has its symbols, and Infinity where nothing is promised", () => {
    const losses = [
      pure("1/3"),
      base2(2),
      zcdp("0.1"),
      zcdp("0.1", "1e-6"),
      approx(1, "1e-6"),
      pure(Infinity),
      renyi(zcdpCurve("1/4")),
    ];
    expect(losses.map((loss) => readableLoss(loss))).toEqual([
      "ε = 0.3334",
      "η = 2",
      "ρ = 0.1",
      "ρ = 0.1, δ = 0.000001",
      "ε = 1, δ = 0.000001",
      "ε = ∞",
      "ε(2) = 0.5",
    ]);
    expect(readableLoss(pure("2/3"), "down")).toBe("ε = 0.6666");
    expect(readableLoss(renyi(zcdpCurve("1/4"), "1e-6"), "down", [rational(8)])).toBe(
      "ε(8) = 2, δ = 0.000001",
    );
    expect(readableLoss(renyi(zcdpCurve("1/4").minus(zcdpCurve(1))), "down")).toBe("ε(2) = 0");
  });

  it("is that of the number also for a clone, and refused for what cannot be read", () => {
    expect(readableLoss(structuredClone(pure("1/3")))).toBe("ε = 0.3334");
    expect(() => readableLoss({ measure: "pure", epsilon: Number.NaN })).toThrow("loss.epsilon must be");
  });
});
