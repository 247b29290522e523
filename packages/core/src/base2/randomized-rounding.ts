/**
 * Randomized rounding: an integer next to a number, with that number as its mean. ⌈u⌉ with probability u − ⌊u⌋ and
 * else ⌊u⌋, exactly, also below zero; an integer stays what it is. What moves by at most α, an integer, moves by at
 * most α after rounding with the same coins, so the mechanism may round the utilities it is given.
 *
 * [Ilv20, Mechanism 4] prints the two probabilities exchanged; then utilities that differ by 0.002 are rounded to
 * integers that differ by 2. Cost: one word for each fraction. Proof: randomized-rounding.proof.md.
 * @module
 */
import type { Entropy } from "../entropy.js";
import { TWO_TO } from "../exact/integers.js";
import { type Rational, rational } from "../exact/rational.js";
import { drawBernoulli } from "../sample/bernoulli.js";
import { PartialUniform } from "../sample/partial-uniform.js";

/** 2^−51: a double is at most 2^−53 of itself away from the decimal that it prints as, and its sums are as exact. */
const DECIMAL_ERROR = 1 / 0x8_0000_0000_0000;

/** A number of magnitude up to 2^53, read as the decimal that it prints as, rounded. */
export function drawRounded(value: number, entropy: Entropy): number {
  if (Math.floor(value) === value) return value;
  // The mirror image has the same law, and the fraction of a positive number is an exact difference.
  return value < 0 ? -drawRoundedMagnitude(-value, entropy) : drawRoundedMagnitude(value, entropy);
}

function drawRoundedMagnitude(value: number, entropy: Entropy): number {
  const floor = Math.floor(value);
  const scale = TWO_TO[entropy.wordBits];
  const threshold = (value - floor) * scale;
  const error = value * scale * DECIMAL_ERROR;
  const word = entropy.word();
  if (word + 1 <= threshold - error) return floor + 1;
  if (word >= threshold + error) return floor;
  return roundedBy(word, value, floor, entropy);
}

/** Rounds the same way, with a word for an integer too and without a branch on the word drawn: as much work whatever the value is. */
export function drawRoundedEvenly(value: number, entropy: Entropy): number {
  const magnitude = Math.abs(value);
  const floor = Math.floor(magnitude);
  const scale = TWO_TO[entropy.wordBits];
  const threshold = (magnitude - floor) * scale;
  const error = magnitude * scale * DECIMAL_ERROR;
  const word = entropy.word();
  const isUp = Number(word + 1 <= threshold - error);
  const isDown = Number(word >= threshold + error);
  const isClear = isUp + isDown === 1; // nearly always
  return Math.sign(value) * (isClear ? floor + isUp : roundedBy(word, magnitude, floor, entropy));
}

/** Exactly, where a word alone cannot tell. */
function roundedBy(word: number, value: number, floor: number, entropy: Entropy): number {
  const fraction = rational(value).minus(BigInt(floor));
  return isBelow(new PartialUniform(entropy, BigInt(word), entropy.wordBits), fraction) ? floor + 1 : floor;
}

/** Whether U < p, revealing as much of U as that takes. */
function isBelow(u: PartialUniform, { numerator, denominator }: Rational): boolean {
  for (;;) {
    const threshold = numerator << BigInt(u.bits);
    if ((u.numerator + 1n) * denominator <= threshold) return true;
    if (u.numerator * denominator >= threshold) return false;
    u.reveal();
  }
}

/** Any rational, rounded. */
export function drawRoundedRational(value: Rational, entropy: Entropy): bigint {
  const floor = value.floor();
  const { numerator, denominator } = value.minus(floor);
  return drawBernoulli(numerator, denominator, entropy) ? floor + 1n : floor;
}
