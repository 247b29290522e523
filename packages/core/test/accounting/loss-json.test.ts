import { describe, expect, it, vi } from "vitest";
import { WinnowError } from "../../src/errors.js";
import { Interval } from "../../src/exact/interval.js";
import { Rational, rational } from "../../src/exact/rational.js";
import {
  approx,
  Budget,
  base2,
  compose,
  convert,
  describeLoss,
  type Extended,
  gaussianCurve,
  isBounded,
  type Loss,
  type LossLike,
  lossFromJson,
  lossToJson,
  noisyMaxCurve,
  pure,
  pureCurve,
  RenyiCurve,
  readLoss,
  renyi,
  repeat,
  scaleAtLeast,
  varianceAtLeast,
  zcdp,
  zcdpCurve,
} from "../../src/index.js";

/** As a second installed copy of Winnow exports it: the same code, but other classes. */
async function secondCopy() {
  vi.resetModules();
  return import("../../src/index.js");
}

/** A loss or a part of one that no type allows. */
const foreign = (value: unknown) => value as LossLike;

/** A fraction that cannot even be printed. */
const bare = (numerator: bigint, denominator: bigint) =>
  Object.assign(Object.create(null), { numerator, denominator });

describe("a loss that is plain data", () => {
  it("is a limit like the loss that it says", () => {
    const budget = new Budget({ measure: "pure", epsilon: 1 });
    expect(budget.limit).toEqual(pure(1));
    expect(budget.admits(pure(1000))).toBe(false);
    budget.charge(pure("1/2"));
    budget.charge({ measure: "pure", epsilon: "1/2" });
    expect(() => budget.charge({ measure: "pure", epsilon: "1/1000000" })).toThrow("must be at most");
    expect(budget.admitsTimes({ measure: "pure", epsilon: 0.1 })).toBe(0);
    expect(budget.spent).toEqual(pure(1));
  });

  it("is composed, repeated, converted, calibrated for and described like the loss that it says", () => {
    const third = { measure: "pure", epsilon: "1/3" } as const;
    expect(compose(third, { measure: "pure", epsilon: 1n })).toEqual(pure("4/3"));
    expect(repeat(third, 6)).toEqual(pure(2));
    expect(convert(third, { to: "zcdp" })).toEqual(zcdp("0.05504680430820979"));
    expect(describeLoss(third)).toBe("epsilon = 1/3");
    expect(scaleAtLeast(third, { distance: 1 })).toEqual(rational(3));
    expect(varianceAtLeast({ measure: "zcdp", rho: "0.3" })).toEqual(rational("5/3"));
  });

  it("is summed when it went through JSON, a clone or a second copy of Winnow", async () => {
    const copy = await secondCopy();
    expect(copy.pure).not.toBe(pure);
    for (const [name, send] of [
      ["JSON", (loss: Loss) => JSON.parse(JSON.stringify(loss))],
      ["a clone", (loss: Loss) => structuredClone(loss)],
      ["a second copy", (loss: Loss) => copy.lossFromJson(lossToJson(loss))],
    ] as const) {
      const [first, ...others] = [pure("0.5"), pure(1), pure(2)].map(send);
      expect(compose(first, ...others), name).toEqual(pure("3.5"));
      expect(new Budget(first).admits(pure(1000)), name).toBe(false);
      expect(new Budget(send(pure(Infinity))).admits(pure(1000)), name).toBe(true);
    }
  });

  it("is made anew, so a number that compares as it likes has no say", () => {
    const liar = Object.assign(Object.create(Rational.prototype), {
      numerator: 1000n,
      denominator: 1n,
      compare: () => -1,
      plus: () => Rational.ZERO,
    });
    expect(new Budget(pure(1)).admits(pure(liar))).toBe(false);
    expect(new Budget(pure(1)).admits({ measure: "pure", epsilon: liar })).toBe(false);
    expect(compose(pure(liar), pure(1))).toEqual(pure(1001));
    expect(approx(1, { ...liar, numerator: 0n } as Rational).delta.compare("1/2")).toBe(-1);
  });

  it("passes as it is only if this copy of Winnow made it", () => {
    const own = pure(1);
    expect(readLoss(own)).toBe(own);
    const lookalike = Object.freeze({ ...own });
    expect(readLoss(lookalike)).not.toBe(lookalike);
    expect(readLoss(lookalike)).toEqual(own);
  });

  it.each([
    [undefined, "loss must be a loss such as pure(1)"],
    ["pure", "loss must be a loss such as pure(1)"],
    [() => 1, "loss must be a loss such as pure(1)"],
    [[pure(1)], 'loss.measure must be "pure", "base2", "zcdp", "renyi" or "approx"; got undefined'],
    [{ epsilon: 1 }, "loss.measure must be"],
    [{ measure: "toString", epsilon: 1 }, "loss.measure must be"],
    [{ measure: "pure" }, "loss.epsilon must be a rational number"],
    [{ measure: "pure", epsilon: Number.NaN }, "loss.epsilon must be a rational number"],
    [{ measure: "pure", epsilon: -1 }, "loss.epsilon must be a rational >= 0, or Infinity; got -1"],
    [{ measure: "pure", epsilon: -Infinity }, "loss.epsilon must be a rational number"],
    [{ measure: "pure", epsilon: null }, "loss.epsilon must be a rational number"],
    [{ measure: "pure", epsilon: {} }, "loss.epsilon must be a rational number"],
    [{ measure: "pure", epsilon: { numerator: 1, denominator: 1 } }, "loss.epsilon must be a rational"],
    [{ measure: "pure", epsilon: { numerator: 1n, denominator: 0n } }, "loss.epsilon must be a rational"],
    [{ measure: "pure", epsilon: { numerator: 1n, denominator: -1n } }, "loss.epsilon must be a rational"],
    [
      { measure: "pure", epsilon: 1, delta: 0 },
      'a pure loss with only the fields measure, epsilon, readable; got "delta"',
    ],
    [{ measure: "zcdp", rho: 1, delta: null }, "loss.delta must be a rational number"],
    [
      { measure: "zcdp", rho: 1, epsilon: 1 },
      'a zcdp loss with only the fields measure, rho, delta, readable; got "epsilon"',
    ],
    [{ measure: "approx", epsilon: 1 }, "loss.delta must be a rational number"],
    [{ measure: "approx", epsilon: 1, delta: 2 }, "loss.delta must be a rational from 0 to 1"],
    [{ measure: "renyi", curve: { at: () => 0 } }, "loss.curve must be a RenyiCurve made by this copy"],
    [
      { measure: "pure", epsilon: bare(-1n, 2n) },
      "loss.epsilon must be a rational >= 0, or Infinity; got -0.5",
    ],
    [{ measure: "zcdp", rho: 1, delta: bare(3n, 2n) }, "loss.delta must be a rational from 0 to 1; got 1.5"],
  ])("is refused with a sentence if it cannot be read (%#)", (value, message) => {
    const budget = new Budget(pure(1));
    for (const take of [
      () => readLoss(value),
      () => budget.admits(foreign(value)),
      () => budget.admitsTimes(foreign(value)),
      () => budget.charge(foreign(value)),
      () => compose(pure(1), foreign(value)),
      () => repeat(foreign(value), 2),
      () => convert(foreign(value), { to: "zcdp" }),
      () => describeLoss(foreign(value)),
      () => lossToJson(foreign(value)),
    ]) {
      expect(take).toThrow(WinnowError);
      expect(take).toThrow(message);
    }
    expect(() => new Budget(foreign(value))).toThrow("limit");
    expect(() => scaleAtLeast(foreign(value) as never, { distance: 1 })).toThrow("target");
    expect(() => varianceAtLeast(foreign(value) as never)).toThrow("target");
    expect(budget.history).toEqual([]);
  });
});

