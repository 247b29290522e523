/**
 * The functions of `winnow-dp`, described for bindings in other languages. If the library exports a function
 * that has no line here, the project doesn't compile. The bindings are generated anew by `npm run build`.
 * @module
 */
import type * as core from "winnow-dp";
import {
  argument,
  BOOLEAN,
  BYTES,
  COUNTS,
  callback,
  choice,
  type Described,
  type Elsewhere,
  ENTROPY,
  type FunctionsOf,
  INTEGER,
  LOSS,
  list,
  MAPPING,
  maybe,
  method,
  NAME,
  NUMBERS,
  OUTCOMES,
  object,
  optional,
  options,
  POINTS,
  RATIONAL,
  ROWS,
  record,
  repeated,
  SCORES,
  TEXT,
  VOTES,
} from "./describe.js";

/** What other languages have in another way. */
export const ELSEWHERE = {
  rational: "numbers are the language's own fractions",
  isBounded: "infinity is the language's own",
  lossFromJson: "a method of losses",
  lossToJson: "a method of losses",
  readLoss: "losses are read wherever one is taken",
  systemEntropy: "the default everywhere",
  expandedEntropy: "for releases that commit to their bits, which the command line makes",
  withEntropy: "for mechanisms that someone writes in TypeScript",
  readOptions: "for mechanisms that someone writes in TypeScript",
  invalidParameter: "for mechanisms that someone writes in TypeScript",
  nearest: "for mechanisms that someone writes in TypeScript",
  editDistance: "for mechanisms that someone writes in TypeScript",
  sha256: "other languages have one",
} as const satisfies Elsewhere;

type Name = Exclude<FunctionsOf<typeof core>, keyof typeof ELSEWHERE>;

/** Which options `convert` takes depends on its target: these are all of them. */
type Convert = (
  loss: core.LossLike,
  options: Pick<core.ConvertOptions<core.Measure>, "to"> & Omit<core.ConvertOptions<"approx">, "to">,
) => core.Loss;

const NEIGHBOURS = choice("add-remove", "replace");
const CONVERSION = choice("simple", "optimal");
const NOISE = choice("exponential", "gumbel", "laplace", "gaussian");
const LIMITED_NOISE = choice("gumbel", "exponential");
const PARAMETER = object("Base2Parameter");
const CURVE = object("RenyiCurve");
const DOMAIN = options({ size: INTEGER }, "size");

/** What every selection takes besides its budget. */
const SELECTION = { sensitivity: RATIONAL, monotone: BOOLEAN, negate: BOOLEAN, entropy: ENTROPY };
const WINNER = record("Winner", { candidate: NAME, gap: maybe(RATIONAL) });
const CHOSEN = { candidate: NAME };
const SET = { candidates: list(NAME) };
/** Nothing is named where it isn't safe. */
const STABLE = { candidates: maybe(list(NAME)), released: BOOLEAN };

const COUNTING = { sensitivity: RATIONAL, monotone: BOOLEAN };
const FAILURE = { delta: RATIONAL, thresholdRule: choice("smallest", "closed-form") };
const GAPS = { ...COUNTING, maxK: INTEGER, regulariser: list(RATIONAL), gapCap: INTEGER };
const CHOOSE = options(
  { noise: NOISE, epsilon: RATIONAL, rho: RATIONAL, scale: RATIONAL, variance: RATIONAL },
  "noise",
);
const TEST = options({ epsilon: RATIONAL, rho: RATIONAL, scale: RATIONAL, variance: RATIONAL });
const FIXED = {
  k: INTEGER,
  domain: choice("public", "unknown"),
  maxK: INTEGER,
  penalty: RATIONAL,
  gapCap: INTEGER,
};

