/** Every answer, measurement, plan and charge is data: JSON writes it, and a structured clone carries it to another thread. */
import { describe, expect, it } from "vitest";
import * as core from "../src/index.js";
import { topKParallel } from "../src/parallel.js";

const { Budget, approx, base2, eta, gaussianCurve, pure, renyi, zcdp } = core;

const SCORES = [5, 3, 1];
const PEOPLE = { ant: 9000, bee: 8000, cat: 2 };
const delta = "1e-6";
const GRID = { lower: 0, upper: 9 };
const BASE2 = { lower: 0, upper: 3, maxCandidates: 2 };
const STABLE = { maxK: 2, choose: { noise: "gumbel", rho: 1 }, test: { rho: 1 }, delta } as const;
const TEACHERS = {
  task: "multi-class",
  teachers: 3,
  labels: 2,
  choose: { noise: "gumbel", rho: 1 },
} as const;

/** By the public function that gives it; what is after a space tells several of one function apart. */
const ANSWERS: Readonly<Record<string, () => unknown>> = {
  topK: () => core.topK(SCORES, { k: 1, epsilon: 1 }),
  "topK without noise": () => core.topK(PEOPLE, { k: 1, scale: 0 }),
  topKApprox: () => core.topKApprox(SCORES, { k: 1, epsilon: 1, delta }),
  topKWithGap: () => core.topKWithGap(PEOPLE, { k: 1, epsilon: 1 }),
  TopKStream: () => new core.TopKStream({ k: 1, epsilon: 1, resolution: 1 }).pushScores(SCORES).finish(),
  makeNoisyTopK: () => core.makeNoisyTopK({ k: 1, measure: "pure", scale: 1, resolution: 1 }),
  combineGaps: () => core.combineGaps([3, 2], [1], { varianceRatio: 1 }),
  permuteAndFlip: () => core.permuteAndFlip(SCORES, { epsilon: 1 }),
  reportNoisyMax: () => core.reportNoisyMax(SCORES, { noise: "gaussian", rho: 1 }),
  noisyMaxLoss: () => core.noisyMaxLoss({ noise: "gumbel", scale: 1 }),
  inGroups: () => core.inGroups([core.pure(1)], { maxGroupsPerUser: 1 }),
  groupBudgets: () => [...core.groupBudgets(1, { groups: ["DE"], maxGroupsPerUser: 1 })],
  boundGroups: () => [...core.boundGroups([["u1", "DE", "a"]], { maxGroupsPerUser: 1 })],
  topKInGroups: () =>
    core.topKInGroups([["u1", "DE", "a"]], { groups: ["DE"], maxGroupsPerUser: 1, k: 1, epsilon: 1, delta }),
  topKSet: () => core.topKSet(PEOPLE, { k: 1, epsilon: 1 }),
  "topKSet in base 2": () => core.topKSet(SCORES, { k: 1, eta: core.eta(1, 1) }),
  selectPrivateCandidate: () =>
    core.selectPrivateCandidate(() => ({ output: "a", score: 1 }), {
      loss: core.pure(1),
      threshold: 1,
      stop: "1/2",
    }),
  renewList: () => core.renewList({ k: 1, renewals: 1, epsilon: 1 }).start(SCORES),
  stableTopK: () => core.stableTopK(PEOPLE, { maxK: 2, rho: 1, delta }),
  makeStableTopK: () => core.makeStableTopK(STABLE),
  stableTopKFixed: () => core.stableTopKFixed(PEOPLE, { k: 1, domain: "public", epsilon: 1, delta }),
  makeStableTopKFixed: () =>
    core.makeStableTopKFixed({ ...STABLE, k: 1, domain: "public", rounds: { rho: 1 } }),
  largestGap: () => core.largestGap(SCORES, { maxK: 2, epsilon: 1 }),
  proposeTestRelease: () => core.proposeTestRelease(PEOPLE, { k: 1, rho: 1, delta }),
  limitedTopK: () => core.limitedTopK(PEOPLE, { k: 2, epsilon: 1, delta, resolution: 1 }),
  makeLimitedTopK: () => core.makeLimitedTopK({ k: 2, rho: 1, delta }),
  LimitedTopKStream: () => new core.LimitedTopKStream({ k: 1, epsilon: 1, delta }).pushAll(PEOPLE).finish(),
  topKWithCounts: () => core.topKWithCounts(PEOPLE, { k: 2, epsilon: 1, delta }),
  "topKWithCounts public": () => core.topKWithCounts(PEOPLE, { k: 2, epsilon: 1, domain: "public" }),
  makeTopKWithCounts: () => core.makeTopKWithCounts({ k: 2, rho: 1, delta }),
  measureCounts: () => core.measureCounts(PEOPLE, ["ant"], { epsilon: 1 }),
  countNoise: () => core.countNoise({ k: 5, rho: 1 }),
  orderedIntervals: () => core.orderedIntervals([2, 1], 3),
  nonIncreasingFit: () => core.nonIncreasingFit([1, 2]),
  histogramTopK: () => core.histogramTopK(PEOPLE, { k: 1, maxItemsPerUser: 1, epsilon: 1 }),
  selectPartitions: () => core.selectPartitions(PEOPLE, { maxItemsPerUser: 1, epsilon: 1, delta }),
  "selectPartitions with Gaussian noise": () =>
    core.selectPartitions(PEOPLE, { maxItemsPerUser: 1, rho: 1, delta, counts: true }),
  "selectPartitions with Laplace noise": () =>
    core.selectPartitions(PEOPLE, { maxItemsPerUser: 1, epsilon: 1, delta, method: "laplace" }),
  boundValues: () => [...core.boundValues([["a", 7]], { maxValuesPerUser: 1 })],
  boundContributions: () => [...core.boundContributions([["a", "ant"]], { maxItemsPerUser: 1 })],
  base2Exponential: () => core.base2Exponential([1, 2], (x) => x, { ...BASE2, epsilon: 1 }),
  clampedLaplace: () => core.clampedLaplace(1, { ...GRID, step: 1, epsilon: 1 }),
  precisionRules: () => core.precisionRules({ ...BASE2, eta: eta(15, 4) }),
  AboveThreshold: () =>
    new core.AboveThreshold({ epsilon: 1, threshold: 9, resolution: 1 }).pushAll([1, 900]),
  makeBase2Exponential: () =>
    core.makeBase2Exponential({ eta: core.eta(1, 1), lower: 0, upper: 3, maxCandidates: 2 }),
  makeAboveThreshold: () => core.makeAboveThreshold({ thresholdScale: 1, queryScale: 2 }),
  "makeAboveThreshold with bounds": () =>
    core.makeAboveThreshold({ thresholdScale: 1, queryScale: 2 }).bounds("0.9", 3),
  noisyThreshold: () => core.noisyThreshold(3, { threshold: 2, eta: eta(1, 1) }),
  quantile: () => core.quantile(SCORES, { ...GRID, quantile: "1/2", epsilon: 1 }),
  quantiles: () => core.quantiles(SCORES, { ...GRID, quantiles: ["1/4", "1/2"], rho: 1 }),
  upperBound: () => core.upperBound([2n ** 62n], { target: 1, epsilon: 1 }),
  integerPartition: () => core.integerPartition(SCORES, { epsilon: 1 }),
  labelByTeachers: () => core.labelByTeachers([[0, 1, 0]], TEACHERS),
  TeacherRun: () => new core.TeacherRun(TEACHERS).report(),
  Budget: () => new Budget(zcdp(1)),
  "Budget with charges": () => {
    const budget = new Budget(approx(9, delta));
    const reservation = budget.reserve(approx(1, 0), "names");
    const charge = budget.charge(zcdp("1/100"), "gaps");
    return [reservation, charge, budget.history, budget.spent, budget.reserved, budget.remaining];
  },
  pure: () => pure("1/3"),
  "pure without a bound": () => pure(Infinity),
  base2: () => base2(2),
  zcdp: () => zcdp("0.1", delta),
  renyi: () => renyi(gaussianCurve({ variance: 4 })),
  approx: () => approx(1, delta),
  lossToJson: () => core.lossToJson(approx("1/3", delta)),
  lossFromJson: () => core.lossFromJson({ measure: "pure", epsilon: "1/3" }),
  readLoss: () => core.readLoss({ measure: "pure", epsilon: 1 }),
  describeLoss: () => core.describeLoss(pure(1)),
  isBounded: () => core.isBounded(pure(1).epsilon),
  compose: () => core.compose(pure(1), zcdp("0.1")),
  repeat: () => core.repeat(pure(1), 3),
  convert: () => core.convert(zcdp("0.1"), { to: "approx", delta }),
  gaussianToApprox: () => core.gaussianToApprox(1, { delta }),
  rhoAtMost: () => core.rhoAtMost({ epsilon: 1, delta }),
  scaleAtLeast: () => core.scaleAtLeast(pure(1), { distance: 1 }),
  varianceAtLeast: () => core.varianceAtLeast(approx(1, delta)),
  eta: () => eta(15, 4),
  etaAtMost: () => core.etaAtMost(1),
  base2LossOf: () => core.base2LossOf(eta(15, 4)),
  RenyiCurve: () => core.RenyiCurve.of((alpha, precision) => core.Interval.from(alpha, precision)),
  pureCurve: () => core.pureCurve(1),
  zcdpCurve: () => core.zcdpCurve(1),
  laplaceCurve: () => core.laplaceCurve(1),
  discreteGaussianDelta: () => core.discreteGaussianDelta({ epsilon: 1, variance: 18, moved: 1 }),
  boundedRangeDelta: () => core.boundedRangeDelta({ epsilon: 1, range: "0.6", rounds: 2 }),
  boundedRangeCurve: () => core.boundedRangeCurve(1),
  gaussianCurve: () => gaussianCurve({ variance: 4 }),
  noisyMaxCurve: () => core.noisyMaxCurve(gaussianCurve({ variance: 1 }), 2),
  Rational: () => core.Rational.of(1n, 3n),
  rational: () => core.rational("1/3"),
  Interval: () => core.Interval.from("1/3", 64),
  Entropy: () => new core.Entropy({ fill: (words) => words.fill(0) }),
  systemEntropy: () => core.systemEntropy(),
  expandedEntropy: () => core.expandedEntropy(new Uint8Array(32)),
  withEntropy: () => core.withEntropy(undefined, () => 1),
  editDistance: () => core.editDistance("aera", "area"),
  nearest: () => core.nearest("epislon", ["epsilon"]),
  sha256: () => core.sha256(new Uint8Array(3)),
  readers: () => core.readers.rational("p", "1/3"),
  readOptions: () => core.readOptions({ k: 1 }, { k: core.readers.integer }, {}),
  invalidParameter: () => core.invalidParameter("k", "an integer", "1"),
  WinnowError: () => new core.WinnowError("invalid-parameter", "k must be 1", { field: "k" }),
};

