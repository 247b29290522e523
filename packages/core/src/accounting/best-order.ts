/**
 * The search for the order α at which a bound is smallest. Every order gives a valid bound: where the search looks
 * decides how tight the answer is, never whether it is true. It compares certified rationals, so it takes the
 * same steps on every engine.
 *
 * The bounds that are searched here have one valley in α (conversions.proof.md); the smaller of two bounds
 * may have two, so each valley of a coarse scan is descended. Cost: 31 evaluations and about 70 for each valley.
 * @module
 */

import { Rational, toDigits } from "../exact/rational.js";

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
