/**
 * The public bounds of utilities, read and as integers.
 * @module
 */

import { invalidParameter } from "../errors.js";
import { bigInteger } from "../options.js";

export interface UtilityBounds {
  /** Utilities below count as this. A safe integer or a bigint. */
  readonly lower: number | bigint;
  /** Utilities above count as this. A safe integer or a bigint. */
  readonly upper: number | bigint;
}

/** Integers lowest ≤ highest that no clamped utility leaves. */
export interface UtilityRange {
  readonly lowest: bigint;
  readonly highest: bigint;
}

export function utilityRange({ lower, upper }: UtilityBounds): UtilityRange {
  const [lowest, highest] = [lower, upper].map(BigInt);
  if (lowest > highest) throw invalidParameter("upper", "an integer >= lower", upper);
  return { lowest, highest };
}

function anyInteger(field: string, value: number | bigint): bigint {
  return bigInteger(field, value, -Infinity);
}

/** The readers of the bounds. */
export const BOUNDS = { lower: anyInteger, upper: anyInteger };
