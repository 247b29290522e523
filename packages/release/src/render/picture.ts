/**
 * Choices for the picture of a release, made by anyone who prints it: names from a public file of labels, what items and people
 * are called, which intervals are drawn, and whether the data set is named. All of it follows from the release and from public
 * texts, so it costs nothing.
 *
 * A count is drawn as `count_fitted`: made to fall in the order of the list, which is nearer to the truth on average; as a whole
 * number, never below 0 and never outside its own interval. The exact released count stays in CSV and JSON.
 *
 * Intervals are of each count on its own, or of all at once: of ten intervals that each hold 95 times out of 100, all ten hold
 * only about 63 times. Those of all at once are wider.
 * @module
 */
import { rational } from "winnow-dp";
import type { Nouns } from "../question/labels.js";
import type { AnswerRow } from "./answer-rows.js";

/**
 * Title, words and labels of a picture.
 *
 * @inline
 */
export interface PictureOptions {
  /** What to call the items, from a public file; the others keep their names. */
  readonly labels?: ReadonlyMap<string, string> | undefined;
  readonly nouns?: Nouns | undefined;
  /** Default: of each count on its own. */
  readonly intervals?: "each" | "all" | undefined;
}

/** A count as a number for readers; undefined where there are no counts. */
export function shownCount({ count, fitted }: AnswerRow): number | undefined {
  if (count === undefined) return undefined;
  const size = Math.round(rational(fitted ?? count.value).toNumber());
  const [low, high] = [count.low, count.high].map((end) => (end === undefined ? size : Number(end)));
  return Math.max(0, low!, Math.min(size, high!));
}

/** The ends of the interval of a count, as they were chosen; empty without such intervals. */
export function intervalOf(
  { count, all }: AnswerRow,
  { intervals = "each" }: Pick<PictureOptions, "intervals"> = {},
): { readonly low?: number; readonly high?: number } {
  const { low, high } = (intervals === "all" ? all : count) ?? {};
  return low === undefined || high === undefined ? {} : { low: Number(low), high: Number(high) };
}

/** "95 % intervals" in a sentence under the picture. */
export function intervalsInWords({ intervals = "each" }: Pick<PictureOptions, "intervals">): string {
  return intervals === "each"
    ? "Lines are 95 % intervals, each on its own"
    : "Lines are intervals that all hold at once, 95 times out of 100";
}
