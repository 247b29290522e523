/**
 * A loss as people write it: "ε = 0.5", "ε = 1, δ = 0.000001", "ρ = 0.0338". A number that is long is shown to four digits,
 * rounded up for what was spent and down for what is left.
 * @module
 */
import { type Extended, isBounded, type Loss, type LossLike, Rational, readLoss } from "winnow-dp";
import { type DecimalRounding, decimalText } from "./decimal-text.js";

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

/** What is left of a curve is a promise at the orders of the budget only. */
function atLeastZero(size: Rational): Rational {
  return size.numerator < 0n ? Rational.ZERO : size;
}

function failure(delta: Rational | undefined): readonly Size[] {
  return delta === undefined ? [] : [["δ", delta]];
}
