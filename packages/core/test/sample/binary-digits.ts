/**
 * Uniforms that come as close to a threshold as a test likes. A lazily revealed U is compared with irrational
 * numbers; here are the digits of such a number, from an independent decimal implementation, and the digits of a U
 * that equals it for hundreds of places and then is above or below.
 * @module
 */
import { Decimal } from "decimal.js";

/** 250 significant decimal digits, more than 800 binary ones. */
export const Real = Decimal.clone({ precision: 250, toExpNeg: -1e9, toExpPos: 1e9 });
export type Real = Decimal;

/** A rational or decimal text as a real number. */
export function real(value: string): Real {
  const [numerator, denominator = "1"] = value.split("/");
  return new Real(numerator).div(denominator);
}

const DIGITS = 800;

/** The first binary digits after the point of a number in [0, 1). */
export function binaryDigits(x: Real): string {
  const scaled = x.times(new Real(2).pow(DIGITS)).floor();
  return BigInt(scaled.toFixed()).toString(2).padStart(DIGITS, "0");
}

/** Digits of a U just above x: those of x up to the first 0 from place `from` on, which becomes a 1. */
export function digitsAbove(digitsOfX: string, from: number): string {
  return flipped(digitsOfX, "0", from);
}

/** Digits of a U just below x: those of x up to the first 1 from place `from` on, which becomes a 0. */
export function digitsBelow(digitsOfX: string, from: number): string {
  return flipped(digitsOfX, "1", from);
}

/** After the flipped digit there are zeros, enough for any word size and whatever else is drawn. */
function flipped(digits: string, digit: "0" | "1", from: number): string {
  const place = digits.indexOf(digit, from);
  return digits.slice(0, place) + (digit === "0" ? "1" : "0") + "0".repeat(2 * DIGITS - place);
}

/** The bits of a word stream for a `StripSampler`: the digits of U with the sign as last bit of the first word. */
export function withSign(digits: string, sign: "0" | "1", wordBits: number): string {
  return digits.slice(0, wordBits - 1) + sign + digits.slice(wordBits - 1);
}
