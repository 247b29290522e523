/**
 * A loss as people write it: "ε = 0.5", "ε = 1, δ = 0.000001", "ρ = 0.0338". A number that is long is shown to four digits,
 * rounded up for what was spent and down for what is left.
 * @module
 */
import { type Loss, Rational } from "winnow-dp";
import { type DecimalRounding, decimalText } from "./decimal-text.js";

export function readableLoss(loss: Loss, rounding: DecimalRounding = "up"): string {
  return sizesOf(loss)
    .map(([symbol, size]) => `${symbol} = ${size instanceof Rational ? decimalText(size, rounding) : "∞"}`)
    .join(", ");
}

function sizesOf(loss: Loss): readonly (readonly [symbol: string, size: Rational | number])[] {
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
      return [["order 2: ε", loss.curve.at(2n)], ...failure(loss.delta)];
  }
}

function failure(delta: Rational | undefined): [string, Rational][] {
  return delta === undefined ? [] : [["δ", delta]];
}
