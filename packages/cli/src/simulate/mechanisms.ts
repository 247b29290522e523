/**
 * The mechanisms of the library by name, as functions that can be run many times on public scores. What comes out is told in
 * positions of the scores, so that frequencies can be compared with a law.
 * @module
 */
import {
  base2Exponential,
  type Entropy,
  type Loss,
  largestGap,
  makeNoisyTopK,
  makeStableTopK,
  makeStableTopKFixed,
  permuteAndFlip,
  type Rational,
  reportNoisyMax,
  stableTopK,
  stableTopKFixed,
  topK,
  topKWithGap,
  type Winner,
  zcdp,
} from "winnow-dp";
import { type Parameters, readEta, readTerms } from "./parameters.js";

export interface Outcome {
  /** Best first, or ascending where the order says nothing. */
  readonly indices: readonly number[];
  readonly gaps?: readonly string[];
  /** Of the mechanisms that may refuse to answer. */
  readonly released?: boolean;
  /** Of those that choose it. */
  readonly k?: number;
}

export interface Run {
  readonly outcome: Outcome;
  readonly privacy: Loss;
}

type Mechanism = (scores: readonly Rational[], parameters: Parameters, entropy: Entropy) => Run;

export const MECHANISMS = {
  "permute-and-flip": (scores, options, entropy) =>
    single(permuteAndFlip(numbers(scores), { ...options, entropy })),
  "report-noisy-max": (scores, { noise = "gumbel", ...options }, entropy) =>
    single(reportNoisyMax(numbers(scores), { ...options, noise, entropy })),
  "base2-exponential": (scores, options, entropy) => single(drawBase2(scores, options, entropy)),
  "top-k": (scores, options, entropy) =>
    options.noise === "gumbel" && options.scale !== undefined
      ? gumbelTopK(scores, options, entropy)
      : winnersOf(topK(numbers(scores), { ...options, k: options.k ?? 1, entropy })),
  "top-k-with-gap": (scores, options, entropy) =>
    winnersOf(topKWithGap(numbers(scores), { ...options, k: options.k ?? 1, entropy })),
  "largest-gap": (scores, options, entropy) => {
    const { k, privacy } = largestGap(numbers(scores), { ...stable(options, scores.length), entropy });
    return { outcome: { indices: [], k }, privacy };
  },
  "stable-top-k": drawStable,
  "stable-top-k-fixed": drawStableFixed,
} as const satisfies Readonly<Record<string, Mechanism>>;

export type SimulatedName = keyof typeof MECHANISMS;

/** A mechanism by its name, ready to run. */
export function mechanismOf(name: SimulatedName): Mechanism {
  return MECHANISMS[name];
}

function single({ index, privacy }: { index: number; privacy: Loss }): Run {
  return { outcome: { indices: [index] }, privacy };
}

function winnersOf({ winners, privacy }: { winners: readonly Winner[]; privacy: Loss }): Run {
  const gaps = winners.flatMap(({ gap }) => (gap === undefined ? [] : [String(gap)]));
  const indices = winners.map(({ index }) => index);
  return { outcome: { indices, ...(gaps.length > 0 && { gaps }) }, privacy };
}

/** The exponential mechanism, k times, with noise of a given scale. */
function gumbelTopK(scores: readonly Rational[], options: Parameters, entropy: Entropy): Run {
  const { k = 1, scale = "1", monotone, negate, sensitivity = 1n } = options;
  const measurement = makeNoisyTopK({ k, measure: "zcdp", scale, monotone, negate });
  const { winners } = measurement.invoke(numbers(scores), entropy);
  return winnersOf({ winners, privacy: zcdp(measurement.map(sensitivity)) });
}

function drawBase2(scores: readonly Rational[], options: Parameters, entropy: Entropy) {
  const { eta, epsilon, sensitivity, monotone, negate = false } = options;
  const utilities = negate ? scores : scores.map((score) => score.negated());
  const [least, most] = boundsOf(utilities);
  return base2Exponential(utilities, (utility) => utility, {
    ...(eta !== undefined && { eta: readEta(eta) }),
    ...(epsilon !== undefined && { epsilon }),
    ...(sensitivity !== undefined && { sensitivity }),
    ...(monotone !== undefined && { monotone }),
    utilityMin: options.utilityMin ?? least,
    utilityMax: options.utilityMax ?? most,
    maxOutcomes: scores.length,
    entropy,
  });
}

/** The integers around all utilities. */
function boundsOf(utilities: readonly Rational[]): [bigint, bigint] {
  const floors = utilities.map((utility) => utility.floor());
  const least = floors.reduce((a, b) => (a < b ? a : b));
  const most = floors.reduce((a, b) => (a > b ? a : b));
  return [least, most + 1n];
}

function drawStable(scores: readonly Rational[], options: Parameters, entropy: Entropy): Run {
  const {
    maxK,
    regulariser,
    chooseScale,
    testVariance,
    delta = "",
    ...rest
  } = stable(options, scores.length);
  const counts = numbers(scores);
  if (chooseScale === undefined || testVariance === undefined)
    return told(stableTopK(counts, { ...rest, maxK, regulariser, delta, entropy }));
  const measurement = makeStableTopK({
    ...rest,
    maxK,
    regulariser,
    delta,
    choose: { noise: rest.noise ?? "gumbel", scale: chooseScale },
    test: { variance: testVariance },
  });
  return told({ ...measurement.invoke(counts, entropy), privacy: measurement.zcdp });
}

function drawStableFixed(scores: readonly Rational[], options: Parameters, entropy: Entropy): Run {
  const { chooseScale, testVariance, roundsScale, delta = "", cap, k = 1, ...rest } = options;
  const counts = numbers(scores);
  const { maxK, noise, threshold, monotone, penalty, epsilon, rho } = rest;
  const sensitivity = rest.sensitivity === undefined ? undefined : Number(rest.sensitivity);
  const shared = {
    ...{ k, maxK, delta, noise, threshold, sensitivity, monotone, penalty, epsilon, rho },
    domain: "public" as const,
    cap: cap === 0 ? Infinity : cap,
  };
  if (chooseScale === undefined || testVariance === undefined || roundsScale === undefined) {
    const { indices, privacy } = stableTopKFixed(counts, { ...shared, entropy });
    return { outcome: { indices }, privacy };
  }
  const measurement = makeStableTopKFixed({
    ...shared,
    choose: { noise: rest.noise ?? "gumbel", scale: chooseScale },
    test: { variance: testVariance },
    rounds: { scale: roundsScale },
  });
  return { outcome: { indices: measurement.invoke(counts, entropy).indices }, privacy: measurement.zcdp };
}

/** Default: as many as there are scores, less the last, which has no gap after it. */
function stable({ regulariser, maxK, sensitivity, ...options }: Parameters, length: number) {
  return {
    ...options,
    maxK: maxK ?? Math.max(1, length - 1),
    sensitivity: sensitivity === undefined ? undefined : Number(sensitivity), // counts move by whole numbers
    regulariser: readTerms(regulariser),
  };
}

function told(
  release: { k: number; privacy: Loss } & (
    | { released: true; indices: readonly number[] }
    | { released: false }
  ),
): Run {
  const { released, k, privacy } = release;
  return { outcome: { indices: release.released ? release.indices : [], released, k }, privacy };
}

/** Whole numbers as they are, others as the nearest double. */
function numbers(scores: readonly Rational[]): (number | bigint)[] {
  return scores.map((score) => {
    const number = score.toNumber();
    return score.isInteger() && !Number.isSafeInteger(number) ? score.numerator : number;
  });
}