const LIMITED = {
  k: INTEGER,
  maxCandidates: INTEGER,
  maxItemsPerUser: INTEGER,
  neighbours: NEIGHBOURS,
  sensitivity: RATIONAL,
};
const LIMITED_PAID = {
  ...LIMITED,
  ...{ epsilon: RATIONAL, rho: RATIONAL, scale: RATIONAL, delta: RATIONAL },
  ...{ noise: LIMITED_NOISE, resolution: RATIONAL },
};
const CHARGE = record("LimitedCharge", { approx: LOSS, zcdp: LOSS, renyi: LOSS });
const INTERVALS = {
  maxItemsPerUser: INTEGER,
  neighbours: NEIGHBOURS,
  sensitivity: RATIONAL,
  confidence: RATIONAL,
  sharing: choice("auto", "shared", "independent"),
};
/** Noise that counts share, in answers. */
export const SHARED_NOISE = maybe(
  record("SharedNoise", {
    ...{ factor: RATIONAL, each: RATIONAL, size: RATIONAL },
    ...{ halfWidth: RATIONAL, simultaneous: RATIONAL },
  }),
);
const MEASURED = { candidate: TEXT, count: RATIONAL, from: RATIONAL, to: RATIONAL };
const COUNTED = {
  ...{ epsilon: RATIONAL, rho: RATIONAL, k: INTEGER, maxCandidates: INTEGER },
  ...INTERVALS,
  ...{ delta: RATIONAL, countShare: RATIONAL, resolution: RATIONAL },
  ...{ domain: choice("unknown", "public"), noise: LIMITED_NOISE },
};

const UTILITIES = { sensitivity: RATIONAL, monotone: BOOLEAN };
const BASE2 = {
  ...{ eta: PARAMETER, epsilon: RATIONAL },
  ...UTILITIES,
  ...{ lower: INTEGER, upper: INTEGER, maxCandidates: INTEGER },
  ...{ mode: choice("optimised", "constant-work"), minRetries: INTEGER },
};
const GRID = { lower: RATIONAL, upper: RATIONAL, step: RATIONAL };
const RECORDS = { ...GRID, maxValuesPerUser: INTEGER, neighbours: NEIGHBOURS, entropy: ENTROPY };
const RANKS = { epsilon: RATIONAL, rho: RATIONAL, scale: RATIONAL, eta: PARAMETER };
const CONFIDENCE = argument("confidence", RATIONAL);
const ROUNDS = { rounds: INTEGER, class: choice("pure", "bounded-range") };

const RUNS = options({
  law: choice("truncated-negative-binomial", "poisson"),
  eta: RATIONAL,
  gamma: RATIONAL,
  mean: RATIONAL,
});

const LEVEL = options({ margin: RATIONAL, share: RATIONAL }, "margin", "share");
const TEACHERS = {
  ...{ task: choice("multi-class", "multi-label"), teachers: INTEGER, labels: INTEGER },
  ...{ choose: CHOOSE, test: TEST, ...FAILURE },
  ...{ maxK: INTEGER, regulariser: list(RATIONAL), gapCap: INTEGER },
  ...{ limit: LOSS, accounting: choice("zcdp", "renyi"), conversion: CONVERSION },
  ...{ signal: BOOLEAN, entropy: ENTROPY },
};
const TEACHER_ANSWER = record("TeacherAnswer", { released: BOOLEAN, labels: maybe(list(INTEGER)) });

const ONE = (name: string, gives: typeof LOSS | typeof CURVE | typeof RATIONAL = LOSS) => ({
  takes: [argument(name, RATIONAL)] as const,
  gives,
});

