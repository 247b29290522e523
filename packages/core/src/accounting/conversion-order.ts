/**
 * How an (ε, δ) budget counts losses that have no ε of their own, zCDP and Rényi: added up as what they are, and converted
 * once. From the first such loss on, all that is left of the budget is a Rényi budget at one order α:
 *
 *   of the δ that is left, one half pays for the conversion, the other for the failures of δ-approximate losses;
 *   α is the order at which the most zCDP fits: charges in zCDP are admitted as long as the conversion of their sum fits
 *   (where δ is so large that the conversion would be a gain, it counts as nothing);
 *   the conversion costs its part of ε once, and then a loss with the curve c costs c(α); for ε-DP that is less than ε.
 *
 * Order and halves are fixed before the charges that they count. To take the best order anew for each sum would be wrong:
 * charges that look at earlier answers could use up δ at several orders. Proof: composition.proof.md.
 * @module
 */

import { Rational } from "../exact/rational.js";
import { mostZcdp } from "./calibrate.js";
import { inMeasure } from "./convert.js";
import { zcdpCurve } from "./curve.js";
import { epsilonAtOrder } from "./curve-to-approx.js";
import { isAtMost, isBounded, smaller } from "./extended.js";
import { largestWithin } from "./largest-within.js";
import { approx, isFiniteLoss, type Loss, type LossOf, type Measure, zcdp } from "./loss.js";
import { roundWithin } from "./price.js";
import { isNothing } from "./within.js";

/** The order for an unlimited ε, where none is better than another. */
const ANY_ORDER = Rational.of(2n);

export class ConversionOrder {
  /** What the conversion costs, once. */
  readonly cost: LossOf["approx"];
  readonly #order: Rational;
  readonly #counted = new WeakMap<Loss, LossOf["approx"]>();

  private constructor(order: Rational, cost: LossOf["approx"]) {
    this.#order = order;
    this.cost = cost;
  }

  /** For all that is left of a budget; where no ε or no δ is left, no conversion can be paid for. */
  static for({ epsilon, delta }: LossOf["approx"]): ConversionOrder {
    const half = delta.dividedBy(2n);
    if (isNothing(half) || isNothing(epsilon)) return new ConversionOrder(ANY_ORDER, approx(Infinity, 0n));
    const order = isBounded(epsilon) ? mostZcdp(epsilon, half).order : ANY_ORDER;
    return new ConversionOrder(order, approx(epsilonAtOrder(zcdpCurve(0n), order, half, "optimal"), half));
  }

  /** What a loss adds to those that are counted at the order. */
  count(loss: Loss): LossOf["approx"] {
    const known = this.#counted.get(loss);
    if (known !== undefined) return known;
    const counted = atOrder(loss, this.#order);
    this.#counted.set(loss, counted);
    return counted;
  }

  /** The largest loss in `measure` that still fits, rounded down. */
  largestWithin({ epsilon, delta }: LossOf["approx"], measure: Measure): Loss {
    const rho = isBounded(epsilon) ? epsilon.dividedBy(this.#order) : epsilon;
    if (measure === "zcdp") return zcdp(rho, delta);
    // ε-DP costs at most ε, and at most α·ε²/2.
    const concentrated = isBounded(rho) ? roundWithin(rho, "pure") : rho;
    const most = isAtMost(concentrated, epsilon) ? epsilon : concentrated;
    return largestWithin(approx(most, delta), measure, []);
  }
}

function atOrder(loss: Loss, order: Rational): LossOf["approx"] {
  if (!isFiniteLoss(loss)) return approx(Infinity, 0n);
  const { curve, delta } = inMeasure(loss, "renyi");
  return approx(smaller(curve.at(order), curve.epsilon), delta ?? 0n);
}
