/** Seeded answers of every mechanism: bit for bit, with their losses and the number of random bits that they took. */
import { describe, expect, it } from "vitest";
import * as core from "../../src/index.js";
import { topKParallel } from "../../src/parallel.js";
import { type FrozenCases, frozen } from "../support/frozen.js";
import { drawn } from "./drawn.js";

const { approx, eta, zcdp } = core;
type Entropy = core.Entropy;

const SCORES = [31, 28, 28, 17, 35, 2, 0, 22, 34.5, -3, 30, 29];
const NAMED = {
  ant: 210,
  bee: 195,
  cat: 188,
  dog: 60,
  eel: 41,
  fox: 40,
  gnu: 12,
  hen: 3,
  ibis: 1,
  jay: 0,
};
const COUNTS = Object.values(NAMED);
const NUMBERS = [3, 14, 15, 92, 65, 35, 89, 79, 32, 38, 46, 26, 43, 38, 32, 79, 50, 28, 84, 19];
const delta = "1e-6";

/** The cases of one mechanism: for each way to spend, each way to ask. */
function each<A, B>(
  mechanism: string,
  spend: Readonly<Record<string, A>>,
  ways: Readonly<Record<string, B>>,
  ask: (spend: A, way: B, entropy: Entropy) => unknown,
): FrozenCases {
  const cases: Record<string, () => unknown> = {};
  for (const [budget, a] of Object.entries(spend))
    for (const [way, b] of Object.entries(ways)) {
      const name = [mechanism, budget, way].filter((word) => word !== "").join(", ");
      cases[name] = () => drawn(name, (entropy) => ask(a, b, entropy));
    }
  return cases;
}

const ONE_WAY = { "": {} };
const EPSILONS = { "ε 1": { epsilon: 1 }, "ε 1/3": { epsilon: "1/3" } };
const RHOS = { "ρ 1/10": { rho: "1/10" }, "ρ 2": { rho: 2 } };
const SCALES = { "scale 3/2": { scale: "3/2" }, "scale 0": { scale: 0 } };
const WAYS = {
  "": {},
  monotone: { monotone: true },
  negated: { negate: true },
  "sensitivity 5/2": { sensitivity: "5/2" },
};
const DATA = { "by position": SCORES, "by name": NAMED };

