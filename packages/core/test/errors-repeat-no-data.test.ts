/**
 * A caller who reads errors, or keeps them in a log, learns nothing about the data: wherever data enter the library, whatever is
 * passed instead of them, an error repeats nothing of it, in no field and in no form in which errors are written down.
 */
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import * as core from "../src/index.js";
import * as parallel from "../src/parallel.js";
import * as sample from "../src/sample/index.js";
import { ENTRY_POINTS } from "./support/entry-points.js";

/** Found in every one of them. */
const SECRET = /canary|4711/i;

const revealing = {
  canary: 4711,
  toString: () => "canary",
  toJSON: () => "canary",
  [Symbol.for("nodejs.util.inspect.custom")]: () => "canary",
};

/** Private values of every kind, most of them refused everywhere. */
const CANARIES: readonly (readonly [kind: string, value: unknown])[] = [
  ["a text", "canary"],
  ["an integer", 47_114_711],
  ["a negative integer", -47_114_711],
  ["a fraction", 4711.4711],
  ["a bigint", 4711_4711_4711n],
  ["a bigint beyond the doubles", 4711n * 10n ** 400n],
  ["an object", revealing],
  ["a fraction that isn't one", { numerator: 4711n, denominator: 0n }],
  ["a symbol", Symbol("canary")],
  ["a function", Object.defineProperty(() => 4711, "name", { value: "canary" })],
  ["a proxy", new Proxy(revealing, {})],
  ["a proxy of a list", new Proxy(["canary", 4711], {})],
];

/** Where in the data it is. */
const SHAPES: readonly (readonly [name: string, around: (canary: unknown) => unknown])[] = [
  ["instead of them", (canary) => canary],
  ["in a list", (canary) => [canary]],
  ["last in a list", (canary) => [1, 2, canary]],
  ["throughout a list", (canary) => [canary, canary, canary]],
  ["throughout a longer list", (canary) => [canary, canary, canary, canary, canary, canary]],
  ["throughout a list of lists", (canary) => [[canary, canary, canary]]],
  ["as a count", (canary) => [["a", canary]]],
  ["as a name", (canary) => [[canary, 1]]],
  ["as a name that comes twice", (canary) => [[canary, 1], [canary, 1]]], // biome-ignore format: one line
  ["as a row", (canary) => [["a", 1], canary]],
  ["in a record", (canary) => ({ a: canary })],
  ["as a key", () => ({ canary: "canary" })],
  ["in a map", (canary) => new Map([["a", canary]])],
  ["as a key of a map", (canary) => new Map([[canary, canary]])],
  ["as a length", (canary) => ({ length: canary })],
  ["in what has a length", (canary) => ({ length: 1, 0: canary })],
  ["in what says that it is long", (canary) => ({ length: 2 ** 53 - 1, 0: canary })],
  ["in a set", (canary) => new Set([canary])],
  ["in a generator", (canary) => once(canary)],
  ["arriving", (canary) => arriving(canary)],
];

function* once(value: unknown) {
  yield value;
}

async function* arriving(value: unknown) {
  yield value;
}

/** The error of a call, if there is one. */
async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Everything that someone might write down of an error. */
function texts(error: Error): string[] {
  const { message, stack, cause } = error;
  const { got, expected, field } = error as core.WinnowError;
  const own = Object.fromEntries(
    Reflect.ownKeys(error).map((name) => [String(name), inspect(Reflect.get(error, name))]),
  );
  return [
    ...[message, String(stack), String(got), String(expected), String(field), inspect(cause)],
    ...[JSON.stringify(error), JSON.stringify(own), String(error)],
    inspect(error, { showHidden: true, depth: 9, getters: true }),
  ];
}

describe.each(ENTRY_POINTS)("an error of $name", ({ call, data }) => {
  const seen = new Set<string>(); // writing an error down in every form takes as long as hundreds of calls
  it.each(CANARIES)("repeats nothing of %s", async (_, canary) => {
    for (const [where, around] of SHAPES) {
      const error = await errorOf(() => call(around(canary) as never));
      if (error === undefined) continue;
      expect(error, where).toBeInstanceOf(core.WinnowError);
      const { message, field, expected, got, cause } = error as core.WinnowError;
      const parts = [message, field, expected, got, cause, ...Reflect.ownKeys(error as object)].map(String);
      expect(parts.join(), where).not.toMatch(SECRET);
      if (seen.has(parts.join())) continue;
      seen.add(parts.join());
      for (const text of texts(error as Error)) expect(text, where).not.toMatch(SECRET);
    }
  });

  it("doesn't come with good data", async () => {
    if (data === undefined) return;
    expect(await errorOf(() => call(data as never))).toBeUndefined();
  });
});

const BASE2 = { eta: core.eta(1, 1), lower: 0, upper: 1, maxCandidates: 9 };

describe("arguments that are mixed up", () => {
  it.each([
    ["options", () => core.noisyThreshold({ threshold: 1, eta: core.eta(1, 1) } as never, 4711 as never)],
    ["options", () => core.topK({ k: 1, epsilon: 1 } as never, "canary" as never)],
    ["entropy", () => core.makeNoisyTopK({ k: 1, measure: "pure", scale: 1 }).invoke([1], "4711" as never)],
    ["utility", () => core.base2Exponential([1], 4711 as never, BASE2)],
  ])("are not repeated where data are taken for %s", (field, call) => {
    expect(call).toThrow(expect.objectContaining({ code: "invalid-parameter", field }));
    expect(call).not.toThrow(SECRET);
  });
});

describe("public parameters", () => {
  it.each([
    [() => core.topK([1, 2], { k: 9, epsilon: 1 }), "k must be an integer from 1 to 2; got 9"],
    [() => core.topK([1], { k: 1, epsilon: "x" }), /^epsilon must be a rational.*; got "x"$/],
    [() => new core.AboveThreshold({ epsilon: 1, threshold: "x" }), /^threshold must be.*; got "x"$/],
  ])("are repeated: %#", (call, message) => {
    expect(call).toThrow(message);
  });
});

/** What takes no data: parameters, losses and bits only, or nothing at all. */
const PUBLIC_ONLY = [
  ..."editDistance invalidParameter nearest readOptions readers sha256 withEntropy".split(" "),
  ..."Budget Entropy Interval Rational RenyiCurve WinnowError approx base2 base2LossOf".split(" "),
  ..."boundedRangeCurve boundedRangeDelta compose convert countNoise describeLoss discreteGaussianDelta eta etaAtMost".split(
    " ",
  ),
  ..."gaussianCurve gaussianToApprox groupBudgets inGroups isBounded laplaceCurve lossFromJson lossToJson noisyMaxCurve".split(
    " ",
  ),
  ..."noisyMaxLoss precisionRules pure pureCurve rational readLoss renyi repeat rhoAtMost".split(" "),
  ..."scaleAtLeast selectPrivateCandidate systemEntropy varianceAtLeast zcdp zcdpCurve".split(" "),
  ..."DiscreteGaussian DiscreteLaplace Geometric bernoulli bernoulliExp bernoulliExpRatio".split(" "),
  ..."discreteGaussian discreteLaplace geometric".split(" "),
  ..."lazyExponential lazyGaussian lazyGumbel truncatedGeometric uniformBelow".split(" "),
];

describe("the list of entry points", () => {
  it("has every export that takes data", () => {
    const exported = [core, parallel, sample].flatMap((module) => Object.keys(module)).sort();
    const listed = new Set(ENTRY_POINTS.map(({ name }) => name.split(/[.,]/)[0]));
    expect([...new Set([...listed, ...PUBLIC_ONLY])].sort()).toEqual(exported);
  });
});
