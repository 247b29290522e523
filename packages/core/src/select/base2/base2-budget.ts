/**
 * What the base-2 mechanisms may spend: a parameter η, or an ε from which the largest η within it is made. The loss is
 * always that of the parameter used, in base 2.
 * @module
 */
import { invalidParameter } from "../../errors.js";
import type { RationalLike } from "../../exact/rational.js";
import {
  type Base2Parameter,
  base2LossOf,
  etaAtMost,
  type UtilityOptions,
} from "../../privacy/base2-parameter.js";
import type { Base2Loss } from "../../privacy/loss.js";
import { positiveRational } from "../../validate.js";
import { type Base2Weights, madeByEta, weightsOf } from "./base2-weights.js";

/** Exactly one of the two. */
export interface Base2Budget {
  /** The parameter, made by `eta` or `etaAtMost`. */
  readonly eta?: Base2Parameter | undefined;
  /** The most that may be spent as ε. Searching the parameter takes longer than many a draw: for several, make it once. */
  readonly epsilon?: RationalLike | undefined;
}

/** The readers of a budget; one of them is required. */
export const BASE2_BUDGET = { eta: madeByEta, epsilon: positiveRational };

export interface Spending {
  readonly weights: Base2Weights;
  readonly privacy: Base2Loss;
}

/** The weights that a budget buys where one individual moves utilities as said, and what they cost. */
export function spend({ eta, epsilon }: Base2Budget, options: Required<UtilityOptions>): Spending {
  if (eta !== undefined && epsilon !== undefined)
    throw invalidParameter("epsilon", "absent beside eta", epsilon);
  const parameter = epsilon === undefined ? eta : etaAtMost(epsilon, options);
  const weights = weightsOf(parameter);
  return { weights, privacy: base2LossOf(weights.parameter, options) };
}