const PUBLIC_LIST: FrozenCases = {
  ...each("topK", { ...EPSILONS, ...RHOS, ...SCALES }, WAYS, (spend, way, entropy) =>
    core.topK(SCORES, { k: 3, ...spend, ...way, entropy }),
  ),
  ...each("topK", { ...EPSILONS, ...RHOS }, { named: { monotone: true } }, (spend, way, entropy) =>
    core.topK(NAMED, { k: 4, ...spend, ...way, entropy }),
  ),
  ...each("topK, peeled", { ...EPSILONS, ...SCALES }, DATA, (spend, data, entropy) =>
    core.topK<core.Scores | core.NamedScores>(data, { k: 3, method: "peel", ...spend, entropy }),
  ),
  ...each("topK, unlisted zeros", { ...EPSILONS, ...RHOS }, ONE_WAY, (spend, _, entropy) =>
    core.topK(COUNTS, { k: 3, domainSize: 1000, monotone: true, ...spend, entropy }),
  ),
  ...each("topKWithGap", { ...EPSILONS, ...SCALES }, WAYS, (spend, way, entropy) =>
    core.topKWithGap(SCORES, { k: 3, resolution: "1/4", ...spend, ...way, entropy }),
  ),
  ...each("topKWithGap, usual resolution", EPSILONS, DATA, (spend, data, entropy) =>
    core.topKWithGap<core.Scores | core.NamedScores>(data, { k: 2, ...spend, entropy }),
  ),
  ...each("topKWithGap, unlisted zeros", EPSILONS, ONE_WAY, (spend, _, entropy) =>
    core.topKWithGap(COUNTS, { k: 3, domainSize: 1000, monotone: true, ...spend, entropy }),
  ),
  ...each("permuteAndFlip", { ...EPSILONS, ...SCALES }, WAYS, (spend, way, entropy) =>
    core.permuteAndFlip(SCORES, { ...spend, ...way, entropy }),
  ),
  ...each("permuteAndFlip", EPSILONS, { named: NAMED }, (spend, data, entropy) =>
    core.permuteAndFlip(data, { ...spend, entropy }),
  ),
  ...each(
    "reportNoisyMax",
    {
      "exponential, ε 1": { noise: "exponential", epsilon: 1 },
      "exponential, scale 3": { noise: "exponential", scale: 3 },
      "laplace, ε 1": { noise: "laplace", epsilon: 1 },
      "laplace, scale 3": { noise: "laplace", scale: 3 },
      "gumbel, ε 1": { noise: "gumbel", epsilon: 1 },
      "gumbel, ρ 1/10": { noise: "gumbel", rho: "1/10" },
      "gumbel, scale 3": { noise: "gumbel", scale: 3 },
      "gaussian, ρ 1/10": { noise: "gaussian", rho: "1/10" },
      "gaussian, variance 9": { noise: "gaussian", variance: 9 },
    } satisfies Record<string, core.NoisyMaxBudget>,
    WAYS,
    (spend: core.NoisyMaxBudget, way, entropy) => core.reportNoisyMax(SCORES, { ...spend, ...way, entropy }),
  ),
  ...each("reportNoisyMax, gumbel", { ...EPSILONS, ...RHOS }, { named: NAMED }, (spend, data, entropy) =>
    core.reportNoisyMax(data, { noise: "gumbel", ...spend, entropy } as core.ReportNoisyMaxOptions),
  ),
  ...each(
    "TopKStream",
    { ...EPSILONS, ...RHOS, ...SCALES },
    { "": {}, monotone: { monotone: true } },
    (spend, way, entropy) =>
      new core.TopKStream({ k: 3, ...spend, ...way, entropy }).pushScores(SCORES).finish(),
  ),
  ...each(
    "TopKStream, named with gaps",
    { ...EPSILONS, "scale 3/2": { scale: "3/2" } },
    { halves: "1/2", fives: 5 },
    (spend, resolution, entropy) =>
      new core.TopKStream<string>({ k: 3, ...spend, resolution, entropy })
        .pushAll(Object.entries(NAMED))
        .finish(),
  ),
  ...each("TopKStream, merged", { ...EPSILONS, ...RHOS }, ONE_WAY, (spend, _, entropy) => {
    const half = (from: number) =>
      new core.TopKStream<number>({ k: 3, ...spend, entropy }).pushScores(SCORES.slice(from, from + 6), from);
    return half(0).merge(half(6)).finish();
  }),
  ...each("TopKStream, detached", { ...EPSILONS, ...RHOS }, ONE_WAY, (spend, _, entropy) => {
    const options = { k: 3, ...spend, entropy };
    const state = new core.TopKStream<number>(options).pushScores(SCORES).detach();
    return new core.TopKStream<number>(options).attach(state).finish();
  }),
  ...each("TopKStream, unlisted zeros", { ...EPSILONS, ...RHOS }, ONE_WAY, (spend, _, entropy) =>
    new core.TopKStream({ k: 3, domainSize: 1000, ...spend, entropy }).pushScores(COUNTS).finish({
      isPushed: (candidate) => candidate < COUNTS.length,
    }),
  ),
  ...each(
    "makeNoisyTopK",
    {
      "pure, scale 2": { measure: "pure", scale: 2 },
      "zcdp, scale 2": { measure: "zcdp", scale: 2 },
      "pure, peeled": { measure: "pure", scale: 2, method: "peel" },
      "zcdp, peeled": { measure: "zcdp", scale: 2, method: "peel" },
      "pure, gaps": { measure: "pure", scale: 2, resolution: "1/2" },
    } as const,
    { "": {}, monotone: { monotone: true } },
    (parameters, way, entropy) => {
      const measurement = core.makeNoisyTopK({ k: 2, ...parameters, ...way });
      const losses = ["1/2", 1, 3].map((distance) => measurement.map(distance));
      return { ...measurement.invoke(SCORES, entropy), measurement, losses };
    },
  ),
  ...each("combineGaps", { "λ 1": 1, "λ 1/8": "1/8" }, { "": 0, halves: "1/2" }, (ratio, resolution) =>
    core.combineGaps([90, 81, 77], [8, 5], { varianceRatio: ratio, resolution }),
  ),
};

const UNKNOWN_QUESTIONS = {
  "": {},
  replace: { neighbours: "replace" },
  "bounded, 3 items": { maxItemsPerUser: 3 },
  "5 candidates": { maxCandidates: 5 },
  gaps: { resolution: 1 },
  gumbel: { noise: "gumbel" },
} as const;