describe("the size of a loss", () => {
  it("is bounded as a Rational, unbounded as Infinity, and refused as anything else", () => {
    expect(isBounded(rational(1))).toBe(true);
    expect(isBounded(Infinity)).toBe(false);
    const others = [1, Number.NaN, -Infinity, "1", 1n, null, undefined, {}, structuredClone(rational(1))];
    for (const other of others) expect(() => isBounded(other as Extended)).toThrow(WinnowError);
    expect(() => isBounded(1)).toThrow("size must be a Rational, or Infinity; got 1");
  });
});

describe("a Rényi loss", () => {
  it("is read from plain data around a curve of ours", () => {
    const curve = pureCurve(1);
    expect(readLoss({ measure: "renyi", curve, delta: "1e-9" })).toEqual(renyi(curve, "1e-9"));
  });

  it("is refused if its curve was cloned, imitated or made by a second copy of Winnow", async () => {
    const copy = await secondCopy();
    const imitation = Object.assign(Object.create(RenyiCurve.prototype), { at: () => Rational.ZERO });
    class Daring extends (RenyiCurve as unknown as new (...parts: unknown[]) => object) {
      at = () => Rational.ZERO;
    }
    const daring = () => new Daring(rational(1), new Map(), {});
    for (const curve of [structuredClone(pureCurve(1)), imitation, copy.pureCurve(1)]) {
      expect(() => renyi(curve)).toThrow("curve must be a RenyiCurve made by this copy of winnow-dp");
      expect(() => compose(foreign({ measure: "renyi", curve }))).toThrow("loss.curve must be");
      expect(() => noisyMaxCurve(curve, 2)).toThrow("noise must be");
      expect(() => pureCurve(1).plus(curve)).toThrow("other must be");
      expect(() => pureCurve(1).min(curve)).toThrow("other must be");
    }
    expect(daring).toThrow();
    expect(() => Object.assign(pureCurve(1), { at: () => Rational.ZERO })).toThrow(TypeError);
  });

  it("takes the bounds of its curve as numbers, and refuses what is no bound", () => {
    const one = (_: Rational, precision: number) => Interval.from(1n, precision);
    expect(RenyiCurve.of(one, { epsilon: 1 }).epsilon).toEqual(rational(1));
    expect(RenyiCurve.of(one).rho).toBe(Infinity);
    expect(() => RenyiCurve.of(one, { rho: Number.NaN })).toThrow("rho must be");
    expect(() => RenyiCurve.of(one, { epsilon: -1 })).toThrow("epsilon must be");
    expect(() => RenyiCurve.of(1 as never)).toThrow("formula must be a function");
    expect(() => RenyiCurve.line(-1)).toThrow("rho must be a rational >= 0");
    expect(() => zcdpCurve(1).times(-1n)).toThrow("count must be an integer >= 0");
  });

  it("cannot give back to a budget what other charges spent", () => {
    const budget = new Budget(renyi(zcdpCurve(1)), { orders: [2, 8] });
    budget.charge(renyi(zcdpCurve("1/2")));
    const negative = zcdpCurve("1/4").minus(zcdpCurve("1/2"));
    expect(() => budget.charge(renyi(negative))).toThrow("loss.curve must be a curve >= 0 at all orders");
    expect(budget.history.length).toBe(1);
    budget.charge(budget.remaining);
    expect(budget.admits(renyi(gaussianCurve({ variance: 100 })))).toBe(false);
  });
});

