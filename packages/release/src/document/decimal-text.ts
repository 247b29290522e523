/**
 * A rational ≥ 0 as a short decimal: as it is where that is short, else to four significant digits, rounded up or down and
 * never to the nearest, so that the text can stand for a bound.
 * @module
 */
import { Rational } from "winnow-dp";

export type DecimalRounding = "up" | "down";

const DIGITS = 4;
const LONGEST_EXACT = 9;

export function decimalText(size: Rational, rounding: DecimalRounding): string {
  const exact = String(size);
  if (exact.length <= LONGEST_EXACT && !exact.includes("/")) return exact;
  return shortText(size, rounding);
}

/** digits·10^exponent with `DIGITS` digits. */
function shortText(size: Rational, rounding: DecimalRounding): string {
  let exponent = magnitude(size) - DIGITS + 1;
  const scaled = size.times(powerOfTen(-exponent));
  let digits = rounding === "up" ? scaled.ceil() : scaled.floor();
  if (digits === 10n ** BigInt(DIGITS)) [digits, exponent] = [digits / 10n, exponent + 1];
  const text = String(Rational.of(digits).times(powerOfTen(exponent)));
  return text.length <= LONGEST_EXACT ? text : scientific(digits, exponent);
}

/** 1.234e-9; zeros at the end are left out. */
function scientific(digits: bigint, exponent: number): string {
  const [first, ...rest] = String(digits);
  const places = rest.join("").replace(/0+$/, "");
  return `${first}${places && `.${places}`}e${exponent + DIGITS - 1}`;
}

/** The exponent of the first digit of a rational > 0. */
function magnitude(size: Rational): number {
  let exponent = String(size.numerator).length - String(size.denominator).length;
  if (size.compare(powerOfTen(exponent)) < 0) exponent--;
  return exponent;
}

function powerOfTen(exponent: number): Rational {
  const power = 10n ** BigInt(Math.abs(exponent));
  return exponent < 0 ? Rational.of(1n, power) : Rational.of(power);
}
