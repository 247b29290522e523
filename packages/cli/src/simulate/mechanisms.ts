/**
 * The mechanisms of the library by name, prepared to run many times on public scores. Outcomes are positions in the list of
 * scores, so that their frequencies can be compared with an exact distribution.
 * @module
 */

import {
  base2Exponential,
  type Entropy,
  etaAtMost,
  type IntegerPartitionOptions,
  integerPartition,
  type LargestGapOptions,
  type LimitedTopKOptions,
  type Loss,
  largestGap,
  limitedTopK,
  makeNoisyTopK,
  type PermuteAndFlipOptions,
  permuteAndFlip,
  type QuantilesOptions,
  quantiles,
  type Rational,
  type ReportNoisyMaxOptions,
  rational,
  reportNoisyMax,
  type SelectPartitionsOptions,
  selectPartitions,
  type TopKOptions,
  type TopKWithGapOptions,
  topK,
  topKWithGap,
  type Winner,
  zcdp,
} from "winnow-dp";
import { Refusal } from "winnow-release";
import { gridOf, sharesOf } from "../release/request.js";
import {
  prepareClampedLaplace,
  prepareGeometric,
  prepareLaplace,
  prepareProposal,
} from "./noise-mechanisms.js";
import { type Parameters, readEta, readTerms, readWholeSensitivity } from "./parameters.js";
import { largestK, prepareStable, prepareStableFixed } from "./stable-mechanisms.js";

export interface Outcome {
  /** Best first, or ascending if the order means nothing. */
  readonly indices: readonly number[];
  readonly gaps?: readonly string[];
  /** For mechanisms that may release nothing. */
  readonly released?: boolean;
  /** For mechanisms that choose k. */
  readonly k?: number;
  /** Whether the list ended before k names. */
  readonly stopped?: boolean;
  /** For mechanisms that release numbers, in place of indices. */
  readonly values?: readonly string[];
  /** For frequency lists, in place of indices. */
  readonly frequencies?: readonly number[];
}

/** One run. */
export type Draw = (entropy: Entropy) => { readonly outcome: Outcome; readonly privacy: Loss };

type Prepare = (scores: readonly Rational[], parameters: Parameters) => Draw;

export const MECHANISMS = {
  "permute-and-flip": (scores, parameters) => {
    const numbers = numbersOf(scores);
    return (entropy) =>
      single(permuteAndFlip(numbers, options<PermuteAndFlipOptions>({ ...parameters, entropy })));
  },
  "report-noisy-max": (scores, { noise = "gumbel", ...parameters }) => {
    const numbers = numbersOf(scores);
    return (entropy) =>
      single(reportNoisyMax(numbers, options<ReportNoisyMaxOptions>({ ...parameters, noise, entropy })));
  },
  "base2-exponential": prepareBase2,
  "top-k": prepareTopK,
  "top-k-with-gap": (scores, { k = 1, ...parameters }) => {
    const numbers = numbersOf(scores);
    return (entropy) =>
      ranked(topKWithGap(numbers, options<TopKWithGapOptions>({ ...parameters, k, entropy })));
  },
  "limited-top-k": prepareLimited,
  "select-partitions": prepareNames,
  "largest-gap": prepareLargestGap,
  quantiles: prepareQuantiles,
  "integer-partition": preparePartition,
  laplace: (scores, parameters) => prepareLaplace(namedCounts(scores), parameters),
  geometric: prepareGeometric,
  "clamped-laplace": prepareClampedLaplace,
  "propose-test-release": (scores, parameters) => prepareProposal(numbersOf(scores), parameters),
  "stable-top-k": (scores, parameters) => prepareStable(numbersOf(scores), parameters),
  "stable-top-k-fixed": (scores, parameters) => prepareStableFixed(numbersOf(scores), parameters),
} as const satisfies Readonly<Record<string, Prepare>>;

export type SimulatedName = keyof typeof MECHANISMS;

