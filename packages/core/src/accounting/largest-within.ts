/**
 * What would fit: the largest loss of one measure that a limit in another covers, rounded down.
 * @module
 */

import { roundedDown } from "../exact/certified.js";
import { asInterval } from "../exact/interval.js";
import { ln2 } from "../exact/ln.js";
import type { Rational } from "../exact/rational.js";
import { base2AtMost } from "./base2-parameter.js";
import { type Extended, isBounded, smaller } from "./extended.js";
import { approx, base2, type Loss, type Measure, pure, zcdp } from "./loss.js";
import { roundWithin } from "./price.js";

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
  return isBounded(rho) ? roundWithin(rho, "pure") : rho;
}

/** The largest ρ of which ρ-zCDP is within the limit. */
function rhoWithin(limit: Loss & { measure: "zcdp" | "renyi" }, orders: readonly Rational[]): Extended {
  if (limit.measure === "zcdp") return limit.rho;
  return orders.map((order): Extended => limit.curve.at(order, "down").dividedBy(order)).reduce(smaller);
}
