/**
 * The exact laws and numbers of ../vectors-sets.json, typed. The file's `schema` says what each section is.
 * @module
 */
import { rational } from "../../src/exact/rational.js";
import vectors from "../vectors-sets.json" with { type: "json" };
import type { Law } from "./law.js";

export { vectors };

/** A law by sets such as `"0,2"`. */
export function lawOfSets(
  outcomes: readonly { readonly set: readonly number[]; readonly prob: string }[],
): Law {
  return Object.fromEntries(outcomes.map(({ set, prob }) => [String(set), prob]));
}

/** Scores as a caller would pass them: decimals of `"7/2"`. */
export function scoresOf(counts: readonly (string | number)[]): number[] {
  return counts.map((count) => rational(count).toNumber());
}
