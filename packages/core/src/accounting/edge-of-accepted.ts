/**
 * The edge between what a test accepts and what it refuses, from the accepted side.
 * @module
 */

import { type Rational, toDigits } from "../exact/rational.js";

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
