/**
 * The cases of the conformance file, from the exact distributions of winnow-audit. Each distribution has as few runs as
 * reject noise of nine tenths of the scale with the power that is asked for.
 *
 * Two cases have scores near 2^52, where doubles are whole numbers: noise that is added to a score in floating point is
 * rounded there, and the χ² test shows it.
 * @module
 */
import {
  type AccountingCase,
  base2ExponentialLaw,
  type ConformanceFile,
  type ConformanceRequest,
  type DistributionCase,
  discreteGaussianTail,
  exponentialMechanismRound,
  exponentialTopKLaw,
  keepProbabilities,
  type Law,
  noisyMaxLaw,
  peeledLaw,
  permuteAndFlipRound,
  stableTopKLaw,
  topKWithGapLaw,
} from "winnow-audit";
import { convert, eta, gaussianToApprox, Interval, makeNoisyTopK, Rational, rational, zcdp } from "winnow-dp";
import { criticalValue, powerOf } from "./chi-square.js";

const SIGNIFICANCE = 1e-4;
const POWER = 0.99;
/** Bins are large enough for χ² from here on. */
const SMALLEST_EXPECTATION = 10;
const RUNS = [1, 2, 5].flatMap((digit) => [1e3, 1e4, 1e5].map((size) => digit * size)).sort((a, b) => a - b);
const DIGITS = 24n;

type Parameters = ConformanceRequest["parameters"];

interface Distribution {
  readonly id: string;
  readonly task: string;
  readonly scores: readonly string[];
  readonly parameters: Parameters;
  readonly largestGap?: number;
  /** The distribution with noise of this share of the scale. */
  readonly law: (share: Rational) => Law;
}

const FEW = ["3", "2", "0", "-1"];
/** Doubles of this size are whole numbers. */
const LARGE = ["4503599627370498", "4503599627370497", "4503599627370496"];

function noisyMax(
  id: string,
  noise: "exponential" | "gumbel" | "laplace" | "gaussian",
  scores: readonly string[],
  size: string,
): Distribution {
  const isGaussian = noise === "gaussian";
  return {
    ...{ id, task: "noisy-max", scores },
    parameters: { noise, [isGaussian ? "variance" : "scale"]: size },
    law: (share) => noisyMaxLaw(scores, noise, rational(size).times(isGaussian ? share.times(share) : share)),
  };
}

function topK(
  id: string,
  scores: readonly string[],
  k: number,
  scale: string,
  noise: "exponential" | "gumbel",
  method: "one-shot" | "peel" = "one-shot",
): Distribution {
  const round = noise === "gumbel" ? exponentialMechanismRound : permuteAndFlipRound;
  const law = (share: Rational) => {
    const options = { k, scale: rational(scale).times(share) };
    return noise === "gumbel" || method === "peel"
      ? peeledLaw(round, scores, options)
      : exponentialTopKLaw(scores, options);
  };
  return { ...{ id, task: "top-k", scores, law }, parameters: { k, scale, noise, method } };
}

function gaps(
  id: string,
  scores: readonly string[],
  k: number,
  scale: string,
  resolution: string,
  largestGap: number,
): Distribution {
  return {
    ...{ id, task: "top-k-with-gap", scores, largestGap },
    parameters: { k, scale, resolution },
    law: (share) =>
      topKWithGapLaw(scores, { k, scale: rational(scale).times(share), resolution, largestGap }),
  };
}

function stable(
  id: string,
  scores: readonly number[],
  maxK: number,
  chooseScale: string,
  testVariance: string,
  delta: string,
): Distribution {
  const threshold = thresholdFor(testVariance, delta);
  return {
    ...{ id, task: "stable-top-k", scores: scores.map(String) },
    parameters: { maxK, chooseScale, testVariance, delta, threshold, gapSensitivity: 1 },
    law: (share) =>
      stableTopKLaw(scores, {
        ...{ maxK, scale: rational(chooseScale).times(share), gapSensitivity: 1, threshold },
        tail: discreteGaussianTail(rational(testVariance).times(share).times(share)),
      }),
  };
}

