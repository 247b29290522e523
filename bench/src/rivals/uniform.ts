/**
 * Uniform doubles as float code draws them, from the same pooled cryptographic words that Winnow uses.
 *
 * With 53 bits (two words) as textbooks and standard libraries do, or with 32 bits (one word) as code does
 * that would rather be quick: its smallest number is 2⁻³², so its noise ends at 22 times the scale.
 * @module
 */
import type { Entropy } from "winnow-dp";

const TWO_TO_26 = 67_108_864;
const ULP_31 = 1 / 2_147_483_648;
const ULP_32 = ULP_31 / 2;
const ULP_53 = ULP_32 / 2_097_152;

/** 53 bits in [0, 1). */
export function uniform53(entropy: Entropy): number {
  return ((entropy.word() >>> 5) * TWO_TO_26 + (entropy.word() >>> 6)) * ULP_53;
}

/** 53 bits in (0, 1], where a logarithm is finite. */
export function positiveUniform53(entropy: Entropy): number {
  return positive53(entropy.word(), entropy.word());
}

/** The first 27 bits of `high` and the first 26 bits of `low`, in (0, 1]. */
export function positive53(high: number, low: number): number {
  return ((high >>> 5) * TWO_TO_26 + (low >>> 6) + 1) * ULP_53;
}

/** 32 bits in [0, 1). */
export function uniform32(entropy: Entropy): number {
  return entropy.word() * ULP_32;
}

/** 32 bits in (0, 1]. */
export function positiveUniform32(entropy: Entropy): number {
  return (entropy.word() + 1) * ULP_32;
}

/** The first 31 bits of `word`, in (0, 1]. */
export function positive31(word: number): number {
  return ((word >>> 1) + 1) * ULP_31;
}
