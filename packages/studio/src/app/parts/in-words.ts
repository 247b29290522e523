/**
 * ε and δ in plain words, for somebody who meets them for the first time.
 * @module
 */
import { atMost, whole } from "./numbers.js";

const STRENGTHS: readonly (readonly [upTo: number, name: string])[] = [
  [0.1, "Very strong."],
  [1, "Strong."],
  [3, "Moderate."],
  [6, "Weak."],
  [Number.POSITIVE_INFINITY, "Very weak: little is promised."],
];

/** The reciprocal of 1e-5 comes out a hair below 100,000. */
const A_HAIR_MORE = 1 + 4 * Number.EPSILON;

/** `what` is promised: "the release", or "all releases together". */
export function epsilonInWords(epsilon: number | undefined, what: string): string {
  if (epsilon === undefined) return "Nothing can be promised without a number.";
  const strength = STRENGTHS.find(([upTo]) => epsilon <= upTo)?.[1];
  return `${strength} Whatever somebody knows already, ${what} can change the odds that any one person is in the data by a factor of at most ${atMost(Math.exp(epsilon))}.`;
}

export function deltaInWords(delta: number | undefined): string {
  if (delta === undefined || delta >= 1) return "A chance is a number between zero and one.";
  return `A chance of at most 1 in ${whole(Math.floor((1 / delta) * A_HAIR_MORE))} that the promise above does not hold. Keep it far below one over the number of people.`;
}