/** η is nine times that of x/2^y: ten times is nine tenths of the noise. */
function base2(id: string, utilities: readonly string[], x: number, y: number): Distribution {
  const [lower, upper] = [0, 10];
  return {
    ...{ id, task: "base2-exponential", scores: utilities },
    parameters: { x, y, z: 9, utilityMin: lower, utilityMax: upper },
    law: (share) =>
      base2ExponentialLaw(utilities, { eta: eta(x, y, Number(rational(9n).dividedBy(share))), lower, upper }),
  };
}

/** A person has at most one name; with a tenth less noise, ε is ten ninths of what is asked for. */
function partitions(id: string, people: readonly string[], epsilon: string, delta: string): Distribution {
  return {
    ...{ id, task: "select-partitions", scores: people },
    parameters: { epsilon, delta, maxItemsPerUser: 1, method: "optimal" },
    law: (share) => {
      const chances = keepProbabilities(rational(epsilon).dividedBy(share), delta);
      return people
        .map(Number)
        .reduce<Law>((law, count, name) => withName(law, name, chances[count]), NONE_KEPT);
    },
  };
}

const NONE_KEPT: Law = new Map([["", Interval.from(1, 192)]]);

/** The law of which names are kept, with one name more, which is kept or not whatever the others are. */
function withName(law: Law, name: number, kept: Interval): Law {
  const dropped = Interval.from(1, 192).minus(kept);
  return new Map(
    [...law].flatMap(([before, probability]) => [
      [before, probability.times(dropped)],
      [before === "" ? String(name) : `${before},${name}`, probability.times(kept)],
    ]),
  );
}

/** The smallest integer that the noise exceeds with probability at most δ. */
function thresholdFor(variance: string, delta: string): number {
  const tail = discreteGaussianTail(variance);
  let threshold = 0;
  while (!tail(threshold).isBelow(delta)) threshold++;
  return threshold;
}

const DISTRIBUTIONS: readonly Distribution[] = [
  noisyMax("noisy-max-exponential", "exponential", FEW, "2"),
  noisyMax("noisy-max-exponential-fractions", "exponential", ["3/2", "1/3", "0", "-1/7"], "5/7"),
  noisyMax("noisy-max-exponential-large", "exponential", LARGE, "1"),
  noisyMax("noisy-max-gumbel", "gumbel", FEW, "3/2"),
  noisyMax("noisy-max-gumbel-large", "gumbel", LARGE, "1"),
  noisyMax("noisy-max-laplace", "laplace", ["2", "0"], "1"),
  noisyMax("noisy-max-gaussian", "gaussian", ["2", "0"], "1"),
  topK("top-k-exponential", ["4", "3", "1", "0"], 2, "3", "exponential"),
  topK("top-k-exponential-three", ["4", "2", "1", "0", "0"], 3, "2", "exponential"),
  topK("top-k-gumbel", ["4", "3", "1", "0"], 2, "3/2", "gumbel"),
  topK("top-k-peeled", ["4", "3", "1", "0"], 2, "3", "exponential", "peel"),
  gaps("gap-one", ["3", "2", "0"], 1, "2", "1", 6),
  gaps("gap-two", ["4", "2", "0"], 2, "2", "1", 4),
  gaps("gap-fine", ["1", "0"], 1, "3/2", "1/4", 12),
  gaps("gap-large", LARGE, 1, "2", "1", 6),
  stable("stable-top-k", [9, 8, 3, 1], 3, "2", "4", "1/20"),
  stable("stable-top-k-narrow", [5, 4, 4, 0], 3, "1", "2", "1/10"),
  base2("base2-exponential", ["0", "1", "2", "5"], 7, 3),
  base2("base2-exponential-fractions", ["1/2", "1", "9/4", "11/2"], 7, 3),
  partitions("partitions", ["3", "5", "8"], "1", "1/100"),
  partitions("partitions-slow", ["4", "9", "16"], "1/4", "1/50"),
];

/** The file, without its accounting cases' reasons, which are in docs/guide/conformance.md. */
export function conformanceFile(): ConformanceFile {
  return {
    schema: "winnow-conformance/1",
    significance: SIGNIFICANCE,
    distributions: DISTRIBUTIONS.map(planned),
    accounting: accounting(),
  };
}

