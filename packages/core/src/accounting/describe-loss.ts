/**
 * A loss in words: `rho = 0.1, delta = 0.000001`. Long fractions are shown as decimals, rounded up for a loss and
 * down for what is left.
 * @module
 */

import type { Direction, Rational } from "../exact/rational.js";
import { arrayLike, oneOf, readOptions } from "../options.js";
import { type Extended, isBounded } from "./extended.js";
import type { Loss } from "./loss.js";
import { type LossLike, readLoss } from "./loss-json.js";

/**
 * How a loss is put into words.
 *
 * @inline
 */
export interface DescribeOptions {
  /** Which way long fractions are rounded: up for a loss, down for what is left. Default up. */
  readonly rounding?: Direction | undefined;
  /** The orders at which a Rényi curve is shown. */
  readonly orders?: readonly Rational[] | undefined;
}

const DESCRIPTION = { rounding: oneOf("up", "down"), orders: arrayLike };

const LONGEST_EXACT = 20;

/**
 * A loss in words, such as `rho = 0.1, delta = 0.000001`; long fractions as decimals.
 *
 * @param loss The loss, in any measure.
 * @param options How it is rounded, and at which orders a Rényi curve is shown.
 *
 * @example
 * ```ts
 * import { approx, describeLoss } from "winnow-dp";
 *
 * describeLoss(approx("1/2", "1e-6")); // → "epsilon = 0.5, delta = 0.000001"
 * ```
 */
export function describeLoss(loss: LossLike, options: DescribeOptions = {}): string {
  const { rounding = "up", orders = [] } = readOptions(options, {}, DESCRIPTION);
  const parts = sizesOf(readLoss(loss), rounding, orders).map(
    ([name, size]) => `${name} = ${describe(size, rounding)}`,
  );
  return parts.join(", ");
}

function sizesOf(
  loss: Loss,
  rounding: Direction,
  orders: readonly Rational[],
): [name: string, size: Extended][] {
  const failure: [string, Extended][] = "delta" in loss && loss.delta ? [["delta", loss.delta]] : [];
  switch (loss.measure) {
    case "base2":
      return [["eta", loss.eta]];
    case "zcdp":
      return [["rho", loss.rho], ...failure];
    case "renyi":
      return [
        ...orders.map((order): [string, Extended] => [`epsilon(${order})`, loss.curve.at(order, rounding)]),
        ...failure,
      ];
    default:
      return [["epsilon", loss.epsilon], ...failure];
  }
}

function describe(size: Extended, rounding: Direction): string {
  const exact = String(size);
  return isBounded(size) && exact.length > LONGEST_EXACT ? String(size.toNumber(rounding)) : exact;
}
