/**
 * Comparing and subtracting losses of one measure, and what would fit. Rényi curves are compared at a public list of orders.
 * @module
 */
import { asInterval } from "../exact/interval.js";
import { ln2 } from "../exact/ln.js";
import { Rational } from "../exact/rational.js";
import { inMeasure } from "./compose.js";
import {
  approx,
  base2,
  difference,
  type Extended,
  isAtMost,
  isBounded,
  type Loss,
  type Measure,
  pure,
  renyi,
  smaller,
  zcdp,
} from "./loss.js";
import { base2AtMost, rootToDigits, roundedDown } from "./rounding.js";

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

/** What is left of the limit after a loss of the same measure that is within it. */
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

/*
 * What would fit: the largest loss of one measure that a limit in another covers, rounded down.
 */

/** For a measure that has no single largest loss, or cannot be counted against the limit, the limit itself. */
export function largestWithin(limit: Loss, measure: Measure, orders: readonly Rational[]): Loss {
  if (measure === limit.measure) return limit;
  const delta = "delta" in limit ? limit.delta : 0n;
  switch (measure) {
    case "pure":
      return pure(epsilonWithin(limit, orders));
    case "base2": {
      const epsilon = epsilonWithin(limit, orders);
      return base2(isBounded(epsilon) ? base2AtMost(epsilon) : epsilon);
    }
    case "approx":
      return approx(epsilonWithin(limit, orders), delta ?? 0n);
    case "zcdp":
      return limit.measure === "renyi" ? zcdp(rhoWithin(limit, orders), delta) : limit;
    case "renyi":
      return limit;
  }
}

/** The largest ε of which ε-DP is within the limit. */
function epsilonWithin(limit: Loss, orders: readonly Rational[]): Extended {
  if (limit.measure === "pure" || limit.measure === "approx") return limit.epsilon;
  if (limit.measure === "base2") {
    const { eta } = limit;
    return isBounded(eta) ? roundedDown((precision) => asInterval(ln2(precision)).times(eta)) : eta;
  }
  const rho = rhoWithin(limit, orders);
  return isBounded(rho) ? rootToDigits(rho.times(2n), "down") : rho;
}

/** The largest ρ of which ρ-zCDP is within the limit. */
function rhoWithin(limit: Loss & { measure: "zcdp" | "renyi" }, orders: readonly Rational[]): Extended {
  if (limit.measure === "zcdp") return limit.rho;
  return orders.map((order): Extended => limit.curve.at(order, "down").dividedBy(order)).reduce(smaller);
}
