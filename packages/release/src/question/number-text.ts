/**
 * A value is a text that someone wrote. It counts if it is a decimal number, such as 12, -0.5 or 1e3, with at most 40 digits on
 * either side of the point; every engine filters by the same pattern. All else (NaN, infinities, words) is skipped before
 * a person's values are chosen.
 * @module
 */
import { type Rational, rational } from "winnow-dp";

/** A regular expression in the common part of JavaScript, RE2 and PostgreSQL, without a backslash. */
export const NUMBER_PATTERN = "^[+-]?([0-9]{1,40}([.][0-9]{0,40})?|[.][0-9]{1,40})([eE][+-]?[0-9]{1,3})?$";

const NUMBER = new RegExp(NUMBER_PATTERN);
/** Doubles distinguish decimals with up to this many digits, if they aren't near the ends of the doubles. */
const DOUBLE_DIGITS = 15;
const DOUBLE_EXPONENT = 250;

/** The number that the text says, exactly; undefined if it isn't one. */
export function parseNumber(text: string): number | Rational | undefined {
  if (!NUMBER.test(text)) return undefined;
  const [digits, exponent = "0"] = text.toLowerCase().split("e");
  const isShort = digits.length <= DOUBLE_DIGITS && Math.abs(Number(exponent)) <= DOUBLE_EXPONENT;
  return isShort ? Number(text) : rational(text);
}