describe("the JSON form of a loss", () => {
  it.each([
    [pure("1/3"), '{"measure":"pure","epsilon":"1/3"}'],
    [base2("0.1"), '{"measure":"base2","eta":"0.1"}'],
    [zcdp(2), '{"measure":"zcdp","rho":"2"}'],
    [zcdp("0.02", "1e-6"), '{"measure":"zcdp","rho":"0.02","delta":"0.000001"}'],
    [approx(1, 0), '{"measure":"approx","epsilon":"1","delta":"0"}'],
    [pure(Infinity), '{"measure":"pure","epsilon":"Infinity"}'],
    [approx(Infinity, "1e-6"), '{"measure":"approx","epsilon":"Infinity","delta":"0.000001"}'],
  ])("is exact text, which JSON.stringify writes too (%#)", (loss, text) => {
    expect(JSON.stringify(lossToJson(loss))).toBe(text);
    expect(JSON.stringify(loss)).toBe(text);
    expect(lossFromJson(JSON.parse(text))).toEqual(loss);
    expect(readLoss(JSON.parse(text))).toEqual(loss);
  });

  it("may stand beside words, as in a release", () => {
    expect(lossFromJson({ measure: "pure", epsilon: "0.5", readable: "ε = 0.5" })).toEqual(pure("0.5"));
  });

  it("does not exist for a curve", () => {
    expect(() => lossToJson(renyi(zcdpCurve(1)))).toThrow("loss must be a loss without a curve");
    expect(() => lossFromJson(JSON.parse(JSON.stringify(renyi(zcdpCurve(1)))))).toThrow(WinnowError);
  });

  it.each([
    [null],
    ["pure"],
    [{}],
    [{ measure: "renyi" }],
    [{ measure: "pure" }],
    [{ measure: "pure", epsilon: 0.1 }],
    [{ measure: "pure", epsilon: null }],
    [{ measure: "pure", epsilon: "-1" }],
    [{ measure: "pure", epsilon: "-Infinity" }],
    [{ measure: "pure", epsilon: "x" }],
    [{ measure: "pure", epsilon: "1", delta: "0" }],
    [{ measure: "approx", epsilon: "1" }],
    [{ measure: "approx", epsilon: "1", delta: "2" }],
    [{ measure: "approx", epsilon: "1", delta: "Infinity" }],
    [{ measure: "zcdp", rho: "1", delta: 1e-6 }],
    [{ measure: ["pure"], epsilon: "1" }],
  ])("is never read from %j", (json) => {
    expect(() => lossFromJson(json)).toThrow(WinnowError);
  });

  it("is refused by name", () => {
    expect(() => lossFromJson(1)).toThrow("loss must be a loss such as pure(1)");
    expect(() => lossFromJson({ measure: "pure", epsilon: 1 })).toThrow("loss.epsilon must be text; got 1");
    expect(() => readLoss({ measure: ["pure"], epsilon: 1 })).toThrow('loss.measure must be "pure"');
  });

  it("may have fields that are undefined", () => {
    expect(readLoss({ measure: "pure", epsilon: 1, delta: undefined })).toEqual(pure(1));
  });
});