function planned({ law, ...instance }: Distribution): DistributionCase {
  const right = law(Rational.ONE);
  const wrong = law(rational("9/10"));
  for (const runs of RUNS) {
    const bins = binsOf(right, runs);
    const degrees = bins.length - 1;
    if (degrees < 1) continue;
    const critical = Math.ceil(criticalValue(degrees, SIGNIFICANCE) * 1e4) / 1e4;
    const power = powerOf(critical, degrees, runs * distance(bins, right, wrong));
    if (power < POWER) continue;
    return {
      ...{ ...instance, runs, critical, power: Math.floor(power * 1e4) / 1e4 },
      bins: bins.map((outcomes) => ({ outcomes, probability: decimal(sum(right, outcomes)) })),
    };
  }
  throw new Error(`${instance.id} needs more than ${RUNS.at(-1)} runs`);
}

/** Outcomes by themselves, the rare ones together. */
function binsOf(law: Law, runs: number): string[][] {
  const byProbability = [...law].sort(([, a], [, b]) => middle(b) - middle(a));
  const bins: string[][] = [];
  let rare: string[] = [];
  for (const [outcome, probability] of byProbability)
    if (middle(probability) * runs >= SMALLEST_EXPECTATION) bins.push([outcome]);
    else rare.push(outcome);
  while (rare.length > 0 && bins.length > 0 && total(law, rare) * runs < SMALLEST_EXPECTATION)
    rare = [...(bins.pop() ?? []), ...rare];
  return rare.length > 0 ? [...bins, rare] : bins;
}

function distance(bins: readonly string[][], right: Law, wrong: Law): number {
  return bins.reduce((all, outcomes) => {
    const [p, q] = [total(right, outcomes), total(wrong, outcomes)];
    return all + (q - p) ** 2 / p;
  }, 0);
}

function middle(probability: Interval): number {
  return probability.lower().toNumber();
}

function total(law: Law, outcomes: readonly string[]): number {
  return outcomes.reduce((all, outcome) => all + middle(law.get(outcome) as Interval), 0);
}

function sum(law: Law, outcomes: readonly string[]): Rational {
  return outcomes.reduce((all, outcome) => all.plus((law.get(outcome) as Interval).lower()), Rational.ZERO);
}

/** The first digits; the enclosures are narrower than the last of them. */
function decimal(size: Rational): string {
  const digits = size.times(10n ** DIGITS).floor();
  return `0.${String(digits).padStart(Number(DIGITS), "0")}`;
}

/** Doubles may be off by a few units in the last place, never below the true loss by more. */
const ROUNDING = 1e-12;

function accounting(): AccountingCase[] {
  const losses = [
    { measure: "pure", k: 3, scale: "2", sensitivity: "1", monotone: true },
    { measure: "pure", k: 3, scale: "2", sensitivity: "1", monotone: false },
    { measure: "zcdp", k: 2, scale: "4", sensitivity: "1", monotone: true },
    { measure: "zcdp", k: 5, scale: "1/2", sensitivity: "3", monotone: false },
  ] as const;
  const topKLosses = losses.map((parameters, i): AccountingCase => {
    const { measure, k, scale, sensitivity, monotone } = parameters;
    const loss = makeNoisyTopK({ k, measure, scale, monotone }).map(sensitivity);
    const size = loss.measure === "pure" ? loss.epsilon : loss.rho;
    return { id: `loss-${i + 1}`, task: "noisy-top-k-loss", parameters, ...around(Number(size)) };
  });
  const sums = (["pure", "zcdp"] as const).map(
    (measure): AccountingCase => ({
      id: `composition-${measure}`,
      task: "composition",
      parameters: { measure, losses: ["1/2", "1/4", "1", "1/8"] },
      ...around(1.875),
    }),
  );
  return [
    ...topKLosses,
    ...sums,
    ...CONVERSIONS.map(conversion),
    ...REPEATED.map(repeated),
    ...COMPOSED.map(composed),
  ];
}

function around(loss: number): { least: string; most: string } {
  return { least: String(loss * (1 - ROUNDING)), most: String(loss * (1 + ROUNDING)) };
}

const CONVERSIONS = [
  ["1/10", "1e-6"],
  ["1/2", "1e-9"],
  ["2", "1e-5"],
] as const;