/** A structured clone has no functions, which curves have within; and of an error it keeps the message only. */
const NOT_CLONED = /^(renyi|noisyMaxLoss|RenyiCurve|\w*Curve|WinnowError|invalidParameter)\b/;

describe("an answer", () => {
  it("is here for every public function and class", () => {
    const known = new Set(Object.keys(ANSWERS).map((name) => name.split(" ")[0]));
    expect([...known].sort()).toEqual(Object.keys(core).sort());
  });

  it.each(Object.entries(ANSWERS))("of %s can be written as JSON", (_, answer) => {
    const text = JSON.stringify(answer());
    expect(text).not.toContain("[object");
    expect(text).toBe(JSON.stringify(JSON.parse(text)));
  });

  it.each(Object.entries(ANSWERS).filter(([name]) => !NOT_CLONED.test(name)))(
    "of %s can be cloned, with all of its fields",
    (_, answer) => {
      const given = answer();
      expect(structuredClone(given)).toEqual(given);
    },
  );

  it("of topKParallel can be written and cloned", async () => {
    const answer = await topKParallel([900, 1], { k: 1, epsilon: 1 });
    expect(JSON.stringify(answer)).toBe(
      '{"winners":[{"candidate":0}],"privacy":{"measure":"pure","epsilon":"1"}}',
    );
    expect(structuredClone(answer).winners).toEqual([{ candidate: 0 }]);
  });

  it("has losses that are read back from JSON and from a clone", () => {
    const answers = [
      core.topK(SCORES, { k: 1, epsilon: "1/3" }).privacy,
      core.topK(SCORES, { k: 1, scale: 0 }).privacy,
      core.limitedTopK(PEOPLE, { k: 1, epsilon: 1, delta }).charge.zcdp,
      core.topKWithCounts(PEOPLE, { k: 1, epsilon: 1, delta }).charge.settled,
      core.makeTopKWithCounts({ k: 1, rho: 1, delta }).reservation,
      core.integerPartition(SCORES, { epsilon: 1 }).privacy,
    ];
    for (const loss of answers) {
      expect(core.lossFromJson(JSON.parse(JSON.stringify(loss)))).toEqual(loss);
      expect(core.readLoss(structuredClone(loss))).toEqual(loss);
    }
  });

  it("keeps its methods, which a clone and JSON leave out", () => {
    const median = core.quantile(SCORES, { ...GRID, quantile: "1/2", epsilon: 1 });
    expect(median.rankError("0.95").compare(0)).toBe(1);
    expect(Object.keys(structuredClone(median))).toEqual(["value", "privacy"]);
    const bound = core.upperBound(SCORES, { target: 1, epsilon: 1 });
    expect(bound.exceeding("0.95").compare(1)).toBe(1);
    expect(core.makeNoisyTopK({ k: 1, measure: "pure", scale: 1 }).domain.contains(SCORES)).toBe(true);
  });
});