/** A mechanism by its name, ready to run. */
export function prepare(name: SimulatedName, scores: readonly Rational[], parameters: Parameters): Draw {
  return MECHANISMS[name](scores, parameters);
}

function single({ index, privacy }: { index: number; privacy: Loss }): ReturnType<Draw> {
  return { outcome: { indices: [index] }, privacy };
}

function ranked({ winners, privacy }: { winners: readonly Winner[]; privacy: Loss }): ReturnType<Draw> {
  const gaps = winners.flatMap(({ gap }) => (gap === undefined ? [] : [String(gap)]));
  const indices = winners.map(({ index }) => index);
  return { outcome: { indices, ...(gaps.length > 0 && { gaps }) }, privacy };
}

/** With Gumbel noise of a given scale: the exponential mechanism, k times. A loss determines its own noise. */
function prepareTopK(scores: readonly Rational[], { noise, ...parameters }: Parameters): Draw {
  const { k = 1, scale, rho, monotone, negate, sensitivity = 1n } = parameters;
  const ofLoss = rho === undefined ? "exponential" : "gumbel";
  const isScaledGumbel = noise === "gumbel" && scale !== undefined;
  if (noise !== undefined && noise !== ofLoss && !isScaledGumbel)
    throw new Refusal(
      "usage",
      `--noise of top-k must be exponential with --epsilon or --scale, or gumbel with --rho or --scale; got "${noise}".`,
    );
  const numbers = numbersOf(scores);
  if (!isScaledGumbel)
    return (entropy) => ranked(topK(numbers, options<TopKOptions>({ ...parameters, k, entropy })));
  const measurement = makeNoisyTopK({ k, measure: "zcdp", scale, monotone, negate });
  const privacy = zcdp(measurement.map(sensitivity));
  return (entropy) => ranked({ winners: measurement.invoke(numbers, entropy).winners, privacy });
}

/** The mechanism prefers low utilities, so scores change their sign. */
function prepareBase2(scores: readonly Rational[], parameters: Parameters): Draw {
  const { epsilon, sensitivity = 1n, monotone = false, negate = false } = parameters;
  if ((epsilon === undefined) === (parameters.eta === undefined))
    throw new Refusal("usage", "base2-exponential needs exactly one of --eta and --epsilon.");
  const utilities = negate ? scores : scores.map((score) => score.negated());
  const floors = utilities.map((utility) => utility.floor());
  const chosen = {
    eta:
      parameters.eta === undefined
        ? etaAtMost(epsilon ?? "", { sensitivity, monotone })
        : readEta(parameters.eta),
    sensitivity,
    monotone,
    ...(parameters.range === undefined
      ? {
          lower: floors.reduce((a, b) => (a < b ? a : b)),
          upper: floors.reduce((a, b) => (a > b ? a : b)) + 1n,
        }
      : wholeRange(parameters)),
    maxCandidates: scores.length,
    mode: "optimised", // the same law, and no one times a simulation on public scores
  } as const;
  return (entropy) => single(base2Exponential(utilities, (utility) => utility, { ...chosen, entropy }));
}

/** The range of utilities, whose ends are integers. */
function wholeRange(parameters: Parameters): { readonly lower: bigint; readonly upper: bigint } {
  const { lower, upper } = gridOf(parameters);
  const [least, most] = [lower, upper].map((end) => rational(end, "range"));
  if (!least.isInteger() || !most.isInteger())
    throw new Refusal(
      "usage",
      `--range must have integers as its ends; got ${JSON.stringify(parameters.range)}.`,
    );
  return { lower: least.numerator, upper: most.numerator };
}

function prepareLargestGap(scores: readonly Rational[], parameters: Parameters): Draw {
  const { noise, epsilon, rho, scale, variance, monotone, sensitivity, regulariser, gapCap } = parameters;
  const counts = numbersOf(scores);
  const chosen = {
    ...{ noise, epsilon, rho, scale, variance, monotone, gapCap },
    maxK: largestK(parameters, counts),
    regulariser: readTerms(regulariser),
    sensitivity: readWholeSensitivity(sensitivity),
  };
  return (entropy) => {
    const { k, privacy } = largestGap(counts, options<LargestGapOptions>({ ...chosen, entropy }));
    return { outcome: { indices: [], k }, privacy };
  };
}

