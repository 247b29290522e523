/**
 * Parameters of the right type may be huge, tiny or long. Whatever they are, a call answers or is refused in the library's own
 * words: no error of the engine (a bigint that doesn't fit, an array that is too long) and none about an internal step reaches
 * the caller.
 */

import { describe, expect, it } from "vitest";
import { gaussianMaxCurve } from "../src/accounting/noisy-max-curve.js";
import * as core from "../src/index.js";
import { ENTRY_POINTS } from "./support/entry-points.js";

type Options = Record<string, unknown>;
type Call = (options: never) => unknown;

const { approx, eta, pure, zcdp } = core;
const SCORES = [5, 3, 1, 9];
const COUNTS = { a: 900, b: 700, c: 3 };
const BASE2 = { eta: eta(1, 1), lower: 0, upper: 9, maxCandidates: 9 };

/** A call with options that it takes; each of them is made extreme in turn. */
const CALLS: readonly (readonly [name: string, options: Options, call: Call])[] = [
  ["topK", { k: 2, epsilon: 1, sensitivity: 1, domain: { size: 9 } }, (o) => core.topK(SCORES, o)],
  ["topK", { k: 2, rho: 1, sensitivity: 1 }, (o) => core.topK(SCORES, o)],
  ["topKApprox", { k: 2, epsilon: 1, delta: "1e-6", sensitivity: 1 }, (o) => core.topKApprox(SCORES, o)],
  ["topKWithGap", { k: 2, epsilon: 1, resolution: 1 }, (o) => core.topKWithGap(SCORES, o)],
  ["topKWithGap", { k: 2, scale: 1, resolution: 1 }, (o) => core.topKWithGap(SCORES, o)],
  ["permuteAndFlip", { epsilon: 1, sensitivity: 1 }, (o) => core.permuteAndFlip(SCORES, o)],
  ["reportNoisyMax", { noise: "gumbel", rho: 1, sensitivity: 1 }, (o) => core.reportNoisyMax(SCORES, o)],
  ["reportNoisyMax", { noise: "gaussian", variance: 1 }, (o) => core.reportNoisyMax(SCORES, o)],
  ["noisyMaxLoss", { noise: "laplace", scale: 1, sensitivity: 1 }, (o) => core.noisyMaxLoss(o)],
  [
    "TopKStream",
    { k: 1, epsilon: 1, resolution: 1, sensitivity: 1 },
    (o) => new core.TopKStream<string>(o).push("a", 1).push("b", 2).finish(),
  ],
  ["combineGaps", { varianceRatio: 1, resolution: 1 }, (o) => core.combineGaps([9, 7], [2], o)],
  ["base2Exponential", BASE2, (o) => core.base2Exponential(SCORES, Number, o)],
  [
    "base2Exponential",
    { ...BASE2, eta: undefined, epsilon: 1, sensitivity: 1 },
    (o) => core.base2Exponential(SCORES, Number, o),
  ],
  ["base2Exponential", { ...BASE2, mode: "constant-work" }, (o) => core.base2Exponential(SCORES, Number, o)],
  ["precisionRules", BASE2, (o) => core.precisionRules(o)],
  [
    "clampedLaplace",
    { epsilon: 1, lower: 0, upper: 9, step: 1, sensitivity: 1 },
    (o) => core.clampedLaplace(5, o),
  ],
  ["largestGap", { maxK: 2, epsilon: 1, sensitivity: 1, gapCap: 5 }, (o) => core.largestGap(SCORES, o)],
  ["proposeTestRelease", { k: 2, rho: 1, delta: "1e-6" }, (o) => core.proposeTestRelease(COUNTS, o)],
  ["stableTopK", { maxK: 2, epsilon: 1, delta: "1e-6", sensitivity: 1 }, (o) => core.stableTopK(COUNTS, o)],
  [
    "stableTopKFixed",
    { k: 1, domain: "public", rho: 1, delta: "1e-6" },
    (o) => core.stableTopKFixed(COUNTS, o),
  ],
  [
    "limitedTopK",
    { k: 2, epsilon: 1, delta: "1e-6", maxItemsPerUser: 3, maxCandidates: 9 },
    (o) => core.limitedTopK(COUNTS, o),
  ],
  ["limitedTopK", { k: 2, rho: 1, delta: "1e-6" }, (o) => core.limitedTopK(COUNTS, o)],
  ["makeLimitedTopK", { k: 2, scale: 1, threshold: 9 }, (o) => core.makeLimitedTopK(o).invoke(COUNTS)],
  [
    "topKWithCounts",
    { k: 2, epsilon: 1, delta: "1e-6", confidence: "0.9" },
    (o) => core.topKWithCounts(COUNTS, o),
  ],
  [
    "measureCounts",
    { k: 3, rho: 1, sensitivity: 1, confidence: "0.9", maxItemsPerUser: 2 },
    (o) => core.measureCounts(COUNTS, ["a", "b"], o),
  ],
  ["countNoise", { k: 9, rho: 1, sensitivity: 1, maxItemsPerUser: 7 }, (o) => core.countNoise(o).lossOf(4)],
  ["countNoise", { k: 9, epsilon: 1, sensitivity: 1 }, (o) => core.countNoise(o).lossOf(4)],
  ["countNoise", { k: 9, epsilon: 1, delta: "1e-6" }, (o) => core.countNoise(o).lossOf(4)],
  ["measureCounts", { scale: 1, confidence: "0.9" }, (o) => core.measureCounts(COUNTS, ["a"], o)],
  [
    "selectPartitions",
    { maxItemsPerUser: 1, epsilon: 1, delta: "1e-6" },
    (o) => core.selectPartitions(COUNTS, o),
  ],
  [
    "selectPartitions",
    { maxItemsPerUser: 2, rho: 1, delta: "1e-6", counts: true },
    (o) => core.selectPartitions(COUNTS, o),
  ],
  ["histogramTopK", { k: 2, maxItemsPerUser: 1, epsilon: 1 }, (o) => core.histogramTopK(COUNTS, o)],
  [
    "histogramTopK",
    { k: 2, maxItemsPerUser: 3, epsilon: 1, delta: "1e-6" },
    (o) => core.histogramTopK(COUNTS, o),
  ],
  ["histogramTopK", { k: 2, maxItemsPerUser: 1, rho: 1 }, (o) => core.histogramTopK(COUNTS, o)],
  ["boundContributions", { maxItemsPerUser: 1 }, (o) => core.boundContributions([["u", "a"]], o)],
  [
    "AboveThreshold",
    { epsilon: 1, threshold: 5, maxAbove: 1, sensitivity: 1, resolution: 1 },
    (o) => new core.AboveThreshold(o).push(7),
  ],
  ["AboveThreshold", { rho: 1, threshold: 5 }, (o) => new core.AboveThreshold(o).push(7)],
  ["AboveThreshold", { eta: eta(1, 1), threshold: 5, step: 1 }, (o) => new core.AboveThreshold(o).push(7)],
  [
    "makeAboveThreshold",
    { thresholdScale: 1, queryScale: 1, threshold: 5 },
    (o) => core.makeAboveThreshold(o).bounds("0.9", 9),
  ],
  [
    "noisyThreshold",
    { threshold: 1, eta: eta(1, 1), sensitivity: 1, step: 1 },
    (o) => core.noisyThreshold(5, o),
  ],
  [
    "quantile",
    { quantile: "1/2", lower: 0, upper: 9, epsilon: 1, step: 1, maxValuesPerUser: 1 },
    (o) => core.quantile(SCORES, o),
  ],
  ["quantile", { quantile: "1/2", lower: 0, upper: 9, eta: eta(1, 1) }, (o) => core.quantile(SCORES, o)],
  ["quantiles", { quantiles: ["1/4", "3/4"], lower: 0, upper: 9, rho: 1 }, (o) => core.quantiles(SCORES, o)],
  ["upperBound", { target: 1, epsilon: 1, maxValuesPerUser: 1 }, (o) => core.upperBound(SCORES, o)],
  ["integerPartition", { epsilon: 1, maxItemsPerUser: 1 }, (o) => core.integerPartition(SCORES, o)],
  ["integerPartition", { eta: eta(1, 1) }, (o) => core.integerPartition(SCORES, o)],
  ["convert", { to: "approx", delta: "1e-6" }, (o) => core.convert(zcdp(1), o)],
  ["convert", { to: "zcdp" }, (o) => core.convert(pure(1), o)],
  ["gaussianToApprox", { delta: "1e-6" }, (o) => core.gaussianToApprox(1, o)],
  ["scaleAtLeast", { distance: 1 }, (o) => core.scaleAtLeast(pure(1), o)],
  ["varianceAtLeast", { rounds: 1, sensitivity: 1 }, (o) => core.varianceAtLeast(zcdp(1), o)],
  ["varianceAtLeast", { sensitivity: 1 }, (o) => core.varianceAtLeast(approx(1, "1e-6"), o)],
  ["etaAtMost", { sensitivity: 1, y: 9, z: 1 }, (o) => core.etaAtMost(1, o)],
  ["gaussianCurve", { variance: 1 }, (o) => core.gaussianCurve(o).at(2)],
  ["gaussianMaxCurve", { maxCandidates: 2, distance: 1, variance: 1 }, (o) => gaussianMaxCurve(o).at(2)],
];