const NO_LIST: FrozenCases = {
  ...each(
    "limitedTopK",
    { ...EPSILONS, ...RHOS, "scale 3": { scale: 3 } },
    UNKNOWN_QUESTIONS,
    (spend, way, entropy) => {
      return core.limitedTopK(NAMED, { k: 3, delta, ...spend, ...way, entropy });
    },
  ),
  ...each(
    "LimitedTopKStream",
    { ...EPSILONS, ...RHOS },
    { "": {}, replace: { neighbours: "replace" } } as const,
    (spend, way, entropy) => {
      const options = { k: 3, delta, ...spend, ...way, entropy };
      const other = new core.LimitedTopKStream(options).push("bee", 195).push("cat", 188);
      return new core.LimitedTopKStream(options).pushAll({ ant: 210, dog: 60 }).merge(other).finish();
    },
  ),
  ...each(
    "topKWithCounts",
    { ...EPSILONS, ...RHOS },
    { ...UNKNOWN_QUESTIONS, "share 1/4": { share: "1/4" }, "confidence 0.9": { confidence: "0.9" } },
    (spend, way, entropy) => {
      const options = { k: 3, delta, ...spend, ...way, entropy };
      return core.topKWithCounts(NAMED, options);
    },
  ),
  ...each(
    "topKWithCounts, public list",
    { ...EPSILONS, ...RHOS },
    {
      "": {},
      replace: { neighbours: "replace" },
      gaps: { resolution: 1 },
      "bounded, 2 items": { maxItemsPerUser: 2 },
    } as const,
    (spend, way, entropy) => {
      const options = { k: 3, domain: "public", ...spend, ...way, entropy } as const;
      return core.topKWithCounts(NAMED, options);
    },
  ),
  ...each(
    "measureCounts",
    { ...EPSILONS, ...RHOS, "scale 3/2": { scale: "3/2" }, "variance 5": { variance: 5 } },
    {
      "": {},
      replace: { neighbours: "replace" },
      "bounded, 1 item": { maxItemsPerUser: 1 },
      "k 5, confidence 0.9": { k: 5, confidence: "0.9" },
    } as const,
    (spend, way, entropy) =>
      core.measureCounts(NAMED, ["bee", "gnu", "nobody"], { ...spend, ...way, entropy }),
  ),
  ...each("nonIncreasingFit", { "": [9, 11, "7/2", 4, 4, 1, 2] }, ONE_WAY, (values) => ({
    values: core.nonIncreasingFit(values),
  })),
  ...each(
    "selectPartitions",
    {
      ...EPSILONS,
      ...RHOS,
      "laplace, ε 1": { epsilon: 1, method: "laplace" },
      "gaussian, ε 1": { epsilon: 1, method: "gaussian" },
      "gaussian, ρ 1/10": { rho: "1/10", method: "gaussian" },
    } as const,
    {
      "": {},
      counts: { counts: true },
      replace: { neighbours: "replace" },
      "3 items": { maxItemsPerUser: 3 },
    } as const,
    (spend, way, entropy) =>
      core.selectPartitions(NAMED, { maxItemsPerUser: 1, delta, ...spend, ...way, entropy }),
  ),
  ...each(
    "boundContributions",
    { "1 item": { maxItemsPerUser: 1 }, "2 items": { maxItemsPerUser: 2 } },
    ONE_WAY,
    (bound, _, entropy) => [...core.boundContributions(rows(), { ...bound, entropy })],
  ),
  ...each(
    "boundValues",
    { "1 value": { maxValuesPerUser: 1 }, "2 values": { maxValuesPerUser: 2 } },
    ONE_WAY,
    (bound, _, entropy) => [
      ...core.boundValues(
        [...rows()].map(([user, item]) => [user, item.length] as const),
        {
          ...bound,
          entropy,
        },
      ),
    ],
  ),
};

/** Twenty people with one to four items each. */
function* rows(): Generator<readonly [user: string, item: string]> {
  const items = ["ant", "bumblebee", "cat", "dolphin"];
  for (let user = 0; user < 20; user++)
    for (let i = 0; i <= user % 4; i++) yield [`user ${user}`, items[(user + i) % 4]];
}

