/**
 * Comparing and subtracting losses of one measure, and what would fit. Rényi curves are compared at a public list of orders.
 * @module
 */

import { invalidParameter } from "../errors.js";
import { Rational } from "../exact/rational.js";
import { inMeasure } from "./convert.js";
import { renyi } from "./curve.js";
import { difference, type Extended, isAtMost, isBounded } from "./extended.js";
import { approx, base2, type Loss, type LossOf, pure, zcdp } from "./loss.js";
import { type LossLike, readLoss } from "./loss-json.js";

/** Whether a loss can be counted in (ε, δ) as it is. */
export function hasEpsilon(loss: Loss): boolean {
  if (loss.measure === "renyi") return loss.delta === undefined && isBounded(loss.curve.epsilon);
  return loss.measure !== "zcdp";
}

/** The loss left after a cost, or none. */
export function leftAfter(left: LossOf["approx"], cost: LossOf["approx"]): LossOf["approx"] {
  return isWithin(cost, left, []) ? inMeasure(remainder(left, cost), "approx") : approx(0n, 0n);
}

export function isNothing(size: Extended): boolean {
  return isAtMost(size, Rational.ZERO);
}

/** Whether a loss is certainly at most the limit, which is of the same measure. */
export function isWithin(loss: Loss, limit: Loss, orders: readonly Rational[]): boolean {
  switch (limit.measure) {
    case "pure":
      return isAtMost(inMeasure(loss, "pure").epsilon, limit.epsilon);
    case "base2":
      return isAtMost(inMeasure(loss, "base2").eta, limit.eta);
    case "zcdp": {
      const { rho, delta } = inMeasure(loss, "zcdp");
      return isAtMost(rho, limit.rho) && isAtMost(orZero(delta), orZero(limit.delta));
    }
    case "approx": {
      const { epsilon, delta } = inMeasure(loss, "approx");
      return isAtMost(epsilon, limit.epsilon) && isAtMost(delta, limit.delta);
    }
    case "renyi": {
      const { curve, delta } = inMeasure(loss, "renyi");
      const below = (order: Rational) => isAtMost(curve.at(order, "up"), limit.curve.at(order, "down"));
      return orders.every(below) && isAtMost(orZero(delta), orZero(limit.delta));
    }
  }
}

/** Whether the loss of a measurement is within the limit that a caller gives, which is in the same measure. */
export function isAccepted(loss: Loss, dOut: LossLike): boolean {
  const limit: Loss = readLoss(dOut, "dOut");
  if (limit.measure !== loss.measure)
    throw invalidParameter("dOut", `a loss in the measure "${loss.measure}"`, limit.measure);
  return isWithin(loss, limit, []);
}

/** The limit less a loss of the same measure that is within it. */
export function remainder(limit: Loss, loss: Loss): Loss {
  switch (limit.measure) {
    case "pure":
      return pure(difference(limit.epsilon, inMeasure(loss, "pure").epsilon));
    case "base2":
      return base2(difference(limit.eta, inMeasure(loss, "base2").eta));
    case "zcdp": {
      const { rho, delta } = inMeasure(loss, "zcdp");
      return zcdp(difference(limit.rho, rho), orZero(limit.delta).minus(orZero(delta)));
    }
    case "approx": {
      const { epsilon, delta } = inMeasure(loss, "approx");
      return approx(difference(limit.epsilon, epsilon), limit.delta.minus(delta));
    }
    case "renyi": {
      const { curve, delta } = inMeasure(loss, "renyi");
      return renyi(limit.curve.minus(curve), orZero(limit.delta).minus(orZero(delta)));
    }
  }
}

function orZero(delta: Rational | undefined): Rational {
  return delta ?? Rational.ZERO;
}
