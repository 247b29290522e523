/**
 * Numbers as people read them, ε and δ in plain words for someone who meets them for the first time, and the budget as
 * people count it. Nothing here decides anything: questions and charges keep the text that was typed.
 * @module
 */
import { rational } from "winnow-dp";
import { strengthOf } from "winnow-release";
import type { Cost } from "../../worker/api.js";

const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const SHORT = { maximumSignificantDigits: 3 } as const;
const NEAREST = new Intl.NumberFormat("en", SHORT);
const UPWARD = new Intl.NumberFormat("en", { ...SHORT, roundingMode: "ceil" });
const DOWNWARD = new Intl.NumberFormat("en", { ...SHORT, roundingMode: "floor" });

export const whole = (value: number): string => WHOLE.format(value);
export const short = (value: number): string => NEAREST.format(value);
/** For "at most": never below the value. */
export const atMost = (value: number): string => UPWARD.format(value);
/** For "at least": never above the value. */
export const atLeast = (value: number): string => DOWNWARD.format(value);
/** `26 %`, with a space that does not break. */
export const percent = (share: number, decimals = 0): string => `${(100 * share).toFixed(decimals)}\u{a0}%`;

const SIZES = ["bytes", "kB", "MB", "GB"];

export function bytes(count: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(count, 1)) / 3), SIZES.length - 1);
  return `${short(count / 1000 ** power)} ${SIZES[power]}`;
}

/** The number that was typed, approximately: `1/3`, `0.1` or `1e-6`; undefined if it isn't a number above zero. */
export function about(text: string): number | undefined {
  const [numerator, denominator = "1", ...more] = text.split("/").map((part) => part.trim());
  const value = Number(numerator) / Number(denominator);
  return more.length === 0 && numerator !== "" && Number.isFinite(value) && value > 0 ? value : undefined;
}

/** One thing or several: `1 person`, `2 people`. */
export function counted(count: number, one: string, many: string): string {
  return `${whole(count)} ${count === 1 ? one : many}`;
}

/** The reciprocal of 1e-5 comes out a hair below 100,000. */
const A_HAIR_MORE = 1 + 4 * Number.EPSILON;

/** `what` is the subject: "the release", or "all releases together". */
export function epsilonInWords(epsilon: number | undefined, what: string): string {
  if (epsilon === undefined) return "Enter a number greater than 0.";
  const strength = strengthOf(rational(epsilon));
  const name = `${strength.slice(0, 1).toUpperCase()}${strength.slice(1)}`;
  return `${name}. Whatever someone already knows, ${what} can change the odds that any one person is in the data by a factor of at most ${factorInWords(epsilon)}.`;
}

/** Beyond a million the number itself says nothing. */
function factorInWords(epsilon: number): string {
  const factor = Math.exp(epsilon);
  return factor <= 1e6 ? atMost(factor) : `10^${Math.ceil(epsilon / Math.LN10)}`;
}

export function deltaInWords(delta: number | undefined): string {
  if (delta === undefined || delta >= 1) return "Enter a number between 0 and 1.";
  const odds = Math.floor((1 / delta) * A_HAIR_MORE);
  const number = odds < 1e15 ? whole(odds) : `10^${Math.floor(Math.log10(odds))}`;
  return `The promise holds except with a chance of at most 1 in ${number}. Keep it far below one over the number of people.`;
}

/** `about 7 more like this`, after `after` planned ones. */
export function moreLikeThis(cost: Cost | undefined, after = 0): string {
  if (cost?.times === undefined) return "unknown";
  const times = cost.times - after;
  if (times <= 0) return "nothing more like this";
  return times === Number.POSITIVE_INFINITY
    ? "as many as you like"
    : `about ${counted(times, "more release", "more releases")} like this`;
}

/** What the library says of a wrong value, as a sentence. */
export function sentenceOf({ message }: { readonly message: string }): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
