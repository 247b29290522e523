/**
 * Lists and ranges as a person types them: "0.5,0.9" and "0..10000".
 * @module
 */
import { invalidParameter } from "winnow-dp";
import type { GridInput } from "./grid.js";

const RANGE = /^(.+?)\.\.(.+)$/;

/** The public grid. */
export function typedGrid({
  range,
  step,
}: {
  readonly range?: string | undefined;
  readonly step?: string | undefined;
}): GridInput {
  if (range === undefined)
    throw invalidParameter(
      "range",
      "given, such as 0..10000; it is public, so it must not be taken from the rows",
    );
  const [, lower, upper] = RANGE.exec(range) ?? [];
  if (lower === undefined || upper === undefined)
    throw invalidParameter("range", "two ends, such as 0..10000", range);
  return { kind: "grid", lower: lower.trim(), upper: upper.trim(), step };
}

/** The shares in a list, as typed. */
export function typedShares(list: string | undefined): string[] {
  const shares = list?.split(",").map((share) => share.trim()) ?? [];
  if (shares.length > 0 && shares.every((share) => share !== "")) return shares;
  throw invalidParameter("quantiles", "a list of shares, such as 0.5 for the median or 0.5,0.9", list);
}
