/** What the compiler promises to callers. `tsc` checks the types; the calls run too, where they may. */
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  approx,
  base2,
  compose,
  convert,
  type Extended,
  type LossOf,
  largestGap,
  type Measurement,
  makeNoisyTopK,
  makeStableTopK,
  makeStableTopKFixed,
  permuteAndFlip,
  proposeTestRelease,
  pure,
  type Rational,
  repeat,
  reportNoisyMax,
  stableTopK,
  stableTopKFixed,
  type TopKOptions,
  TopKStream,
  topK,
  topKWithGap,
  type Winner,
  zcdp,
} from "../src/index.js";

const scores = [3, 1, 2];
const named = new Map([
  ["a", 3],
  ["b", 1],
]);

describe("The candidate of a winner is", () => {
  it("a position, where scores came in an array", () => {
    expectTypeOf(topK(scores, { k: 1, epsilon: 1 }).winners).toEqualTypeOf<readonly Winner[]>();
    expectTypeOf(topK(new Uint32Array(3), { k: 1, rho: 1 }).winners[0].candidate).toBeNumber();
    expectTypeOf(topKWithGap([1n, 2n], { k: 1, epsilon: 1 }).winners[0].gap).toEqualTypeOf<Rational>();
    expectTypeOf(permuteAndFlip(scores, { epsilon: 1 }).candidate).toBeNumber();
    expectTypeOf(topK(JSON.parse("[3, 1]"), { k: 1, epsilon: 1 }).winners[0].candidate).toBeNumber();
  });

  it("a name, where scores have names", () => {
    expectTypeOf(topK(named, { k: 1, epsilon: 1 }).winners).toEqualTypeOf<readonly Winner<string>[]>();
    expectTypeOf(topK([["a", 1]], { k: 1, epsilon: 1 }).winners[0].candidate).toBeString();
    expectTypeOf(topK([[new Date(), 1n]], { k: 1, epsilon: 1 }).winners[0].candidate).toEqualTypeOf<Date>();
    const record = { news: 412, 2024: 7 };
    expectTypeOf(topK(record, { k: 1, epsilon: 1 }).winners[0].candidate).toEqualTypeOf<"news" | "2024">();
    const records: Record<string, number> = record;
    expectTypeOf(topK(records, { k: 1, epsilon: 1 }).winners[0].candidate).toBeString();
    expectTypeOf(topKWithGap(record, { k: 1, epsilon: 1 }).winners[0].gap).toEqualTypeOf<Rational>();
    expectTypeOf(permuteAndFlip(named, { scale: 1 }).candidate).toBeString();
    expectTypeOf(reportNoisyMax(named, { noise: "gumbel", rho: 1 }).candidate).toBeString();
    // @ts-expect-error: names have no positions
    expect(topK(named, { k: 1, epsilon: 1 }).winners[0].index).toBeUndefined();
    // @ts-expect-error: scores are numbers
    expect(() => topK(new Map([["a", "3"]]), { k: 1, epsilon: 1 })).toThrow();
    // @ts-expect-error: scores are numbers
    expect(() => topK({ a: "3" }, { k: 1, epsilon: 1 })).toThrow();
    // @ts-expect-error: pairs have two elements
    expect(() => topK([["a", 1, 2]], { k: 1, epsilon: 1 })).toThrow();
  });

  it("one or the other, where it is not known", () => {
    const either = named as Map<string, number> | number[];
    expectTypeOf(topK(either, { k: 1, epsilon: 1 }).winners).toEqualTypeOf<
      readonly Winner<number | string>[]
    >();
  });

  it("an id, in a stream", () => {
    const stream = new TopKStream<string>({ k: 1, epsilon: 1 }).push("a", 1);
    expectTypeOf(stream.finish().winners[0].candidate).toBeString();
    expectTypeOf(
      new TopKStream({ k: 1, epsilon: 1 }).pushScores([1]).finish().winners[0].candidate,
    ).toBeNumber();
    // @ts-expect-error: its candidates are texts
    expect(() => stream.pushScores([1])).toThrow();
  });

  it("a set, where the order says nothing", () => {
    const options = { maxK: 2, rho: 1, delta: "1e-6" } as const;
    const list = stableTopK([9, 1], options);
    if (list.released) expectTypeOf(list.candidates).toEqualTypeOf<readonly number[]>();
    const names = stableTopK({ a: 9, b: 1 }, options);
    if (names.released) expectTypeOf(names.candidates).toEqualTypeOf<readonly ("a" | "b")[]>();
    const fixed = stableTopKFixed(named, { k: 1, domain: "public", rho: 1, delta: "1e-6" });
    expectTypeOf(fixed.candidates).toEqualTypeOf<readonly string[]>();
    // @ts-expect-error: ties are broken by name, so names are texts
    expect(() => stableTopK(new Map([[1, 9]]), options)).toThrow();
  });
});

