/**
 * The least Gumbel noise by the Rényi curve: k rounds of bounded range distance/scale, composed and converted to (ε, δ). It serves
 * where the recursion of profile/bounded-range.ts isn't run: beyond 1,000 rounds and far from usual sizes.
 *
 * Cost: about 0.1 s. Proof: conversions.proof.md, bounded-range.proof.md.
 * @module
 */

import { Rational, rational, toDigits } from "../exact/rational.js";
import { mostZcdp } from "./calibrate.js";
import { boundedRangeCurve } from "./curve.js";
import { epsilonAtOrder } from "./curve-to-approx.js";
import { roundWithin } from "./price.js";

/** More are never needed: the error is squared each time. */
const MOST_ROUNDS = 8;
const CLOSE = /* @__PURE__ */ Rational.of(1n, 10n ** 11n);

/**
 * The least Gumbel scale whose k rounds convert to ε with this δ, to eleven digits, and the ε that they convert to. From
 * the zCDP of the same ε, the best order for a range and the largest range for an order are found in turn. Any order
 * gives a valid range: how well this converges decides how small the scale is, never whether it is safe.
 */
export function renyiScale(
  epsilon: Rational,
  delta: Rational,
  { k, range }: { readonly k: number; readonly range: Rational },
): { scale: Rational; spent: Rational } {
  const cost = (perRound: Rational, order: Rational) =>
    epsilonAtOrder(boundedRangeCurve(perRound).times(k), order, delta, "optimal");
  const { rho, order: first } = mostZcdp(epsilon, delta);
  let order = first;
  let perRound = roundWithin(rho, "bounded-range", k);
  for (let round = 0; ; round++) {
    order = lowestNear(order, WIDTHS[Math.min(round, 2)], (alpha) => cost(perRound, alpha));
    const widest = largestBelow(epsilon, perRound, (wider) => cost(wider, order));
    const isClose = widest.minus(perRound).compare(perRound.times(CLOSE)) <= 0;
    perRound = widest;
    if (!isClose && round < MOST_ROUNDS) continue;
    const scale = toDigits(range.dividedBy(perRound), "up");
    return { scale, spent: cost(range.dividedBy(scale), order) };
  }
}

/** How far apart three neighbouring orders are, as a share of α − 1: in the first round, the second and the others. */
const WIDTHS = [
  [1 / 2, 1 / 16],
  [1 / 16, 1 / 128],
  [1 / 128, 1 / 4096],
] as const;
const MOST_MOVES = 64;

/**
 * Walks downhill from one order by steps of each width, and from the lowest of three neighbours to the lowest point of the
 * parabola through them. Costs are certified; doubles, added and multiplied as on every engine, only say where to look.
 */
function lowestNear(
  start: Rational,
  widths: readonly number[],
  cost: (order: Rational) => Rational,
): Rational {
  const orderAt = (distance: number) => toDigits(rational(distance), "up").plus(1n);
  const costAt = (distance: number) => cost(orderAt(distance)).toNumber();
  let [best, least] = [start.minus(1n).toNumber(), cost(start).toNumber()];
  for (const width of widths)
    for (let move = 0; move < MOST_MOVES; move++) {
      const [left, right] = [best / (1 + width), best * (1 + width)];
      const [atLeft, atRight] = [costAt(left), costAt(right)];
      if (least <= atLeft && least <= atRight) {
        const [a, b] = [(best - left) * (least - atRight), (best - right) * (least - atLeft)];
        const lowest = best - ((best - left) * a - (best - right) * b) / (2 * (a - b));
        if (!(lowest > left && lowest < right)) break; // three equal costs
        const atLowest = costAt(lowest);
        if (atLowest < least) [best, least] = [lowest, atLowest];
        break;
      }
      [best, least] = atLeft < atRight ? [left, atLeft] : [right, atRight];
    }
  return orderAt(best);
}

const SECANTS = 6;
/** 1 − 2^−40, to step back from where doubles see the edge. */
const STEP_BACK = /* @__PURE__ */ Rational.of((1n << 40n) - 1n, 1n << 40n);

/**
 * An x next to the largest with cost(x) ≤ limit, where the cost rises with x and cost(known) is within the limit. Doubles
 * say where to look; what is returned was checked.
 */
function largestBelow(limit: Rational, known: Rational, cost: (x: Rational) => Rational): Rational {
  const excess = (x: number) => cost(rational(x)).minus(limit).toNumber();
  const digit = limit.toNumber() * 1e-14; // costs have fifteen
  let [x, y] = [known.toNumber(), known.toNumber() * 1.001];
  let [atX, atY] = [excess(x), excess(y)];
  for (let i = 0; i < SECANTS && atX !== atY; i++) {
    const next = y - (atY * (y - x)) / (atY - atX);
    if (!(next > x / 2 && next < 4 * y)) break;
    [x, atX, y, atY] = [y, atY, next, excess(next)];
    if (Math.abs(atY) <= digit) break;
  }
  const fits = (wider: Rational) => cost(wider).compare(limit) <= 0;
  const near = toDigits(rational(y).times(STEP_BACK), "down");
  if (near.compare(known) > 0 && fits(near)) return near;
  let safe = known;
  while (!fits(safe)) safe = toDigits(safe.times(STEP_BACK), "down"); // by the rounding of the last digit, once or twice
  return safe;
}