const STABLE_WAYS = {
  "": {},
  monotone: { monotone: true },
  "closed form": { threshold: "closed-form" },
  "sensitivity 2": { sensitivity: 2 },
} as const;

const DATA_CHOOSE: FrozenCases = {
  ...each("stableTopK", { ...EPSILONS, ...RHOS }, STABLE_WAYS, (spend, way, entropy) =>
    core.stableTopK(NAMED, { maxK: 6, delta, ...spend, ...way, entropy }),
  ),
  ...each(
    "stableTopK",
    { "ε 8": { epsilon: 8 }, "ρ 2": { rho: 2 } },
    { "by position": {}, "gaussian noise": { noise: "gaussian" }, cap: { cap: 50 } } as const,
    (spend, way, entropy) => core.stableTopK(COUNTS, { maxK: 6, delta, ...spend, ...way, entropy }),
  ),
  ...each(
    "stableTopKFixed",
    { "ε 1": { epsilon: 1 }, "ε 8": { epsilon: 8 }, ...RHOS },
    {
      public: { domain: "public" },
      unknown: { domain: "unknown" },
      "public, monotone": { domain: "public", monotone: true },
      "public, at most 5": { domain: "public", maxK: 5 },
    } as const,
    (spend, way, entropy) => core.stableTopKFixed(NAMED, { k: 4, delta, ...spend, ...way, entropy }),
  ),
  ...each(
    "makeStableTopKFixed",
    { "": { choose: { noise: "gumbel", rho: 1 }, test: { rho: 1 }, rounds: { scale: 2 } } } as const,
    { public: "public", unknown: "unknown" } as const,
    (steps, domain, entropy) => {
      const measurement = core.makeStableTopKFixed({ k: 2, maxK: 5, domain, delta, ...steps });
      return {
        ...measurement.invoke(COUNTS, entropy),
        measurement,
        losses: [measurement.map(1), measurement.map(2)],
      };
    },
  ),
  ...each(
    "makeStableTopK",
    {
      gumbel: { choose: { noise: "gumbel", rho: 1 }, test: { rho: 1 } },
      gaussian: { choose: { noise: "gaussian", variance: 4 }, test: { variance: 9 } },
      exponential: { choose: { noise: "exponential", epsilon: 1 }, test: { scale: 2 } },
    } as const,
    { "": {}, regularised: { regulariser: [0, 0, 40] } },
    (steps, way, entropy) => {
      const measurement = core.makeStableTopK({ maxK: 3, delta, ...steps, ...way });
      return { ...measurement.invoke(COUNTS, entropy), measurement };
    },
  ),
  ...each(
    "largestGap",
    {
      ...EPSILONS,
      ...RHOS,
      "scale 3": { scale: 3 },
      "gaussian, ρ 1/10": { noise: "gaussian", rho: "1/10" },
      "gaussian, variance 9": { noise: "gaussian", variance: 9 },
      "exponential, ε 1": { noise: "exponential", epsilon: 1 },
      "laplace, ε 1": { noise: "laplace", epsilon: 1 },
    } as const,
    {
      "": {},
      monotone: { monotone: true },
      cap: { cap: 20 },
      regularised: { regulariser: (k: number) => (k === 1 ? 0 : -k) },
    },
    (spend, way, entropy) =>
      core.largestGap(NAMED, { maxK: 6, ...spend, ...way, entropy } as core.LargestGapOptions),
  ),
  ...each(
    "proposeTestRelease",
    { ...EPSILONS, ...RHOS, "scale 3": { scale: 3 }, "variance 9": { variance: 9 } },
    STABLE_WAYS,
    (spend, way, entropy) => core.proposeTestRelease(NAMED, { k: 3, delta, ...spend, ...way, entropy }),
  ),
  ...each("proposeTestRelease", { "ρ 1": { rho: 1 } }, { "by position": COUNTS }, (spend, data, entropy) =>
    core.proposeTestRelease(data, { k: 3, delta, ...spend, entropy }),
  ),
};

const ETAS = { "η(1, 1)": { eta: eta(1, 1) }, "η(15, 4)": { eta: eta(15, 4) } };
const GRID = { lower: 0, upper: 100 };
const NUMBER_WAYS = {
  "": {},
  replace: { neighbours: "replace" },
  "2 values": { valuesPerPerson: 2 },
} as const;
const LEVELS = [
  { margin: 30, share: "1/2" },
  { margin: 0, share: 1 },
];