/** Names are the positions, padded to the same number of digits, so that their bytes sort like the scores. */
function namedCounts(scores: readonly Rational[]): [string, number | bigint][] {
  const digits = String(scores.length).length;
  return numbersOf(scores).map((count, index) => [String(index).padStart(digits, "0"), count]);
}

function prepareLimited(scores: readonly Rational[], { k = 1, ...parameters }: Parameters): Draw {
  const { monotone, ...rest } = parameters;
  const rows = namedCounts(scores);
  const chosen = { ...rest, k, neighbours: neighboursOf(monotone) };
  return (entropy) => {
    const answer = limitedTopK(rows, options<LimitedTopKOptions>({ ...chosen, entropy }));
    const { winners, stopped, privacy } = answer;
    const gaps = winners.flatMap(({ gap }) => (gap === undefined ? [] : [String(gap)]));
    const indices = winners.map(({ candidate }) => Number(candidate));
    return { outcome: { indices, ...(gaps.length > 0 && { gaps }), stopped }, privacy };
  };
}

/** Each person must be in at most this many of the counts. */
function prepareNames(scores: readonly Rational[], parameters: Parameters): Draw {
  const { monotone, ...rest } = parameters;
  const rows = namedCounts(scores);
  const chosen = { ...rest, neighbours: neighboursOf(monotone) };
  return (entropy) => {
    const { partitions, privacy } = selectPartitions(
      rows,
      options<SelectPartitionsOptions>({ ...chosen, entropy }),
    );
    return { outcome: { indices: partitions.map(({ candidate }) => Number(candidate)) }, privacy };
  };
}

/** A score is the number of values at its position, so an outcome is the positions of the quantiles. */
function prepareQuantiles(scores: readonly Rational[], parameters: Parameters): Draw {
  const { monotone, quantiles: list, ...rest } = parameters;
  const values = numbersOf(scores).map((count, position): [number, number | bigint] => [position, count]);
  const grid = { quantiles: sharesOf(list), lower: 0, upper: scores.length - 1, step: 1 };
  const chosen = { ...rest, ...grid, neighbours: neighboursOf(monotone) };
  return (entropy) => {
    const answer = quantiles(values, options<QuantilesOptions>({ ...chosen, entropy }));
    return { outcome: { indices: answer.values.map((value) => value.toNumber()) }, privacy: answer.privacy };
  };
}

/** A score is how many people an item has. */
function preparePartition(scores: readonly Rational[], parameters: Parameters): Draw {
  const { monotone, eta, maxItemsPerUser, epsilon } = parameters;
  const counts = numbersOf(scores);
  const base = eta === undefined ? undefined : readEta(eta);
  const chosen = { epsilon, eta: base, maxItemsPerUser, neighbours: neighboursOf(monotone) };
  return (entropy) => {
    const { frequencies, privacy } = integerPartition(
      counts,
      options<IntegerPartitionOptions>({ ...chosen, entropy }),
    );
    return { outcome: { indices: [], frequencies }, privacy };
  };
}

/** Counts are monotone if people are added or removed. */
function neighboursOf(monotone: boolean | undefined): "add-remove" | "replace" {
  return monotone ? "add-remove" : "replace";
}

/** Parameters as the options of a mechanism, which refuses invalid ones. */
function options<Options extends object>(parameters: object): Options {
  return parameters as Options;
}

/** Whole numbers as they are, others as the nearest double. */
function numbersOf(scores: readonly Rational[]): (number | bigint)[] {
  return scores.map((score) => {
    const number = score.toNumber();
    return score.isInteger() && !Number.isSafeInteger(number) ? score.numerator : number;
  });
}
