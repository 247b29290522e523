import { describe, expect, it, vi } from "vitest";
import { epsilonOfBase2 } from "../../src/accounting/base2-parameter.js";
import { Interval } from "../../src/exact/interval.js";
import { Rational, rational } from "../../src/exact/rational.js";
import { base2, base2LossOf, convert, eta, etaAtMost } from "../../src/index.js";

describe("eta", () => {
  it("is exact where x is a power of two", () => {
    expect(eta(1, 1)).toEqual({ x: 1n, y: 1n, z: 1n, eta: rational(1) });
    expect(eta(4n, 5n, 3n).eta).toEqual(rational(9));
  });

  it("is checked in integers of any size", () => {
    const y = 1000;
    const x = (1n << 1000n) - 1n;
    const { eta: size } = eta(x, y); // −log₂(1 − 2^−1000)
    expect(size.times(2n ** 1000n).toNumber()).toBeCloseTo(Math.LOG2E, 12);
    expect(eta(3, 65_536).eta.toNumber()).toBeCloseTo(65_536 - Math.log2(3), 9);
  });

  it.each([
    [() => eta(0, 4), "x must be an integer >= 1; got 0"],
    [() => eta(16, 4), "x must be an integer < 2^y; got 16"],
    [() => eta(1, 0), "y must be an integer >= 1; got 0"],
    [() => eta(1, 2 ** 31), "y must be an integer <= 65536; got 2147483648"],
    [() => eta(1, 1, 0), "z must be an integer >= 1; got 0"],
    [() => eta(1.5, 1), "x must be an integer >= 1; got 1.5"],
  ])("is refused with a sentence (%#)", (make, message) => {
    expect(make).toThrow(message);
  });
});

describe("the loss of a base-2 parameter", () => {
  it("is twice η for each unit of sensitivity, half of that for monotone utilities", () => {
    expect(base2LossOf(eta(1, 1))).toEqual(base2(2));
    expect(base2LossOf(eta(1, 1), { monotone: true })).toEqual(base2(1));
    expect(base2LossOf(eta(1, 1), { sensitivity: 3 })).toEqual(base2(6));
  });

  it("charges a fractional sensitivity as the next integer, because utilities are rounded", () => {
    expect(base2LossOf(eta(1, 1), { sensitivity: "3/2" })).toEqual(
      base2LossOf(eta(1, 1), { sensitivity: 2 }),
    );
  });

  it("is the same in both bases", () => {
    const parameter = eta(15, 4);
    const natural = convert(base2LossOf(parameter), { to: "pure" }).epsilon;
    expect(rational(natural).toNumber()).toBeCloseTo(epsilonOfBase2(parameter).toNumber(), 13);
    expect(epsilonOfBase2(parameter).compare("0.1290770422751423433458478314")).toBeGreaterThan(0);
  });

  it("refuses a sensitivity of nothing", () => {
    expect(() => base2LossOf(eta(1, 1), { sensitivity: 0 })).toThrow("sensitivity must be a rational > 0");
  });
});

describe("etaAtMost", () => {
  it.each(["1e-30", "0.001", "0.1", "1", "1.3863", "3", "10", "1000"])(
    "stays below ε = %s and comes within one percent of it",
    (target) => {
      for (const options of [{}, { monotone: true }, { sensitivity: 3 }, { z: 2 }]) {
        const { epsilon, ...parameter } = etaAtMost(target, options);
        expect(epsilon.compare(target)).toBeLessThanOrEqual(0);
        expect(epsilon.compare(rational(target).times("0.99"))).toBeGreaterThanOrEqual(0);
        const { z: _, ...utilities } = { z: 1, ...options };
        expect(epsilonOfBase2(parameter, utilities)).toEqual(epsilon);
      }
    },
  );

  it("finds the simplest parameter: ε = 1.3863 is a ratio of one half", () => {
    expect(etaAtMost("1.3863")).toMatchObject({ x: 1n, y: 1n, z: 1n });
  });

  it("takes the best x for a given y", () => {
    const { x, epsilon } = etaAtMost(1, { y: 16 });
    expect(x).toBe(39750n);
    expect(epsilonOfBase2(eta(x - 1n, 16)).compare(1)).toBeGreaterThan(0);
    expect(epsilon.compare(1)).toBeLessThanOrEqual(0);
    expect(etaAtMost(50, { y: 4 })).toMatchObject({ x: 1n, y: 4n });
  });

  it("raises y where no x below 2^y is private enough, and never takes a smaller x", () => {
    const { x, y, epsilon } = etaAtMost("0.01", { y: 4 }); // 15/16 would give 0.129
    expect([x, y]).toEqual([255n, 8n]);
    expect(epsilon.compare("0.01")).toBeLessThanOrEqual(0);
  });

  it.each([100, 2000, 20_000, 60_000])("computes a handful of exponentials at ε = %d", (target) => {
    const exp = vi.spyOn(Interval.prototype, "exp");
    const { x, y, epsilon } = etaAtMost(target);
    expect(exp.mock.calls.length).toBeLessThanOrEqual(8);
    exp.mockRestore();
    expect(x).toBe(1n);
    expect(y).toBe(BigInt(Math.ceil((0.99 * target) / 2 / Math.LN2)));
    expect(epsilon.compare(target)).toBeLessThanOrEqual(0);
  });

  it("asks for more precision where the ratio is within 2^−100 of an integer over 2^y", () => {
    const tiny = Rational.of(1n, 2n ** 100n);
    // 2^101·e^−t = 2^101·(1 − t + t²/2 − …): 2^−100 above 2^101 − 2, then as much below it.
    expect(etaAtMost(tiny.times(2), { y: 101 }).x).toBe(2n ** 101n - 1n);
    expect(etaAtMost(tiny.plus(tiny.times(tiny)).times(2), { y: 101 }).x).toBe(2n ** 101n - 2n);
  });

  it.each([
    [() => etaAtMost(0), "epsilon must be a rational > 0; got 0"],
    [() => etaAtMost("1e9"), 'epsilon must be a rational <= 32768 for each step of utility; got "1e9"'],
    [() => etaAtMost(1, { y: 0 }), "y must be an integer >= 1; got 0"],
    [() => etaAtMost(1, { y: 100_000 }), "y must be an integer <= 65536; got 100000"],
    [() => etaAtMost(1, { z: 0 }), "z must be an integer >= 1; got 0"],
  ])("is refused with a sentence (%#)", (make, message) => {
    expect(make).toThrow(message);
  });
});