/** By their names in TypeScript. */
export const FUNCTIONS: {
  readonly [Each in Name]: Described<Each extends "convert" ? Convert : (typeof core)[Each]>;
} = {
  // The k largest
  topK: {
    takes: [
      argument("scores", SCORES),
      argument(
        "options",
        options(
          {
            ...{ k: INTEGER, epsilon: RATIONAL, rho: RATIONAL, scale: RATIONAL },
            ...SELECTION,
            ...{ method: choice("one-shot", "peel"), domain: DOMAIN },
          },
          "k",
        ),
      ),
    ],
    gives: record("TopK", { winners: list(WINNER), privacy: LOSS }),
  },
  topKApprox: {
    takes: [
      argument("scores", SCORES),
      argument(
        "options",
        options(
          {
            ...{ k: INTEGER, epsilon: RATIONAL, delta: RATIONAL },
            ...SELECTION,
            ...{ noise: LIMITED_NOISE, domain: DOMAIN },
          },
          ...(["k", "epsilon", "delta"] as const),
        ),
      ),
    ],
    gives: record("TopKApprox", {
      ...{ winners: list(WINNER), privacy: LOSS },
      ...{ noise: TEXT, scale: RATIONAL, rounds: INTEGER, range: maybe(RATIONAL) },
    }),
  },
  topKWithGap: {
    takes: [
      argument("scores", SCORES),
      argument(
        "options",
        options(
          {
            ...{ k: INTEGER, epsilon: RATIONAL, scale: RATIONAL, resolution: RATIONAL },
            ...SELECTION,
            domain: DOMAIN,
          },
          "k",
        ),
      ),
    ],
    gives: record("TopKWithGap", { winners: list(WINNER), privacy: LOSS }),
  },
  topKSet: {
    takes: [
      argument("scores", COUNTS),
      argument(
        "options",
        options(
          {
            ...{ k: INTEGER, epsilon: RATIONAL, rho: RATIONAL, scale: RATIONAL, eta: PARAMETER },
            ...SELECTION,
            outsiderShare: RATIONAL,
          },
          "k",
        ),
      ),
    ],
    gives: record("TopKSet", { ...SET, privacy: LOSS }),
  },
  makeNoisyTopK: {
    takes: [
      argument(
        "options",
        options(
          {
            ...{ k: INTEGER, measure: choice("pure", "zcdp"), method: choice("one-shot", "peel") },
            ...{ scale: RATIONAL, monotone: BOOLEAN, negate: BOOLEAN, resolution: RATIONAL },
            domain: options({ size: INTEGER, isWhole: BOOLEAN }, "size"),
          },
          ...(["k", "measure", "scale"] as const),
        ),
      ),
    ],
    gives: object("NoisyTopK"),
  },
  combineGaps: {
    takes: [
      argument("measurements", list(RATIONAL)),
      argument("gaps", list(RATIONAL)),
      argument("options", options({ varianceRatio: RATIONAL, resolution: RATIONAL }, "varianceRatio")),
    ],
    gives: record("CombinedGaps", { estimates: list(RATIONAL), relativeVariance: RATIONAL }),
  },
  // The largest
  permuteAndFlip: {
    takes: [
      argument("scores", SCORES),
      argument("options", options({ epsilon: RATIONAL, scale: RATIONAL, ...SELECTION, domain: DOMAIN })),
    ],
    gives: record("PermuteAndFlip", { ...CHOSEN, privacy: LOSS }),
  },
  reportNoisyMax: {
    takes: [
      argument("scores", SCORES),
      argument(
        "options",
        options(
          {
            ...{ noise: NOISE, epsilon: RATIONAL, rho: RATIONAL, scale: RATIONAL, variance: RATIONAL },
            ...SELECTION,
          },
          "noise",
        ),
      ),
    ],
    gives: record("NoisyMax", { ...CHOSEN, privacy: LOSS }),
  },
  noisyMaxLoss: {
    takes: [
      argument(
        "options",
        options(
          {
            ...{ noise: NOISE, scale: RATIONAL, variance: RATIONAL, maxCandidates: INTEGER },
            ...{ sensitivity: RATIONAL, monotone: BOOLEAN },
          },
          "noise",
        ),
      ),
    ],
    gives: record("NoisyMaxLoss", { pure: maybe(LOSS), zcdp: LOSS, renyi: LOSS }),
  },
  // How many: k chosen by the data
  stableTopK: {
    takes: [
      argument("histogram", COUNTS),
      argument(
        "options",
        options(
          { ...GAPS, ...FAILURE, rho: RATIONAL, epsilon: RATIONAL, noise: NOISE, entropy: ENTROPY },
          ...(["maxK", "delta"] as const),
        ),
      ),
    ],
    gives: record("StableTopK", { ...STABLE, k: INTEGER, privacy: LOSS }),
  },
  makeStableTopK: {
    takes: [
      argument(
        "parameters",
        options(
          { ...GAPS, ...FAILURE, choose: CHOOSE, test: TEST },
          ...(["maxK", "delta", "choose", "test"] as const),
        ),
      ),
    ],
    gives: object("StableTopKMeasurement"),
  },
  stableTopKFixed: {
    takes: [
      argument("histogram", COUNTS),
      argument(
        "options",
        options(
          {
            ...{ ...FIXED, ...COUNTING, ...FAILURE },
            ...{ rho: RATIONAL, epsilon: RATIONAL, noise: NOISE, entropy: ENTROPY },
          },
          ...(["k", "domain", "delta"] as const),
        ),
      ),
    ],
    gives: record("StableTopKFixed", {
      ...SET,
      stable: record("StableTest", { k: INTEGER, released: BOOLEAN }),
      privacy: LOSS,
    }),
  },
  makeStableTopKFixed: {
    takes: [
      argument(
        "parameters",
        options(
          {
            ...{ ...FIXED, ...COUNTING, ...FAILURE },
            ...{ choose: CHOOSE, test: TEST, rounds: options({ rho: RATIONAL, scale: RATIONAL }) },
          },
          ...(["k", "domain", "delta", "choose", "test", "rounds"] as const),
        ),
      ),
    ],
    gives: object("StableTopKFixedMeasurement"),
  },
  largestGap: {
    takes: [
      argument("histogram", COUNTS),
      argument(
        "options",
        options(
          {
            ...GAPS,
            ...{ noise: NOISE, epsilon: RATIONAL, rho: RATIONAL, scale: RATIONAL, variance: RATIONAL },
            entropy: ENTROPY,
          },
          "maxK",
        ),
      ),
    ],
    gives: record("LargestGap", { k: INTEGER, privacy: LOSS }),
  },
  proposeTestRelease: {
    takes: [
      argument("histogram", COUNTS),
      argument(
        "options",
        options(
          {
            ...{ k: INTEGER, ...COUNTING, ...FAILURE },
            ...{ rho: RATIONAL, epsilon: RATIONAL, variance: RATIONAL, scale: RATIONAL, entropy: ENTROPY },
          },
          ...(["k", "delta"] as const),
        ),
      ),
    ],
    gives: record("ProposeTestRelease", { ...STABLE, privacy: LOSS }),
  },
  // Unknown domains
  limitedTopK: {
    takes: [
      argument("histogram", COUNTS),
      argument("options", options({ ...LIMITED_PAID, entropy: ENTROPY }, ...(["k", "delta"] as const))),
    ],
    gives: record("LimitedTopK", {
      ...{ winners: list(WINNER), stopped: BOOLEAN, rounds: INTEGER, charge: CHARGE, privacy: LOSS },
      measurement: object("LimitedTopKMeasurement"),
    }),
  },
  makeLimitedTopK: {
    takes: [argument("parameters", options({ ...LIMITED_PAID, threshold: RATIONAL }, "k"))],
    gives: object("LimitedTopKMeasurement"),
  },
  topKWithCounts: {
    takes: [
      argument("histogram", COUNTS),
      argument("options", options({ ...COUNTED, entropy: ENTROPY }, "k")),
    ],
    gives: record("TopKWithCounts", {
      winners: list(
        record("CountedWinner", {
          ...MEASURED,
          ...{ gap: maybe(RATIONAL), estimate: maybe(RATIONAL), fitted: RATIONAL },
        }),
      ),
      ...{ stopped: BOOLEAN, halfWidth: RATIONAL, simultaneous: RATIONAL, shared: SHARED_NOISE },
      charge: record("ReservedCharge", { reserved: LOSS, settled: LOSS }),
      ...{ privacy: LOSS, measurement: object("TopKWithCountsMeasurement") },
    }),
  },
  makeTopKWithCounts: {
    takes: [argument("parameters", options(COUNTED, "k"))],
    gives: object("TopKWithCountsMeasurement"),
  },
  measureCounts: {
    takes: [
      argument("histogram", COUNTS),
      argument("names", list(TEXT)),
      argument(
        "options",
        options({
          ...{ rho: RATIONAL, epsilon: RATIONAL, variance: RATIONAL, scale: RATIONAL },
          ...INTERVALS,
          ...{ delta: RATIONAL, k: INTEGER, entropy: ENTROPY },
        }),
      ),
    ],
    gives: record("MeasuredCounts", {
      counts: list(record("MeasuredCount", MEASURED)),
      ...{ halfWidth: RATIONAL, simultaneous: RATIONAL, shared: SHARED_NOISE, privacy: LOSS },
    }),
  },
  countNoise: {
    takes: [
      argument(
        "options",
        options(
          {
            ...{ rho: RATIONAL, epsilon: RATIONAL, variance: RATIONAL, scale: RATIONAL },
            ...INTERVALS,
            ...{ delta: RATIONAL, k: INTEGER },
          },
          "k",
        ),
      ),
    ],
    gives: object("CountNoise"),
  },
  orderedIntervals: {
    takes: [argument("counts", list(RATIONAL)), argument("half_width", RATIONAL)],
    gives: list(record("OrderedInterval", { from: RATIONAL, to: RATIONAL })),
  },
  nonIncreasingFit: { takes: [argument("values", list(RATIONAL))], gives: list(RATIONAL) },
  selectPartitions: {
    takes: [
      argument("histogram", COUNTS),
      argument(
        "options",
        options(
          {
            ...{ epsilon: RATIONAL, rho: RATIONAL, maxItemsPerUser: INTEGER, delta: RATIONAL },
            ...{ counts: BOOLEAN, method: choice("optimal", "renyi", "zcdp", "laplace", "gaussian") },
            order: INTEGER,
            ...{ neighbours: NEIGHBOURS, entropy: ENTROPY },
          },
          ...(["maxItemsPerUser", "delta"] as const),
        ),
      ),
    ],
    gives: record("SelectPartitions", {
      winners: list(record("Partition", { candidate: TEXT, count: maybe(RATIONAL) })),
      ...{ method: TEXT, threshold: maybe(RATIONAL), variance: maybe(RATIONAL), privacy: LOSS },
      table: maybe(record("KeepNumbers", { order: INTEGER, growth: RATIONAL, failure: RATIONAL })),
      halfKeep: maybe(INTEGER),
    }),
  },
  histogramTopK: {
    takes: [
      argument("counts", COUNTS),
      argument(
        "options",
        options(
          {
            ...{ epsilon: RATIONAL, rho: RATIONAL, k: INTEGER, maxItemsPerUser: INTEGER, delta: RATIONAL },
            ...{ neighbours: NEIGHBOURS, confidence: RATIONAL, entropy: ENTROPY },
          },
          ...(["k", "maxItemsPerUser"] as const),
        ),
      ),
    ],
    gives: record("HistogramTopK", {
      winners: list(
        record("HistogramWinner", { candidate: NAME, count: RATIONAL, from: RATIONAL, to: RATIONAL }),
      ),
      ...{ noise: TEXT, size: RATIONAL, halfWidth: RATIONAL, simultaneous: RATIONAL },
      ...{ errorBound: RATIONAL, selectionBound: RATIONAL, via: TEXT, privacy: LOSS },
    }),
  },
  boundContributions: {
    takes: [
      argument("rows", ROWS),
      argument(
        "options",
        options({ maxItemsPerUser: INTEGER, key: BYTES, entropy: ENTROPY }, "maxItemsPerUser"),
      ),
    ],
    gives: MAPPING,
  },
  boundValues: {
    takes: [
      argument("rows", ROWS),
      argument(
        "options",
        options({ maxValuesPerUser: INTEGER, key: BYTES, entropy: ENTROPY }, "maxValuesPerUser"),
      ),
    ],
    gives: MAPPING,
  },
  boundGroups: {
    takes: [
      argument("rows", ROWS),
      argument(
        "options",
        options(
          {
            ...{ groups: list(TEXT), items: list(TEXT), maxGroupsPerUser: INTEGER },
            ...{ maxItemsPerUser: INTEGER, key: BYTES, entropy: ENTROPY },
          },
          "maxGroupsPerUser",
        ),
      ),
    ],
    gives: MAPPING,
  },
  topKInGroups: {
    takes: [
      argument("rows", ROWS),
      argument(
        "options",
        options(
          {
            ...{ epsilon: RATIONAL, rho: RATIONAL, groups: list(TEXT), items: list(TEXT) },
            ...{ maxGroupsPerUser: INTEGER, maxItemsPerUser: INTEGER, k: INTEGER, delta: RATIONAL },
            ...{ budgets: ROWS, neighbours: NEIGHBOURS, entropy: ENTROPY },
          },
          ...(["groups", "maxGroupsPerUser", "k"] as const),
        ),
      ),
    ],
    gives: record("TopKInGroups", {
      groups: list(record("GroupAnswer", { group: TEXT, winners: list(WINNER), stopped: maybe(BOOLEAN) })),
      ...{ perGroup: LOSS, privacy: LOSS, charge: maybe(CHARGE) },
    }),
  },
  // The base-2 exponential mechanism
  base2Exponential: {
    takes: [
      argument("outcomes", OUTCOMES),
      argument("utility", callback([NAME], RATIONAL)),
      argument(
        "options",
        options({ ...BASE2, entropy: ENTROPY }, ...(["lower", "upper", "maxCandidates"] as const)),
      ),
    ],
    gives: record("Base2Selection", { candidate: INTEGER, outcome: NAME, privacy: LOSS }),
  },
  makeBase2Exponential: {
    takes: [argument("options", options(BASE2, ...(["lower", "upper", "maxCandidates"] as const)))],
    gives: object("Base2ExponentialMeasurement"),
  },
  clampedLaplace: {
    takes: [
      argument("value", RATIONAL),
      argument(
        "options",
        options(
          { eta: PARAMETER, epsilon: RATIONAL, ...GRID, sensitivity: RATIONAL, entropy: ENTROPY },
          ...(["lower", "upper", "step"] as const),
        ),
      ),
    ],
    gives: record("ClampedLaplaceRelease", { value: RATIONAL, privacy: LOSS }),
  },
  precisionRules: {
    takes: [
      argument(
        "options",
        options(
          { lower: INTEGER, upper: INTEGER, eta: PARAMETER, maxCandidates: INTEGER },
          ...(["lower", "upper", "eta", "maxCandidates"] as const),
        ),
      ),
    ],
    gives: record("PrecisionRules", {
      ...{ analytic: RATIONAL, empirical: maybe(RATIONAL), corrected: RATIONAL, finite: BOOLEAN },
    }),
  },
  // Above a threshold
  makeAboveThreshold: {
    takes: [
      argument(
        "parameters",
        options({
          ...{ maxAbove: INTEGER, threshold: RATIONAL, monotone: BOOLEAN, ordered: BOOLEAN },
          ...{ resolution: RATIONAL, levels: list(LEVEL), thresholdScale: RATIONAL, queryScale: RATIONAL },
          ...{ measure: choice("pure", "zcdp", "base2"), thresholdVariance: RATIONAL },
          ...{ thresholdEta: PARAMETER, queryEta: PARAMETER, step: RATIONAL },
        }),
      ),
    ],
    gives: object("AboveThresholdMeasurement"),
  },
  noisyThreshold: {
    takes: [
      argument("value", INTEGER),
      argument(
        "options",
        options(
          {
            ...{ threshold: RATIONAL, eta: PARAMETER, sensitivity: RATIONAL, step: RATIONAL },
            entropy: ENTROPY,
          },
          ...(["threshold", "eta"] as const),
        ),
      ),
    ],
    gives: record("NoisyThreshold", { above: BOOLEAN, privacy: LOSS }),
  },
  // Quantiles and bounds of private numbers
  quantile: {
    takes: [
      argument("values", POINTS),
      argument(
        "options",
        options({ ...RANKS, ...RECORDS, quantile: RATIONAL }, ...(["quantile", "lower", "upper"] as const)),
      ),
    ],
    gives: record("Quantile", {
      ...{ value: RATIONAL, privacy: LOSS, rankError: method([CONFIDENCE], RATIONAL) },
    }),
  },
  quantiles: {
    takes: [
      argument("values", POINTS),
      argument(
        "options",
        options(
          {
            ...{ ...RANKS, ...RECORDS, quantiles: list(RATIONAL) },
            ...{ method: choice("recursive", "separate"), subCells: INTEGER, atMost: INTEGER },
          },
          ...(["quantiles", "lower", "upper"] as const),
        ),
      ),
    ],
    gives: record("Quantiles", {
      ...{ values: list(RATIONAL), method: TEXT, privacy: LOSS, scales: maybe(list(RATIONAL)) },
      rankError: method([CONFIDENCE, argument("options", options({ atMost: INTEGER }))], list(RATIONAL)),
    }),
  },
  upperBound: {
    takes: [
      argument("values", POINTS),
      argument(
        "options",
        options(
          {
            ...{ epsilon: RATIONAL, rho: RATIONAL, scale: RATIONAL, target: RATIONAL },
            ...{ thresholds: list(RATIONAL), maxValuesPerUser: INTEGER, neighbours: NEIGHBOURS },
            entropy: ENTROPY,
          },
          "target",
        ),
      ),
    ],
    gives: record("UpperBound", {
      ...{ value: RATIONAL, privacy: LOSS, exceeding: method([CONFIDENCE], RATIONAL) },
    }),
  },
  // Frequency lists without names
  integerPartition: {
    takes: [
      argument("counts", NUMBERS),
      argument(
        "options",
        options({
          ...{ epsilon: RATIONAL, eta: PARAMETER, maxItemsPerUser: INTEGER, neighbours: NEIGHBOURS },
          entropy: ENTROPY,
        }),
      ),
    ],
    gives: record("IntegerPartition", { frequencies: list(INTEGER), privacy: LOSS }),
  },
  // Labels from teachers
  labelByTeachers: {
    takes: [
      argument("votes", VOTES),
      argument("options", options(TEACHERS, ...(["task", "teachers", "labels", "choose"] as const))),
    ],
    gives: record("TeacherLabels", {
      ...{ answers: list(TEACHER_ANSWER), queries: INTEGER, abstentions: INTEGER, isExhausted: BOOLEAN },
      ...{ privacy: LOSS, accounting: TEXT },
    }),
  },
  renewList: {
    takes: [
      argument(
        "options",
        options(
          {
            ...{ epsilon: RATIONAL, rho: RATIONAL, k: INTEGER, renewals: INTEGER, tolerance: RATIONAL },
            ...{ sensitivity: RATIONAL, monotone: BOOLEAN, listShare: RATIONAL },
            scales: options({ threshold: RATIONAL, query: RATIONAL }, "threshold", "query"),
          },
          ...(["k", "renewals"] as const),
        ),
      ),
    ],
    gives: object("ListRenewal"),
  },
  selectPrivateCandidate: {
    takes: [
      argument("run", callback([ENTROPY], record("Candidate", { output: NAME, score: INTEGER }))),
      argument(
        "options",
        options(
          {
            ...{ loss: LOSS, runs: RUNS, threshold: RATIONAL, stop: RATIONAL, delta: RATIONAL },
            entropy: ENTROPY,
          },
          "loss",
        ),
      ),
    ],
    gives: record("PrivateCandidate", {
      ...{ released: BOOLEAN, output: maybe(NAME), score: maybe(INTEGER), privacy: LOSS },
    }),
  },
  // Losses
  pure: ONE("epsilon"),
  base2: ONE("eta"),
  zcdp: { takes: [argument("rho", RATIONAL), optional("delta", RATIONAL)], gives: LOSS },
  approx: { takes: [argument("epsilon", RATIONAL), argument("delta", RATIONAL)], gives: LOSS },
  renyi: { takes: [argument("curve", CURVE), optional("delta", RATIONAL)], gives: LOSS },
  describeLoss: {
    takes: [
      argument("loss", LOSS),
      optional("options", options({ rounding: choice("up", "down"), orders: list(RATIONAL) })),
    ],
    gives: TEXT,
  },
  // Composition and conversion
  compose: { takes: [repeated("losses", LOSS)], gives: LOSS },
  repeat: { takes: [argument("loss", LOSS), argument("times", INTEGER)], gives: LOSS },
  convert: {
    takes: [
      argument("loss", LOSS),
      argument(
        "options",
        options(
          {
            to: choice("pure", "base2", "zcdp", "renyi", "approx"),
            ...{ delta: RATIONAL, epsilon: RATIONAL, conversion: CONVERSION },
          },
          "to",
        ),
      ),
    ],
    gives: LOSS,
  },
  inGroups: {
    takes: [
      argument("losses", list(LOSS)),
      argument("options", options({ maxGroupsPerUser: INTEGER, neighbours: NEIGHBOURS }, "maxGroupsPerUser")),
    ],
    gives: LOSS,
  },
  groupBudgets: {
    takes: [
      argument("whole", RATIONAL),
      argument(
        "options",
        options(
          { groups: list(TEXT), maxGroupsPerUser: INTEGER, budgets: ROWS },
          ...(["groups", "maxGroupsPerUser"] as const),
        ),
      ),
    ],
    gives: MAPPING,
  },
  gaussianToApprox: {
    takes: [argument("rho", RATIONAL), argument("options", options({ delta: RATIONAL, epsilon: RATIONAL }))],
    gives: LOSS,
  },
  discreteGaussianDelta: {
    takes: [
      argument(
        "options",
        options(
          { epsilon: RATIONAL, variance: RATIONAL, moved: INTEGER },
          ...(["epsilon", "variance", "moved"] as const),
        ),
      ),
    ],
    gives: RATIONAL,
  },
  boundedRangeDelta: {
    takes: [
      argument(
        "options",
        options(
          {
            ...{ epsilon: RATIONAL, range: RATIONAL, rounds: INTEGER, ranges: list(RATIONAL) },
            counts: options({ variance: RATIONAL, moved: INTEGER }, ...(["variance", "moved"] as const)),
          },
          "epsilon",
        ),
      ),
    ],
    gives: RATIONAL,
  },
  // Calibration
  rhoAtMost: {
    takes: [
      argument("target", options({ epsilon: RATIONAL, delta: RATIONAL }, ...(["epsilon", "delta"] as const))),
      optional("options", options({ conversion: CONVERSION })),
    ],
    gives: RATIONAL,
  },
  scaleAtLeast: {
    takes: [
      argument("target", LOSS),
      argument("options", options({ ...ROUNDS, distance: RATIONAL }, "distance")),
    ],
    gives: RATIONAL,
  },
  varianceAtLeast: {
    takes: [
      argument("target", LOSS),
      optional(
        "options",
        options({ sensitivity: RATIONAL, rounds: INTEGER, conversion: choice("simple", "optimal", "exact") }),
      ),
    ],
    gives: RATIONAL,
  },
  // The parameter of the base-2 mechanisms
  eta: {
    takes: [argument("x", INTEGER), argument("y", INTEGER), optional("z", INTEGER)],
    gives: PARAMETER,
  },
  etaAtMost: {
    takes: [
      argument("epsilon", RATIONAL),
      optional("options", options({ ...UTILITIES, y: INTEGER, z: INTEGER })),
    ],
    gives: PARAMETER,
  },
  base2LossOf: {
    takes: [argument("parameter", PARAMETER), optional("options", options(UTILITIES))],
    gives: LOSS,
  },
  // Rényi curves
  pureCurve: ONE("epsilon", CURVE),
  zcdpCurve: ONE("rho", CURVE),
  boundedRangeCurve: ONE("epsilon", CURVE),
  gaussianCurve: {
    takes: [argument("options", options({ sensitivity: RATIONAL, variance: RATIONAL }, "variance"))],
    gives: CURVE,
  },
  laplaceCurve: ONE("distance", CURVE),
  noisyMaxCurve: { takes: [argument("noise", CURVE), argument("outcomes", INTEGER)], gives: CURVE },
};
