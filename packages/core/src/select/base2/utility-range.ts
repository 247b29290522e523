/**
 * The public bounds of utilities.
 * @module
 */
import { invalidParameter } from "../../errors.js";

export interface UtilityBounds {
  /** Utilities below count as this. A safe integer or a bigint. */
  readonly utilityMin: number | bigint;
  /** Utilities above count as this. A safe integer or a bigint. */
  readonly utilityMax: number | bigint;
}

/** Integers lowest ≤ highest that no clamped utility leaves. */
export interface UtilityRange {
  readonly lowest: bigint;
  readonly highest: bigint;
}

export function utilityRange({ utilityMin, utilityMax }: UtilityBounds): UtilityRange {
  const lowest = integer(utilityMin, "utilityMin");
  const highest = integer(utilityMax, "utilityMax");
  if (lowest > highest) throw invalidParameter("utilityMax", "an integer >= utilityMin", utilityMax);
  return { lowest, highest };
}

function integer(value: number | bigint, field: string): bigint {
  if (typeof value !== "bigint" && !Number.isSafeInteger(value))
    throw invalidParameter(field, "an integer (a bigint above 2^53)", value);
  return BigInt(value);
}