const NUMBERS_OF_PEOPLE: FrozenCases = {
  ...each(
    "quantile",
    { ...EPSILONS, ...RHOS, "scale 3/2": { scale: "3/2" }, ...ETAS },
    { ...NUMBER_WAYS, "step 1/2": { granularity: "1/2" } },
    (spend, way, entropy) => {
      const answer = core.quantile(NUMBERS, { ...GRID, p: "1/3", ...spend, ...way, entropy });
      return { ...answer, error: answer.rankError("0.05") };
    },
  ),
  ...each(
    "quantiles",
    { ...EPSILONS, ...RHOS, "scale 3/2": { scale: "3/2" }, ...ETAS },
    { ...NUMBER_WAYS, separate: { method: "separate" }, "at most 40": { atMost: 40 } } as const,
    (spend, way, entropy) =>
      core.quantiles(NUMBERS, { ...GRID, ps: ["1/4", "1/2", "0.9"], ...spend, ...way, entropy }),
  ),
  ...each(
    "upperBound",
    { ...EPSILONS, ...RHOS, "scale 3/2": { scale: "3/2" } },
    { ...NUMBER_WAYS, thresholds: { thresholds: [160, 80, 40, 20, 10] } },
    (spend, way, entropy) => {
      const answer = core.upperBound(NUMBERS, { target: 2, ...spend, ...way, entropy });
      return { ...answer, exceeding: answer.exceeding("0.05") };
    },
  ),
  ...each(
    "integerPartition",
    { ...EPSILONS, ...ETAS },
    { "": {}, replace: { neighbours: "replace" }, "2 items": { itemsPerPerson: 2 } } as const,
    (spend, way, entropy) => core.integerPartition(COUNTS.slice(3), { ...spend, ...way, entropy }),
  ),
  ...each(
    "AboveThreshold",
    { ...EPSILONS, ...RHOS, ...ETAS },
    {
      "": {},
      monotone: { monotone: true },
      "2 answers": { count: 2 },
      ordered: { ordered: true },
      gaps: { resolution: 1 },
      levels: { count: 2, levels: LEVELS },
    },
    (spend, way, entropy) => {
      const stream = new core.AboveThreshold({ threshold: 60, ...spend, ...way, entropy });
      return { answers: stream.pushFrom(NUMBERS), left: stream.remaining, privacy: stream.privacy };
    },
  ),
  ...each(
    "makeAboveThreshold",
    {
      "scales 1 and 2": { thresholdScale: 1, queryScale: 2 },
      "variance 4, scale 2": { thresholdVariance: 4, queryScale: 2 },
      "base 2": { thresholdEta: eta(1, 2), queryEta: eta(1, 4) },
    } as const,
    { "": {}, "2 answers": { count: 2 } },
    (parameters, way, entropy) => {
      const measurement = core.makeAboveThreshold({ threshold: 60, ...parameters, ...way });
      const losses = [1, "1/2"].map((distance) => measurement.lossFor(distance));
      return { ...measurement.invoke(NUMBERS, entropy), measurement, losses };
    },
  ),
  ...each("makeAboveThreshold, bounds", { "": { thresholdScale: 1, queryScale: 2 } }, ONE_WAY, (parameters) =>
    core.makeAboveThreshold(parameters).bounds("0.05", 20),
  ),
  ...each(
    "noisyThreshold",
    ETAS,
    { "": {}, "sensitivity 2": { sensitivity: 2 }, "step 1/2": { granularity: "1/2" } },
    (spend, way, entropy) => core.noisyThreshold(5, { threshold: 4, ...spend, ...way, entropy }),
  ),
};

const BASE2_RANGE = { utilityMin: 0, utilityMax: 40, maxOutcomes: 20 };
const GUMBEL = { noise: "gumbel", rho: "1/2" } as const;
const MULTI_CLASS = { task: "multi-class", teachers: 5, labels: 3 } as const;
const MULTI_LABEL = { task: "multi-label", teachers: 40, labels: 4, delta: "1e-4" } as const;
/** Of one query: the vote of teacher 0 for each label, then that of teacher 1. */
const MANY_LABELS = [0, 1, 2].map((query) =>
  Array.from({ length: 160 }, (_, i) => Number(i % 4 <= query && i % 17 !== 3)),
);

