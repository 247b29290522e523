/**
 * A privacy loss as text: exact JSON for programs, a few digits for people.
 *
 * In JSON every number is the text of a fraction, such as "1/3", or "Infinity" where nothing is promised, so nothing
 * is rounded on the way. A Rényi loss is a function rather than a number and can't be written down; no release has
 * one.
 *
 * For people a loss reads "ε = 0.5", "ε = 1, δ = 0.000001" or "ρ = 0.0338". Long numbers are cut to four significant
 * digits: rounded up for a loss that was spent, down for the budget that remains, and never to the nearest, so that
 * the text is a valid bound.
 * @module
 */
import { type Extended, isBounded, type Loss, type LossLike, Rational, readLoss } from "winnow-dp";

/** `orders` are those at which a Rényi curve is shown. */
export function readableLoss(
  loss: LossLike,
  rounding: DecimalRounding = "up",
  orders: readonly Rational[] = [Rational.of(2n)],
): string {
  return sizesOf(readLoss(loss), rounding, orders)
    .map(([symbol, size]) => `${symbol} = ${isBounded(size) ? decimalText(size, rounding) : "∞"}`)
    .join(", ");
}

type Size = readonly [symbol: string, size: Extended];

function sizesOf(loss: Loss, rounding: DecimalRounding, orders: readonly Rational[]): readonly Size[] {
  switch (loss.measure) {
    case "pure":
      return [["ε", loss.epsilon]];
    case "base2":
      return [["η", loss.eta]];
    case "approx":
      return [
        ["ε", loss.epsilon],
        ["δ", loss.delta],
      ];
    case "zcdp":
      return [["ρ", loss.rho], ...failure(loss.delta)];
    default:
      return [
        ...orders.map((order): Size => [`ε(${order})`, atLeastZero(loss.curve.at(order, rounding))]),
        ...failure(loss.delta),
      ];
  }
}

/** The remainder of a curve is a promise at the orders of the budget only. */
function atLeastZero(size: Rational): Rational {
  return size.numerator < 0n ? Rational.ZERO : size;
}

function failure(delta: Rational | undefined): readonly Size[] {
  return delta === undefined ? [] : [["δ", delta]];
}

type DecimalRounding = "up" | "down";

const DIGITS = 4;
const LONGEST_EXACT = 9;

/** A number as a short decimal, rounded in a stated direction. */
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
