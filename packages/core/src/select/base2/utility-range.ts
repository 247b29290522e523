/**
 * The public bounds of utilities.
 * @module
 */
import { invalidParameter } from "../../errors.js";
import { bigInteger } from "../../validate.js";

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
  const [lowest, highest] = [utilityMin, utilityMax].map(BigInt);
  if (lowest > highest) throw invalidParameter("utilityMax", "an integer >= utilityMin", utilityMax);
  return { lowest, highest };
}

function anyInteger(field: string, value: number | bigint): bigint {
  return bigInteger(field, value, -Infinity);
}

/** The readers of the bounds. */
export const BOUNDS = { utilityMin: anyInteger, utilityMax: anyInteger };
