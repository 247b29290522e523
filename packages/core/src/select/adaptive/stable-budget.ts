/**
 * The budget of a release that may fail with probability δ: ρ with all of δ for the failure, or (ε, δ), of which half of
 * δ is for the failure and the other half pays for the conversion from ρ.
 * @module
 */
import type { Rational, RationalLike } from "../../exact/rational.js";
import { rhoAtMost } from "../../privacy/calibrate.js";
import { convert } from "../../privacy/convert.js";
import { isAtMost } from "../../privacy/extended.js";
import { type ApproxLoss, approx, type ZcdpLoss } from "../../privacy/loss.js";
import { exactlyOneOf, positiveRational, properProbability } from "../../validate.js";

/** A budget with a δ: exactly one of `rho` and `epsilon`. */
export interface StableBudgetOptions {
  /** δ-approximate zero-concentrated differential privacy. */
  readonly rho?: RationalLike | undefined;
  /** (ε, δ)-differential privacy. */
  readonly epsilon?: RationalLike | undefined;
  /** The δ of the whole release, above 0 and below 1. */
  readonly delta: RationalLike;
}

/** The readers of what a budget with a δ need not have. */
export const STABLE_SIZES = { rho: positiveRational, epsilon: positiveRational };

export interface StableBudget {
  readonly rho: Rational;
  /** The probability that an unstable set may be released with. */
  readonly failure: Rational;
  /** What was really spent, in the measure of the budget. */
  report(loss: ZcdpLoss): ZcdpLoss | ApproxLoss;
}

export function readBudget({ rho, epsilon, delta }: StableBudgetOptions): StableBudget {
  const failure = properProbability("delta", delta);
  exactlyOneOf({ rho, epsilon });
  if (epsilon !== undefined) return approximate(positiveRational("epsilon", epsilon), failure);
  return { rho: positiveRational("rho", rho as RationalLike), failure, report: (loss) => loss };
}

function approximate(epsilon: Rational, delta: Rational): StableBudget {
  const half = delta.dividedBy(2n);
  return {
    rho: rhoAtMost({ epsilon, delta: half }),
    failure: half,
    report(loss) {
      const spent = convert(loss, { to: "approx", delta });
      // Rounded up, the conversion may end a digit above the target, which is met all the same.
      return isAtMost(spent.epsilon, epsilon) ? spent : approx(epsilon, delta);
    },
  };
}
