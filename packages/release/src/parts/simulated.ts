/**
 * What mechanisms share when they run on public scores with the library's own options (`winnow simulate`): the options as they
 * were typed, outcomes that can be counted, and how the options become those of the library, which refuses invalid ones.
 *
 * Outcomes are positions in the list of scores, so that their frequencies can be compared with an exact distribution.
 * @module
 */
import {
  type Base2Parameter,
  type Entropy,
  eta,
  invalidParameter,
  type Loss,
  type Rational,
  type Winner,
} from "winnow-dp";
import { flagOf, OPTIONS, type OptionName } from "../ask/options.js";
import { Refusal } from "../refusal/refusal.js";

/**
 * A mechanism of the library, ready for public scores.
 *
 * @inline
 */
export interface Simulated {
  /** Options that it takes. Any other is refused: Winnow must sample the law that was asked for. */
  readonly takes: readonly OptionName[];
  prepare(scores: readonly Rational[], parameters: Parameters): Draw;
}

/** One run. */
export type Draw = (entropy: Entropy) => { readonly outcome: Outcome; readonly privacy: Loss };

/** What one simulated run gave. */
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

type Texts =
  | ("epsilon" | "rho" | "scale" | "variance" | "eta" | "delta" | "resolution" | "quantiles" | "sensitivity")
  | ("range" | "step" | "chooseScale" | "testVariance" | "roundsScale" | "regulariser" | "penalty");
type Numbers = "k" | "maxK" | "maxCandidates" | "maxItemsPerUser" | "gapCap";

/** By the names of the table of options; numbers that belong to a guarantee are text. */
export type Parameters = { readonly [Name in Texts]?: string } & { readonly [Name in Numbers]?: number } & {
  readonly noise?: "exponential" | "gumbel" | "laplace" | "gaussian";
  readonly method?: "one-shot" | "peel";
  readonly thresholdRule?: "smallest" | "closed-form";
  readonly monotone?: boolean;
  readonly negate?: boolean;
};

/** The options of scores that one individual changes. */
export const OF_SCORES = ["sensitivity", "monotone"] as const satisfies readonly OptionName[];

export function single({
  candidate,
  privacy,
}: {
  readonly candidate: number;
  readonly privacy: Loss;
}): ReturnType<Draw> {
  return { outcome: { indices: [candidate] }, privacy };
}

export function ranked({
  winners,
  privacy,
}: {
  readonly winners: readonly Winner[];
  readonly privacy: Loss;
}): ReturnType<Draw> {
  const gaps = winners.flatMap(({ gap }) => (gap === undefined ? [] : [String(gap)]));
  const indices = winners.map(({ candidate }) => candidate);
  return { outcome: { indices, ...(gaps.length > 0 && { gaps }) }, privacy };
}

/** Whole numbers as they are, others as the nearest double. */
export function numbersOf(scores: readonly Rational[]): (number | bigint)[] {
  return scores.map((score) => {
    const number = score.toNumber();
    return score.isInteger() && !Number.isSafeInteger(number) ? score.numerator : number;
  });
}

/** Names are the positions, padded to the same number of digits, so that their bytes sort like the scores. */
export function namedCounts(scores: readonly Rational[]): [string, number | bigint][] {
  const digits = String(scores.length).length;
  return numbersOf(scores).map((count, index) => [String(index).padStart(digits, "0"), count]);
}

/** Counts are monotone if people are added or removed. */
export function neighboursOf({
  monotone,
}: {
  readonly monotone?: boolean | undefined;
}): "add-remove" | "replace" {
  return monotone ? "add-remove" : "replace";
}

/** Default: the number of scores minus one, because the last has no lead. */
export function largestK({ maxK }: Parameters, { length }: readonly unknown[]): number {
  return maxK ?? Math.max(1, length - 1);
}

/** Parameters as the options of a mechanism, which refuses invalid ones. */
export function asOptions<Options extends object>(parameters: object): Options {
  return parameters as Options;
}

const THREE_INTEGERS = /^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*$/;

/** η from "x,y,z": weights in powers of (x/2^y)^z. */
export function readEta(text: string | undefined): Base2Parameter | undefined {
  if (text === undefined) return undefined;
  const [, ...integers] = THREE_INTEGERS.exec(text) ?? [];
  if (integers.length === 0) throw invalidParameter("eta", "three integers x,y,z", text);
  const [x, y, z] = integers.map(BigInt);
  return eta(x, y, z);
}

/** How much one individual can change a count, which is a whole number. */
export function readWholeSensitivity({ sensitivity: text }: Parameters): number | undefined {
  if (text === undefined) return undefined;
  const sensitivity = Number(text);
  if (!Number.isSafeInteger(sensitivity) || sensitivity < 1)
    throw invalidParameter("sensitivity", "an integer >= 1, for counts", text);
  return sensitivity;
}

/** The terms r(1), r(2), … from "0,1/2,-3". */
export function readTerms({ regulariser }: Parameters): string[] | undefined {
  return regulariser?.split(",").map((part) => part.trim());
}

/** Options that don't go together, or are missing. */
export function unusable(sentence: string): Refusal {
  return new Refusal("usage", sentence);
}

/** As they are typed: "--epsilon and --rho". */
export function flags(...names: readonly OptionName[]): string[] {
  return names.map((name) => flagOf(OPTIONS[name]));
}
