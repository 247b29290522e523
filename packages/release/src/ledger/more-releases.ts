/**
 * What is left of a budget, in words.
 * @module
 */

/** "about 7 more releases like this"; undefined times (no budget) has no words. */
export function moreReleases(times: number, like = "this"): string {
  if (times === 0) return `no more release like ${like}`;
  if (times === Infinity) return `any number of releases like ${like}`;
  return `about ${times} more release${times === 1 ? "" : "s"} like ${like}`;
}
