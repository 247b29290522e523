/**
 * The budget as people count it: how many more releases like this one.
 * @module
 */
import type { Cost } from "../../worker/api.js";
import { counted } from "../parts/numbers.js";

/** `about 7 more like this`, after so many that are to come. */
export function moreLikeThis(cost: Cost | undefined, after = 0): string {
  if (cost?.times === undefined) return "unknown";
  const times = cost.times - after;
  if (times <= 0) return "nothing more like this";
  return times === Number.POSITIVE_INFINITY
    ? "as many as you like"
    : `about ${counted(times, "more release", "more releases")} like this`;
}