const BASE2_AND_TEACHERS: FrozenCases = {
  ...each(
    "base2Exponential",
    { ...EPSILONS, ...ETAS },
    {
      "": {},
      "constant work": { mode: "constant-work" },
      "constant work, 40 retries": { mode: "constant-work", minRetries: 40 },
      monotone: { monotone: true },
      "sensitivity 2": { sensitivity: 2 },
    } as const,
    (spend, way, entropy) =>
      core.base2Exponential(NUMBERS, (value) => value % 41, { ...BASE2_RANGE, ...spend, ...way, entropy }),
  ),
  ...each("precisionRules", ETAS, ONE_WAY, (spend) => ({
    ...core.precisionRules({ ...BASE2_RANGE, ...spend }),
  })),
  ...each(
    "clampedLaplace",
    { ...EPSILONS, ...ETAS },
    { "": {}, "step 1/4": { granularity: "1/4" }, "sensitivity 3": { sensitivity: 3 } },
    (spend, way, entropy) =>
      core.clampedLaplace("17/2", { lower: 0, upper: 20, granularity: "1/2", ...spend, ...way, entropy }),
  ),
  ...each(
    "labelByTeachers, one label",
    {
      gumbel: { choose: GUMBEL },
      gaussian: { choose: { noise: "gaussian", variance: 4 } },
      "gumbel, limited": { choose: GUMBEL, limit: zcdp("6/5") },
      "gaussian, (ε, δ) limit": { choose: { noise: "gaussian", rho: "1/2" }, limit: approx(8, "1e-5") },
    } as const,
    { zcdp: { accounting: "zcdp" }, renyi: { accounting: "renyi" } } as const,
    (spend, way, entropy) =>
      core.labelByTeachers(
        [
          [0, 1, 1, 1, 2],
          [2, 2, 2, 2, 2],
          [0, 0, 1, 0, 1],
        ],
        { ...MULTI_CLASS, ...spend, ...way, entropy },
      ),
  ),
  ...each(
    "labelByTeachers, many labels",
    {
      gumbel: { choose: { noise: "gumbel", rho: 2 }, test: { rho: 2 } },
      gaussian: { choose: { noise: "gaussian", variance: 4 }, test: { variance: 1 } },
      limited: { choose: { noise: "gumbel", rho: 2 }, test: { rho: 2 }, limit: zcdp(9, "1e-2") },
    } as const,
    { "": {}, "at most 2": { maxK: 2 } },
    (spend, way, entropy) => core.labelByTeachers(MANY_LABELS, { ...MULTI_LABEL, ...spend, ...way, entropy }),
  ),
  ...each("TeacherRun", { gumbel: { choose: GUMBEL } }, ONE_WAY, (spend, _, entropy) => {
    const run = new core.TeacherRun({ ...MULTI_CLASS, ...spend, limit: zcdp(2), entropy });
    const answers = [run.answer([0, 1, 1, 1, 2]), run.answer([2, 2, 2, 0, 2])];
    return { answers, ...run.report() };
  }),
};

describe("a seeded answer from a public list", () => {
  frozen(new URL("public-list.json", import.meta.url), PUBLIC_LIST);
});

describe("a seeded answer without a list", () => {
  frozen(new URL("no-list.json", import.meta.url), NO_LIST);
});

describe("a seeded answer whose size the data choose", () => {
  frozen(new URL("data-choose.json", import.meta.url), DATA_CHOOSE);
});

describe("a seeded answer that is a number", () => {
  frozen(new URL("numbers.json", import.meta.url), NUMBERS_OF_PEOPLE);
});

describe("a seeded answer in base 2, or of teachers", () => {
  frozen(new URL("base2-and-teachers.json", import.meta.url), BASE2_AND_TEACHERS);
});

describe("an answer of topKParallel, whose threads take the system's bits", () => {
  it("is the exact one with next to no noise", async () => {
    const { winners, privacy } = await topKParallel([Float64Array.from(SCORES)], {
      k: 3,
      scale: "1e-6",
      resolution: "0.3",
      workers: 0,
    });
    expect(winners.map(({ index, gap }) => [index, String(gap)])).toEqual([
      [4, "0.3"],
      [8, "3.3"],
      [0, "0.9"],
    ]);
    expect(JSON.stringify(privacy)).toBe('{"measure":"pure","epsilon":"6000000"}');
  });
});
