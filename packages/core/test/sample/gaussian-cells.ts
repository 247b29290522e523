/**
 * The real line in cells of 2^−places, and what a standard normal variate makes of them.
 * @module
 */
import { Interval } from "../../src/exact/interval.js";
import { normalCdfEnclosure } from "../../src/exact/normal-cdf.js";
import { Rational, type RationalLike } from "../../src/exact/rational.js";
import type { LazyGaussian } from "../../src/sample/lazy-gaussian.js";
import type { Law } from "../support/law.js";

const PRECISION = 160;

/** ⌊2^places·N⌋, refined until it is certain. */
export function cellOf(variate: LazyGaussian, places: number): bigint {
  for (;;) {
    const { lo, hi, precision } = variate.enclosure();
    const shift = BigInt(precision - places);
    const [first, last] = [lo >> shift, (hi - 1n) >> shift]; // an end of an enclosure has probability 0
    if (first === last) return first;
    variate.refine();
  }
}

/** P(⌊2^places·σN⌋ = cell). */
export function cellProbability(cell: number, places: number, sigma: RationalLike = 1): Interval {
  const [from, to] = [cell, cell + 1].map((end) => probabilityBelow(end, places, sigma));
  return to.minus(from);
}

/** P(2^places·σN < end). */
export function probabilityBelow(end: number, places: number, sigma: RationalLike = 1): Interval {
  const point = Rational.of(BigInt(end), 1n << BigInt(places)).dividedBy(sigma);
  return normalCdfEnclosure(Interval.from(point, PRECISION));
}

/** The law of the cells from −4 to 4. */
export function normalLaw(places: number, sigma: RationalLike = 1): Law {
  const reach = 4 << places;
  const cells = Array.from({ length: 2 * reach }, (_, i) => i - reach);
  return Object.fromEntries(
    cells.map((cell) => [`${cell}`, String(cellProbability(cell, places, sigma).lower())]),
  );
}
