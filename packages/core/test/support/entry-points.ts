/**
 * Every place where data enter the library: a call, and data that it takes. Tests of what holds everywhere (no error repeats
 * data, nothing is read twice, no answer can be written into) walk this list; a test compares it with what is exported.
 * @module
 */
import * as core from "../../src/index.js";
import { topKParallel } from "../../src/parallel.js";
import * as sample from "../../src/sample/index.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

/** A place where data enter. */
export interface EntryPoint {
  /** What is called: the name of an export, and of its method if it is one. */
  readonly name: string;
  /** Data that it takes. */
  readonly data: unknown;
  /** Passes data of any kind; nothing else of the call changes. */
  call(data: never): unknown;
}

const { eta, zcdp } = core;
const SCORES = [5, 3, 1, 9];
const COUNTS = { a: 900, b: 700, c: 3 };
const UNKNOWN = { k: 2, epsilon: 1, delta: "1e-6" };
const STABLE = { maxK: 2, rho: 1, delta: "1e-6" };
const GRID = { lower: 0, upper: 9, epsilon: 1 };
const MULTI_CLASS = {
  task: "multi-class",
  teachers: 3,
  labels: 2,
  choose: { noise: "gumbel", rho: 1 },
  limit: zcdp(9),
} as const;
const MULTI_LABEL = {
  ...MULTI_CLASS,
  task: "multi-label",
  maxK: 2,
  test: { rho: 1 },
  delta: "1e-6",
  limit: zcdp(99, "1e-2"),
} as const;
const bits = () => seededEntropy("entry points");
const stream = () => new core.TopKStream<never>({ k: 1, epsilon: 1, entropy: bits() });
const limited = () => new core.LimitedTopKStream({ ...UNKNOWN, entropy: bits() });
const renewal = () => core.renewList({ k: 2, renewals: 1, epsilon: 1, monotone: true });
const threshold = () => new core.AboveThreshold({ epsilon: 1, threshold: 5, entropy: bits() });