/** Gaussian noise is ρ-zCDP: an ε below its own is wrong. One above ρ + 2√(ρ·ln(1/δ)) is right and wasteful. */
function conversion([rho, delta]: readonly [string, string], i: number): AccountingCase {
  const exact = Number(gaussianToApprox(rho, { delta }).epsilon) * (1 - 1e-9);
  const simple =
    Number(convert(zcdp(rho), { to: "approx", delta, conversion: "simple" }).epsilon) * (1 + 1e-9);
  const id = `zcdp-to-approx-${i + 1}`;
  return {
    id,
    task: "zcdp-to-approx",
    parameters: { rho, delta },
    least: String(exact),
    most: String(simple),
  };
}

const REPEATED = [
  ["1/10", 100, "1e-6"],
  ["1", 4, "1e-5"],
] as const;

/** Randomised response shows what k-fold composition loses at least; k·ε is the most that is needed. */
function repeated([epsilon, times, delta]: readonly [string, number, string], i: number): AccountingCase {
  const each = Number(rational(epsilon));
  const least = epsilonOfResponses(each, times, Number(delta)) * (1 - 1e-9);
  const most = each * times * (1 + ROUNDING);
  const id = `pure-to-approx-${i + 1}`;
  return {
    ...{ id, task: "pure-to-approx", parameters: { epsilon, times, delta } },
    ...{ least: String(least), most: String(most) },
  };
}

/** The ε at which k randomised responses have this δ [KOV15], by bisection. */
function epsilonOfResponses(each: number, times: number, delta: number): number {
  let [low, high] = [0, each * times];
  for (let step = 0; step < 60; step++) {
    const epsilon = (low + high) / 2;
    if (deltaOfResponses(each, times, epsilon) > delta) low = epsilon;
    else high = epsilon;
  }
  return low;
}

function deltaOfResponses(each: number, times: number, epsilon: number): number {
  let [ways, delta] = [1, 0];
  for (let lies = 0; lies <= times; lies++) {
    const more = Math.exp((times - lies) * each) - Math.exp(epsilon + lies * each);
    delta += (ways * Math.max(0, more)) / (1 + Math.exp(each)) ** times;
    ways = (ways * (times - lies)) / (lies + 1);
  }
  return delta;
}

const COMPOSED = [
  ["1/10", 100, "3/2"],
  ["1/2", 10, "3"],
  ["1", 4, "3"],
] as const;

/**
 * The δ of exponential mechanisms of a bounded range, one after the other. Lists of many equal scores lose what the best constant
 * strategy shows; e^(−(ε − ρ)²/(4ρ)) with ρ = k·η²/8 is right and wasteful.
 */
function composed([range, rounds, epsilon]: readonly [string, number, string], i: number): AccountingCase {
  const [each, whole] = [Number(rational(range)), Number(rational(epsilon))];
  const rho = (rounds * each ** 2) / 8;
  const most = Math.exp(-((whole - rho) ** 2) / (4 * rho));
  const least = deltaOfEqualRounds(each, rounds, whole) * (1 - 1e-9);
  return {
    ...{
      id: `bounded-range-${i + 1}`,
      task: "bounded-range-to-approx",
      parameters: { range, rounds, epsilon },
    },
    ...{ least: String(least), most: String(most) },
  };
}

/** The largest δ of rounds that all lose t or t − η, over a grid of t: each is a δ that some mechanism has. */
function deltaOfEqualRounds(range: number, rounds: number, epsilon: number): number {
  const grid = Array.from({ length: 199 }, (_, i) => ((i + 1) / 200) * range);
  return Math.max(...grid.map((loss) => deltaOfTwoLosses(loss, loss - range, rounds, epsilon)));
}

function deltaOfTwoLosses(more: number, less: number, rounds: number, epsilon: number): number {
  const rare = (1 - Math.exp(less)) / (Math.exp(more) - Math.exp(less)); // P'(more), so that both sides sum to 1
  let [ways, delta] = [1, 0];
  for (let times = 0; times <= rounds; times++) {
    const loss = times * more + (rounds - times) * less;
    const mass = ways * rare ** times * (1 - rare) ** (rounds - times);
    delta += mass * Math.max(0, Math.exp(loss) - Math.exp(epsilon));
    ways = (ways * (rounds - times)) / (times + 1);
  }
  return delta;
}
