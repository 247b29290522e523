/**
 * What the base-2 mechanisms may spend: a parameter η, or an ε from which the largest η within it is made. The loss is
 * always that of the parameter used, in base 2.
 * @module
 */

import { base2LossOf, etaAtMost, type UtilityOptions } from "../accounting/base2-parameter.js";
import type { LossOf } from "../accounting/loss.js";
import type { LooseSpend } from "../accounting/spend.js";
import type { Rational } from "../exact/rational.js";
import { exactlyOneOf, positiveRational } from "../options.js";
import { type Base2Weights, madeByEta, weightsOf } from "./weights.js";

/** The readers of a budget; one of them is required. */
export const BASE2_BUDGET = { eta: madeByEta, epsilon: positiveRational };

/** The weights that a budget buys, and what they cost. */
export interface Spending {
  readonly weights: Base2Weights;
  readonly privacy: LossOf<Rational>["base2"];
}

/** The weights that a budget buys where one individual moves utilities as said, and what they cost. */
export function spend(
  { eta, epsilon }: LooseSpend<"eta" | "epsilon">,
  options: Required<UtilityOptions>,
): Spending {
  exactlyOneOf({ eta, epsilon });
  const parameter = epsilon === undefined ? eta : etaAtMost(epsilon, options);
  const weights = weightsOf(parameter);
  return { weights, privacy: base2LossOf(weights.parameter, options) };
}