/** Numbers, texts and bigints that a parameter may be. */
const EXTREMES: readonly unknown[] = [
  ...[0, 1e-200, 1e300, 2 ** 31, 2 ** 53 - 1, "1e-400", `0.${"3".repeat(40)}`],
  ...[-(10n ** 400n), 10n ** 400n],
];
const BASES: readonly unknown[] = [
  ...[eta(1, 65_536), eta(1, 1, 2n ** 80n), eta((1n << 80n) - 1n, 80)],
  ...[
    { x: 1n, y: 2n ** 31n, z: 1n, eta: core.rational(1) },
    { x: 0n, y: 1n, z: 1n, eta: core.rational(1) },
  ],
];

/** What a step inside would complain about: it isn't part of any question. */
const INSIDE = /^(x must be an interval|value|divisor|denominator|precision|hi|lo|n|scores must be finite)\b/;

/** Asserts that the call answers, or is refused by an error of ours about something that was asked. */
function expectOwnWords(call: () => unknown, what: string): void {
  try {
    call();
  } catch (error) {
    expect(error, what).toBeInstanceOf(core.WinnowError);
    expect((error as Error).message, what).not.toMatch(INSIDE);
  }
}

describe.each(CALLS)("%s with %o", (_, options, call) => {
  const names = Object.keys(options).filter(
    (name) => !["undefined", "boolean"].includes(typeof options[name]),
  );

  it.each(names)("answers, or refuses in its own words, if %s is extreme", (name) => {
    for (const extreme of name === "eta" ? BASES : EXTREMES)
      expectOwnWords(() => call({ ...options, [name]: extreme } as never), `${name}: ${String(extreme)}`);
  });
});

