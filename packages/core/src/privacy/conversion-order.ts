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
 * charges that look at earlier answers could use up δ at several orders. Proof: docs/proofs/composition.md.
 * @module
 */
import { Rational } from "../exact/rational.js";
import { mostZcdp } from "./calibrate.js";
import { inMeasure } from "./compose.js";
import { zcdpCurve } from "./curves.js";
import {
  type ApproxLoss,
  approx,
  type Extended,
  isAtMost,
  isBounded,
  isFiniteLoss,
  type Loss,
  type Measure,
  smaller,
  zcdp,
} from "./loss.js";
import { rootToDigits, toDigits } from "./rounding.js";
import { epsilonAtOrder } from "./to-approx.js";
import { isWithin, largestWithin, remainder } from "./within.js";

/** The order for an unlimited ε, where none is better than another. */
const ANY_ORDER = Rational.of(2n);

export class ConversionOrder {
  /** What the conversion costs, once. */
  readonly cost: ApproxLoss;
  readonly #order: Rational;
  readonly #counted = new WeakMap<Loss, ApproxLoss>();

  private constructor(order: Rational, cost: ApproxLoss) {
    this.#order = order;
    this.cost = cost;
  }

  /** For all that is left of a budget; where no ε or no δ is left, no conversion can be paid for. */
  static for({ epsilon, delta }: ApproxLoss): ConversionOrder {
    const half = delta.dividedBy(2n);
    if (isNothing(half) || isNothing(epsilon)) return new ConversionOrder(ANY_ORDER, approx(Infinity, 0n));
    const order = isBounded(epsilon) ? mostZcdp(epsilon, half).order : ANY_ORDER;
    return new ConversionOrder(order, approx(epsilonAtOrder(zcdpCurve(0n), order, half, "optimal"), half));
  }

  /** What a loss adds to those that are counted at the order. */
  count(loss: Loss): ApproxLoss {
    const known = this.#counted.get(loss);
    if (known !== undefined) return known;
    const counted = atOrder(loss, this.#order);
    this.#counted.set(loss, counted);
    return counted;
  }

  /** What would fit: the largest loss of a measure for which this is enough, rounded down. */
  largestWithin({ epsilon, delta }: ApproxLoss, measure: Measure): Loss {
    const rho = isBounded(epsilon) ? epsilon.dividedBy(this.#order) : epsilon;
    if (measure === "zcdp") return zcdp(rho, delta);
    // ε-DP costs at most ε, and at most α·ε²/2.
    const concentrated = isBounded(rho) ? rootToDigits(rho.times(2n), "down") : rho;
    const most = isAtMost(concentrated, epsilon) ? epsilon : concentrated;
    return largestWithin(approx(most, delta), measure, []);
  }
}

/** Whether a loss can be counted in (ε, δ) as it is. */
export function hasEpsilon(loss: Loss): boolean {
  if (loss.measure === "renyi") return loss.delta === undefined && isBounded(loss.curve.epsilon);
  return loss.measure !== "zcdp";
}

/** What is left after a cost, or nothing. */
export function leftAfter(left: ApproxLoss, cost: ApproxLoss): ApproxLoss {
  return isWithin(cost, left, []) ? inMeasure(remainder(left, cost), "approx") : approx(0n, 0n);
}

function isNothing(size: Extended): boolean {
  return isAtMost(size, Rational.ZERO);
}

function atOrder(loss: Loss, order: Rational): ApproxLoss {
  if (!isFiniteLoss(loss)) return approx(Infinity, 0n);
  const { curve, delta } = inMeasure(loss, "renyi");
  return approx(smaller(curve.at(order), curve.epsilon), delta ?? 0n);
}

/*
 * The search for the order α at which a bound is smallest. Every order gives a valid bound: where the search looks
 * decides how tight the answer is, never whether it is true. It compares certified rationals, so it takes the
 * same steps on every engine.
 *
 * The bounds that are searched here have one valley in α (docs/proofs/conversions.md); the smaller of two bounds
 * may have two, so each valley of a coarse scan is descended. Cost: 31 evaluations and about 70 for each valley.
 */

export interface Order {
  readonly alpha: Rational;
  /** The bound at that order. */
  readonly value: Rational;
}

type Bound = (alpha: Rational) => Rational;

/** The scan looks at α − 1 = 2^−40, 2^−36, … 2^80. */
const [FIRST, LAST, STRIDE] = [-40, 80, 4];
/** A descent changes α − 1 by the factors 1 + 2^2, 1 + 2, 1 + 1, 1 + 1/2, … 1 + 2^−26. */
const [LARGEST_STEP, SMALLEST_STEP] = [2, -26];

export function bestOrder(bound: Bound): Order {
  const scan: Order[] = [];
  for (let exponent = FIRST; exponent <= LAST; exponent += STRIDE)
    scan.push(orderAt(bound, powerOfTwo(exponent)));
  const isValley = (order: Order, i: number) =>
    (i === 0 || isBelow(order, scan[i - 1])) && (i === scan.length - 1 || !isBelow(scan[i + 1], order));
  return scan
    .filter(isValley)
    .map((order) => descended(bound, order))
    .reduce((best, order) => (isBelow(order, best) ? order : best));
}

/** Walks downhill from one order of the scan, in ever smaller steps, and not past its neighbours in the scan. */
function descended(bound: Bound, start: Order): Order {
  const [middle, reach] = [start.alpha.minus(1n), powerOfTwo(STRIDE)];
  const [least, most] = [middle.dividedBy(reach), middle.times(reach)];
  let best = start;
  for (let step = LARGEST_STEP; step >= SMALLEST_STEP; step--) {
    const factor = powerOfTwo(step).plus(1n);
    for (let next: Order | undefined = best; next !== undefined; ) {
      best = next;
      const distance = best.alpha.minus(1n);
      next = [distance.times(factor), distance.dividedBy(factor)]
        .filter((moved) => moved.compare(least) >= 0 && moved.compare(most) <= 0)
        .map((moved) => orderAt(bound, toDigits(moved, "up")))
        .find((order) => isBelow(order, best));
    }
  }
  return best;
}

function orderAt(bound: Bound, distance: Rational): Order {
  const alpha = distance.plus(1n);
  return { alpha, value: bound(alpha) };
}

function isBelow(order: Order, other: Order): boolean {
  return order.value.compare(other.value) < 0;
}

function powerOfTwo(exponent: number): Rational {
  const power = 1n << BigInt(Math.abs(exponent));
  return exponent < 0 ? Rational.of(1n, power) : Rational.of(power);
}

/*
 * The edge between what a test accepts and what it refuses, from the accepted side.
 */

/** The answer is within one part in 2^40 of something refused, or of the last digit that is kept. */
const NEAR = 0x100_0000_0000n;

/** An accepted value next to the edge that lies between an accepted and a refused one. */
export function edgeOfAccepted(
  isAccepted: (value: Rational) => boolean,
  accepted: Rational,
  refused: Rational,
): Rational {
  let [good, bad] = [accepted, refused];
  for (;;) {
    const distance = good.compare(bad) > 0 ? good.minus(bad) : bad.minus(good);
    if (distance.times(NEAR).compare(good) <= 0) return good;
    const middle = toDigits(good.plus(bad).dividedBy(2n), "up");
    if (isAccepted(middle)) good = middle;
    else bad = middle;
  }
}