describe("The budget", () => {
  it("decides the measure of the loss", () => {
    expectTypeOf(topK(scores, { k: 1, epsilon: 1 }).privacy).toEqualTypeOf<LossOf<Rational>["pure"]>();
    expectTypeOf(topK(scores, { k: 1, scale: 1 }).privacy.epsilon).toEqualTypeOf<Extended>();
    expectTypeOf(topK(scores, { k: 1, rho: 1 }).privacy.rho).toEqualTypeOf<Rational>();
    expectTypeOf(reportNoisyMax(scores, { noise: "laplace", epsilon: 1 }).privacy).toEqualTypeOf<
      LossOf<Rational>["pure"]
    >();
    expectTypeOf(reportNoisyMax(scores, { noise: "gaussian", rho: 1 }).privacy).toEqualTypeOf<
      LossOf<Rational>["zcdp"]
    >();
    expectTypeOf(reportNoisyMax(scores, { noise: "gaussian", variance: 1 }).privacy).toEqualTypeOf<
      LossOf<Rational>["zcdp"]
    >();
    expectTypeOf(largestGap(scores, { maxK: 2, epsilon: 1 }).privacy).toEqualTypeOf<
      LossOf<Rational>["pure"]
    >();
    expectTypeOf(largestGap(scores, { maxK: 2, rho: 1 }).privacy).toEqualTypeOf<LossOf<Rational>["zcdp"]>();
    expectTypeOf(largestGap(scores, { maxK: 2, noise: "gaussian", variance: 1 }).privacy.rho);
    const delta = "1e-6";
    expectTypeOf(stableTopK(scores, { maxK: 2, rho: 1, delta }).privacy).toEqualTypeOf<
      LossOf<Rational>["zcdp"]
    >();
    expectTypeOf(stableTopK(scores, { maxK: 2, epsilon: 1, delta }).privacy).toEqualTypeOf<
      LossOf<Rational>["approx"]
    >();
    const fixed = { k: 1, domain: "public", delta } as const;
    expectTypeOf(stableTopKFixed(scores, { ...fixed, rho: 1 }).privacy).toEqualTypeOf<
      LossOf<Rational>["zcdp"]
    >();
    expectTypeOf(proposeTestRelease(scores, { k: 1, variance: 1, delta }).privacy).toEqualTypeOf<
      LossOf<Rational>["zcdp"]
    >();
    expectTypeOf(proposeTestRelease(scores, { k: 1, scale: 1, delta }).privacy).toEqualTypeOf<
      LossOf<Rational>["approx"]
    >();
    const stream = new TopKStream<string>({ k: 1, rho: 1 }).push("a", 1);
    expectTypeOf(stream.finish().privacy).toEqualTypeOf<LossOf["pure" | "zcdp"]>();
  });

  it("may be known only when it runs", () => {
    const options: TopKOptions = Math.max(1, 2) > 1 ? { k: 1, epsilon: 1 } : { k: 1, rho: 1 };
    const choose = (given: TopKOptions) => topK(scores, given).privacy;
    expectTypeOf(choose).returns.toEqualTypeOf<LossOf["pure" | "zcdp"]>();
    expect(choose(options).measure).toBe("pure");
  });

  it("is one of those that the mechanism takes, and only one", () => {
    const refused: (() => unknown)[] = [
      // @ts-expect-error: no budget
      () => topK(scores, { k: 1 }),
      // @ts-expect-error: two budgets
      () => topK(scores, { k: 1, epsilon: 1, rho: 1 }),
      // @ts-expect-error: two budgets
      () => topK(scores, { k: 1, epsilon: 1, scale: 1 }),
      // @ts-expect-error: gaps have no rho
      () => topKWithGap(scores, { k: 1, rho: 1 }),
      // @ts-expect-error: neither has permute-and-flip
      () => permuteAndFlip(scores, { rho: 1 }),
      // @ts-expect-error: no budget
      () => permuteAndFlip(scores, {}),
      // @ts-expect-error: Gaussian noise has no pure guarantee
      () => reportNoisyMax(scores, { noise: "gaussian", epsilon: 1 }),
      // @ts-expect-error: Laplace noise has a scale
      () => reportNoisyMax(scores, { noise: "laplace", variance: 1 }),
      // @ts-expect-error: no budget
      () => largestGap(scores, { maxK: 2 }),
      // @ts-expect-error: only Gaussian noise has a variance
      () => largestGap(scores, { maxK: 2, variance: 1 }),
      // @ts-expect-error: no delta
      () => stableTopK(scores, { maxK: 2, rho: 1 }),
      // @ts-expect-error: two budgets
      () => stableTopK(scores, { maxK: 2, rho: 1, epsilon: 1, delta: "1e-6" }),
      // @ts-expect-error: two budgets
      () => new TopKStream({ k: 1, rho: 1, epsilon: 1 }),
      // @ts-expect-error: no budget
      () => new TopKStream<string>({ k: 1 }),
    ];
    for (const call of refused) expect(call).toThrow(/must be/);
  });
});

