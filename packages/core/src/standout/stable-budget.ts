/**
 * The budget of a release that may fail with probability δ: ρ with all of δ for the failure, or (ε, δ), of which half of
 * δ is for the failure and the other half pays for the conversion from ρ.
 * @module
 */

import { rhoAtMost } from "../accounting/calibrate.js";
import { convert } from "../accounting/convert.js";
import { isAtMost } from "../accounting/extended.js";
import { approx, type LossOf } from "../accounting/loss.js";
import type { LooseSpend } from "../accounting/spend.js";
import type { Rational, RationalLike } from "../exact/rational.js";
import { exactlyOneOf, positiveRational, properProbability } from "../options.js";
import type { FailureOptions } from "./stability-test.js";

/** A budget with a δ, before it is known that just one is given. */
export type LooseStable = LooseSpend<"rho" | "epsilon"> & Pick<FailureOptions, "delta">;

interface SplitBudget {
  readonly rho: Rational;
  /** The probability that an unstable set may be released with. */
  readonly failure: Rational;
  /** The loss really incurred, in the measure of the budget. */
  report(loss: LossOf<Rational>["zcdp"]): LossOf<Rational>["zcdp" | "approx"];
}

export function readBudget({ rho, epsilon, delta }: LooseStable): SplitBudget {
  const failure = properProbability("delta", delta);
  exactlyOneOf({ rho, epsilon });
  if (epsilon !== undefined) return approximate(positiveRational("epsilon", epsilon), failure);
  return { rho: positiveRational("rho", rho as RationalLike), failure, report: (loss) => loss };
}

function approximate(epsilon: Rational, delta: Rational): SplitBudget {
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