/** All of them. */
export const ENTRY_POINTS: readonly EntryPoint[] = [
  entry("expandedEntropy", new Uint8Array(32).fill(7), (data) => core.expandedEntropy(data)),
  entry("renewList.start", SCORES, (data) => renewal().start(data, bits())),
  entry("renewList.next", SCORES, (data) =>
    renewal().next(renewal().start(SCORES, bits()).state, data, bits()),
  ),
  entry("renewList.next, the state", renewal().start(SCORES, bits()).state, (data) =>
    renewal().next(data, SCORES, bits()),
  ),
  entry("topK", SCORES, (data) => core.topK(data, { k: 2, epsilon: 1, entropy: bits() })),
  entry("topK, Gumbel noise", SCORES, (data) => core.topK(data, { k: 2, rho: 1, entropy: bits() })),
  entry("topKApprox", SCORES, (data) =>
    core.topKApprox(data, { k: 1, epsilon: 1, delta: "1e-6", entropy: bits() }),
  ),
  entry("topKWithGap", SCORES, (data) =>
    core.topKWithGap(data, { k: 2, epsilon: 1, resolution: "0.1", entropy: bits() }),
  ),
  entry("permuteAndFlip", SCORES, (data) => core.permuteAndFlip(data, { epsilon: 1, entropy: bits() })),
  entry("reportNoisyMax", SCORES, (data) =>
    core.reportNoisyMax(data, { noise: "gumbel", epsilon: 1, entropy: bits() }),
  ),
  entry("reportNoisyMax, Gaussian noise", SCORES, (data) =>
    core.reportNoisyMax(data, { noise: "gaussian", variance: 4, entropy: bits() }),
  ),
  entry("makeNoisyTopK.invoke", SCORES, (data) =>
    core.makeNoisyTopK({ k: 2, measure: "pure", scale: 1 }).invoke(data, bits()),
  ),
  entry("TopKStream.push", 5, (data) => stream().push("a" as never, data)),
  entry("TopKStream.pushScores", SCORES, (data) =>
    (stream() as core.TopKStream<number>).pushScores(data).finish(),
  ),
  entry("TopKStream.pushAll", [["a", 5]], (data) => stream().pushAll(data).finish()),
  entry("TopKStream.pushFrom", [["a", 5]], async (data) => (await stream().pushFrom(data)).finish()),
  entry("TopKStream.pushFrom, with a signal", [["a", 5]], async (data) =>
    (await stream().pushFrom(data, { signal: new AbortController().signal })).finish(),
  ),
  entry("TopKStream.merge", undefined, (data) => stream().merge(data)),
  entry("TopKStream.attach", undefined, (data) => stream().attach(data)),
  entry("combineGaps, measurements", [9, 7], (data) => core.combineGaps(data, [1], { varianceRatio: 1 })),
  entry("combineGaps, gaps", [1], (data) => core.combineGaps([9, 7], data, { varianceRatio: 1 })),
  entry("base2Exponential, outcomes", SCORES, (data) =>
    core.base2Exponential(data, () => 5, {
      eta: eta(1, 1),
      lower: 0,
      upper: 9,
      maxCandidates: 9,
      entropy: bits(),
    }),
  ),
  entry("makeBase2Exponential.invoke", SCORES, (data) =>
    core.makeBase2Exponential({ eta: eta(1, 1), lower: 0, upper: 9, maxCandidates: 9 }).invoke(data, bits()),
  ),
  entry("base2Exponential, utility", 5, (data) =>
    core.base2Exponential([1, 2], () => data, {
      eta: eta(1, 1),
      lower: 0,
      upper: 9,
      maxCandidates: 9,
      entropy: bits(),
    }),
  ),
  entry("clampedLaplace", 5, (data) =>
    core.clampedLaplace(data, { eta: eta(1, 1), lower: 0, upper: 9, step: 1, entropy: bits() }),
  ),
  entry("largestGap", COUNTS, (data) => core.largestGap(data, { maxK: 2, epsilon: 1, entropy: bits() })),
  entry("proposeTestRelease", COUNTS, (data) =>
    core.proposeTestRelease(data, { k: 2, rho: 1, delta: "1e-6", entropy: bits() }),
  ),
  entry("boundGroups", [["u1", "DE", "a"]], (data) =>
    core.boundGroups(data, { maxGroupsPerUser: 1, entropy: bits() }),
  ),
  entry("topKInGroups", [["u1", "DE", "a"]], (data) =>
    core.topKInGroups(data, {
      groups: ["DE"],
      items: ["a"],
      maxGroupsPerUser: 1,
      k: 1,
      epsilon: 1,
      entropy: bits(),
    }),
  ),
  entry("topKSet", SCORES, (data) => core.topKSet(data, { k: 2, epsilon: 1, entropy: bits() })),
  entry("topKSet, named", COUNTS, (data) => core.topKSet(data, { k: 2, epsilon: 1, entropy: bits() })),
  entry("stableTopK", COUNTS, (data) => core.stableTopK(data, { ...STABLE, entropy: bits() })),
  entry("makeStableTopK.invoke", COUNTS, (data) =>
    core
      .makeStableTopK({ maxK: 2, choose: { noise: "gumbel", rho: 1 }, test: { rho: 1 }, delta: "1e-6" })
      .invoke(data, bits()),
  ),
  entry("stableTopKFixed", COUNTS, (data) =>
    core.stableTopKFixed(data, { k: 1, domain: "public", rho: 1, delta: "1e-6", entropy: bits() }),
  ),
  entry("makeStableTopKFixed.invoke", COUNTS, (data) =>
    core
      .makeStableTopKFixed({
        k: 1,
        maxK: 2,
        domain: "public",
        choose: { noise: "gumbel", rho: 1 },
        test: { rho: 1 },
        rounds: { rho: 1 },
        delta: "1e-6",
      })
      .invoke(data, bits()),
  ),
  entry("limitedTopK", COUNTS, (data) => core.limitedTopK(data, { ...UNKNOWN, entropy: bits() })),
  entry("limitedTopK, gaps", COUNTS, (data) =>
    core.limitedTopK(data, { ...UNKNOWN, resolution: 1, entropy: bits() }),
  ),
  entry("makeLimitedTopK.invoke", COUNTS, (data) => core.makeLimitedTopK(UNKNOWN).invoke(data, bits())),
  entry("makeLimitedTopK.invokeRows", [["a", 900]], (data) =>
    core.makeLimitedTopK(UNKNOWN).invokeRows(data, bits()),
  ),
  entry("LimitedTopKStream.push, name", "a", (data) => limited().push(data, 900).finish()),
  entry("LimitedTopKStream.push, count", 900, (data) => limited().push("a", data).finish()),
  entry("LimitedTopKStream.pushAll", COUNTS, (data) => limited().pushAll(data).finish()),
  entry("LimitedTopKStream.pushFrom", [["a", 900]], async (data) =>
    (await limited().pushFrom(data)).finish(),
  ),
  entry("LimitedTopKStream.pushFrom, with a signal", [["a", 900]], async (data) =>
    (await limited().pushFrom(data, { signal: new AbortController().signal })).finish(),
  ),
  entry("LimitedTopKStream.merge", undefined, (data) => limited().merge(data)),
  entry("topKWithCounts", COUNTS, (data) => core.topKWithCounts(data, { ...UNKNOWN, entropy: bits() })),
  entry("topKWithCounts, public domain", COUNTS, (data) =>
    core.topKWithCounts(data, { k: 2, epsilon: 1, domain: "public", entropy: bits() }),
  ),
  entry("makeTopKWithCounts.invoke", COUNTS, (data) => core.makeTopKWithCounts(UNKNOWN).invoke(data, bits())),
  entry("measureCounts, histogram", COUNTS, (data) =>
    core.measureCounts(data, ["a", "z"], { epsilon: 1, entropy: bits() }),
  ),
  entry("orderedIntervals", [3, 2], (data) => core.orderedIntervals(data, 2)),
  entry("measureCounts, names", ["a", "z"], (data) =>
    core.measureCounts(COUNTS, data, { rho: 1, entropy: bits() }),
  ),
  entry("nonIncreasingFit", [3, 5], (data) => core.nonIncreasingFit(data)),
  entry("selectPartitions", COUNTS, (data) =>
    core.selectPartitions(data, { maxItemsPerUser: 1, epsilon: 1, delta: "1e-6", entropy: bits() }),
  ),
  entry("histogramTopK", COUNTS, (data) =>
    core.histogramTopK(data, { k: 1, maxItemsPerUser: 1, epsilon: 1, entropy: bits() }),
  ),
  entry("selectPartitions, counts", COUNTS, (data) =>
    core.selectPartitions(data, {
      maxItemsPerUser: 2,
      epsilon: 1,
      delta: "1e-6",
      counts: true,
      entropy: bits(),
    }),
  ),
  entry("boundContributions", [["u", "a"]], (data) =>
    core.boundContributions(data, { maxItemsPerUser: 1, entropy: bits() }),
  ),
  entry("boundValues", [["u", 5]], (data) =>
    core.boundValues(data, { maxValuesPerUser: 1, entropy: bits() }),
  ),
  entry("AboveThreshold.push", 5, (data) => threshold().push(data)),
  entry("AboveThreshold.push, threshold", 5, (data) => threshold().push(5, data)),
  entry("AboveThreshold.push, threshold of a grid", 5, (data) =>
    new core.AboveThreshold({ eta: eta(1, 1), step: 5, entropy: bits() }).push(5, data),
  ),
  entry("AboveThreshold.pushAll", SCORES, (data) => threshold().pushAll(data)),
  entry("AboveThreshold.pushAll, threshold", 5, (data) => threshold().pushAll(SCORES, data)),
  entry("makeAboveThreshold.invoke", SCORES, (data) =>
    core.makeAboveThreshold({ thresholdScale: 1, queryScale: 1, resolution: 1 }).invoke(data, bits()),
  ),
  entry("noisyThreshold", 5, (data) =>
    core.noisyThreshold(data, { threshold: 1, eta: eta(1, 1), entropy: bits() }),
  ),
  entry("quantile", SCORES, (data) => core.quantile(data, { quantile: "1/2", ...GRID, entropy: bits() })),
  entry("quantiles", SCORES, (data) =>
    core.quantiles(data, { quantiles: ["1/4", "3/4"], ...GRID, entropy: bits() }),
  ),
  entry("upperBound", SCORES, (data) => core.upperBound(data, { target: 1, epsilon: 1, entropy: bits() })),
  entry("integerPartition", SCORES, (data) => core.integerPartition(data, { epsilon: 1, entropy: bits() })),
  entry("labelByTeachers", [[0, 1, 1]], (data) =>
    core.labelByTeachers(data, { ...MULTI_CLASS, entropy: bits() }),
  ),
  entry("labelByTeachers, many labels", [[0, 1, 1, 1, 0, 1]], (data) =>
    core.labelByTeachers(data, { ...MULTI_LABEL, entropy: bits() }),
  ),
  entry("TeacherRun.answer", [0, 1, 1], (data) => {
    const run = new core.TeacherRun({ ...MULTI_CLASS, entropy: bits() });
    return [run.answer(data), run.report()];
  }),
  entry("TeacherRun.answer, many labels", [0, 1, 1, 1, 0, 1], (data) =>
    new core.TeacherRun({ ...MULTI_LABEL, entropy: bits() }).answer(data),
  ),
  entry("topKParallel", SCORES, (data) => topKParallel(data, { k: 1, epsilon: 1, workers: 0 })),
  entry("normalizedSample", [1, 2], (data) => sample.normalizedSample(data, bits())),
  entry("shuffle", [1, 2], (data) => sample.shuffle(data, bits())),
];

function entry(name: string, data: unknown, call: (data: never) => unknown): EntryPoint {
  return { name, data, call };
}