describe("The size of a loss is", () => {
  it("a rational where it came from a budget, and may be Infinity where noise may be none", () => {
    expect(topK(scores, { k: 1, epsilon: "1/2" }).privacy.epsilon.toNumber()).toBe(0.5);
    expect(topKWithGap(scores, { k: 1, epsilon: 1 }).privacy.epsilon.toNumber()).toBe(1);
    expect(permuteAndFlip(scores, { epsilon: 1 }).privacy.epsilon.toNumber()).toBe(1);
    expectTypeOf(topKWithGap(scores, { k: 1, scale: 0 }).privacy.epsilon).toEqualTypeOf<Extended>();
    expectTypeOf(permuteAndFlip(scores, { scale: 0 }).privacy.epsilon).toEqualTypeOf<Extended>();
    expect(topKWithGap(scores, { k: 1, scale: 0, resolution: 1 }).privacy.epsilon).toBe(Infinity);
  });

  it("a rational where a number was written down, and unknown where a number is", () => {
    expectTypeOf(pure(1)).toEqualTypeOf<LossOf<Rational>["pure"]>();
    expectTypeOf(zcdp("1/3", "1e-6")).toEqualTypeOf<LossOf<Rational>["zcdp"]>();
    expectTypeOf(pure(Infinity)).toEqualTypeOf<LossOf["pure"]>();
    expectTypeOf(approx(Math.max(1, 2), "1e-6")).toEqualTypeOf<LossOf["approx"]>();
    expect(convert(pure(1), { to: "zcdp" }).rho.toNumber()).toBeLessThan(0.5);
  });

  it("in the measure of a sum, which expresses all of its parts", () => {
    expect(compose(pure(1), zcdp("0.1")).rho.toNumber()).toBeGreaterThan(0.1);
    expect(compose(base2(1), pure(1)).epsilon.toNumber()).toBeGreaterThan(1);
    expect(compose(pure(1), approx(1, "1e-6"), pure(1)).epsilon.toNumber()).toBe(3);
    expectTypeOf(compose(base2(1), base2(2))).toEqualTypeOf<LossOf<Rational>["base2"]>();
    const either = compose(...([pure(1), zcdp(1)] as LossOf<Rational>["pure" | "zcdp"][]));
    expectTypeOf(either).toEqualTypeOf<LossOf<Rational>["pure" | "zcdp"]>();
    expect(repeat(pure("1/3"), 3).epsilon.toNumber()).toBe(1);
    // A sum with a part that promises nothing is that part, in its own measure.
    expectTypeOf(compose(pure(Infinity), zcdp(1))).toEqualTypeOf<LossOf["pure" | "zcdp"]>();
    expect(compose(pure(Infinity), zcdp(1))).toEqual(pure(Infinity));
  });
});

it("A misspelt option does not compile", () => {
  const refused: (() => unknown)[] = [
    // @ts-expect-error: monotone
    () => topK(scores, { k: 1, epsilon: 1, montone: true }),
    // @ts-expect-error: monotone
    () => topK(named, { k: 1, rho: 1, montone: true }),
    // @ts-expect-error: resolution
    () => topKWithGap(scores, { k: 1, epsilon: 1, resolutoin: 1 }),
    // @ts-expect-error: epsilon
    () => reportNoisyMax(scores, { noise: "gumbel", epsilom: 1 }),
    // @ts-expect-error: maxK
    () => stableTopK(scores, { maxk: 1, rho: 1, delta: "1e-6" }),
    // @ts-expect-error: negate
    () => new TopKStream({ k: 1, epsilon: 1, negat: true }),
  ];
  for (const call of refused) expect(call).toThrow();
});

it("Every make… function returns a measurement", () => {
  const noise = { choose: { noise: "gumbel", scale: 4 }, test: { variance: 16 } } as const;
  const shared = { ...noise, delta: "1e-6", monotone: true } as const;
  const top = makeNoisyTopK({ k: 1, measure: "pure", scale: 1 });
  expectTypeOf(top.map(1)).toEqualTypeOf<LossOf["pure"]>();
  const stable = makeStableTopK({ ...shared, maxK: 2 });
  expectTypeOf(stable.map(1)).toEqualTypeOf<LossOf["zcdp"]>();
  const fixed = makeStableTopKFixed({ ...shared, k: 1, domain: "public", rounds: { scale: 2 } });
  const all: Measurement<number[], object, LossOf["pure" | "zcdp"], never>[] = [top, stable, fixed];
  expect(all.map(({ measure }) => measure)).toEqual(["pure", "zcdp", "zcdp"]);
  for (const measurement of all) expect(measurement.invoke([900, 1])).toBeTypeOf("object");
});