/** Numbers that a private value may be. */
const VALUES: readonly (number | bigint)[] = [
  ...[Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324, -0, 2 ** 53, 2 ** 60, 1e300],
  ...[2n ** 60n, 2n ** 1023n, 10n ** 400n, -(10n ** 400n)],
];

describe.each(ENTRY_POINTS)("$name", ({ call }) => {
  it("takes extreme values, or refuses them as what they are", async () => {
    for (const value of VALUES)
      for (const data of [
        value,
        [value, 1, 2],
        [value, value, value],
        [value],
        { a: value, b: 1 },
        [["a", value]],
      ]) {
        const error = await Promise.resolve()
          .then(() => call(data as never))
          .then(
            () => undefined,
            (reason: unknown) => reason,
          );
        if (error !== undefined) expect(error, String(value)).toBeInstanceOf(core.WinnowError);
      }
  });
});

describe("the rule that a huge value breaks", () => {
  it.each([
    [
      () => core.topK([10n ** 400n, 1n], { k: 1, epsilon: 1 }),
      "scores must be finite numbers or bigints (up to 1.79e308)",
    ],
    [
      () => core.integerPartition([2n ** 60n], { epsilon: 1 }),
      "counts must be integers from 0 throughout, at most 2^52 together",
    ],
    [
      () => core.noisyThreshold(10n ** 400n, { threshold: 1, eta: eta(1, 1) }),
      "value must be a finite number or a bigint (up to 1.79e308)",
    ],
    [
      () => core.limitedTopK({ a: 10n ** 400n }, { k: 1, epsilon: 1, delta: "1e-6" }),
      /^histogram must be counts up to/,
    ],
    [
      () => core.base2Exponential([1], Number, { ...BASE2, eta: eta(1, 2 ** 31) }),
      "y must be an integer <= 65536",
    ],
    [() => core.makeLimitedTopK({ k: 1, scale: 1, threshold: "1e-400" }), /^threshold must be/],
  ])("is the one that the error states: %#", (call, message) => {
    expect(call).toThrow(message);
    expect(call).toThrow(core.WinnowError);
  });
});
