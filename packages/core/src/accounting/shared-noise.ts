/**
 * How much of the noise of k counts is shared, where one individual moves up to ℓ of them in one direction: y_i = a·h_i + N_i + M.
 * A person who raises many counts is hidden by M, which is drawn once; so N_i may be smaller than noise that each count has
 * for itself alone.
 *
 *   Gaussian   Var N_i = S and Var M = S/u with the u for which the variance of y_i/a is least; a is a multiple of k + u
 *   Laplace    scales b and b/q with q = 2s + 1 − k, for the s for which the variance is least; a = 1
 *
 * It is better from two counts on, by a third of the width at ten and nearly half at a hundred, and not at all if one individual moves
 * a few of many counts. All of it is public. Proof: discover/shared-counts.proof.md.
 * @module
 */

import { integerSqrt } from "../exact/integers.js";
import { Rational, shortened } from "../exact/rational.js";
import { type SharedGaussian, shapeOfSharedCounts } from "./price.js";

/** k counts, of which one individual moves up to `moved` by at most `distance` each, all up or all down. */
export interface SharedBy {
  readonly k: number;
  readonly moved: number;
  readonly distance: Rational;
}

/** How the noise is shared, and the variance of a count against that of noise of its own. */
export interface Sharing {
  /** The variance of M is that of N_i divided by this (Gaussian); its scale is (Laplace). */
  readonly pool: number;
  /** The variance of a count, in units in which noise of its own has variance `alone`. */
  readonly variance: Rational;
  /** ℓ for Gaussian noise, ℓ² for Laplace noise. */
  readonly alone: bigint;
}

/** Whether the shared noise has at most 19/20 of the variance: below that it isn't worth its conditions. */
export function isBetter({ variance, alone }: Sharing): boolean {
  return variance.times(20n).compare(19n * alone) <= 0;
}

/**
 * The best u up to 4k + 16: the least (1 + 1/u)·s(k + u − s)/(k + u) with s = min(ℓ, ⌊(k + u)/2⌋), the smaller u on ties. It falls up
 * to about √k and then rises, where s = ⌊(k + u)/2⌋; from 2ℓ − k on it falls up to a root of a quadratic and then rises.
 */
export function gaussianSharing({ k, moved }: Omit<SharedBy, "distance">): Sharing {
  const most = Math.max(1, Math.min(4 * k + 16, Number.MAX_SAFE_INTEGER - k));
  const [all, l] = [BigInt(k), BigInt(moved)];
  const rest = all - l;
  const root = rest + integerSqrt(rest * rest + (l - 1n) * all * rest);
  const turns = [integerSqrt(all), 2n * l - all, l > 1n ? root / (l - 1n) : BigInt(most)];
  const { place, value } = leastNear(turns, [1, most], (u) => {
    const even = (all + u) / 2n;
    const s = l < even ? l : even;
    return Rational.of((u + 1n) * s * (all + u - s), u * (all + u));
  });
  return { pool: place, variance: value, alone: l };
}

/**
 * The best s from 1 to ℓ − 1 with q = 2s + 1 − k ≥ 1: the least s²(1 + 1/q²), which falls up to q = (k − 1)^(1/3) and then rises;
 * undefined if there is none.
 */
export function laplaceSharing({
  k,
  moved,
}: Omit<SharedBy, "distance">): (Sharing & { readonly s: number }) | undefined {
  const first = Math.max(1, Math.ceil(k / 2));
  if (first > moved - 1) return undefined;
  const all = BigInt(k);
  const poolOf = (s: bigint) => 2n * s + 1n - all;
  let [low, high] = [0n, 1n << 18n]; // its cube is above all safe integers
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (middle ** 3n < all) low = middle;
    else high = middle;
  }
  const { place: s, value } = leastNear([(low + all - 1n) / 2n], [first, moved - 1], (s) => {
    const square = poolOf(s) ** 2n;
    return Rational.of(s * s * (square + 1n), square);
  });
  return { s, pool: Number(poolOf(BigInt(s))), variance: value, alone: BigInt(moved) ** 2n };
}

/** How far from a turn of the real function the least value at an integer may be: one step, and one more for odd and even ones. */
const REACH = 4n;

/** The least value near the turns, within the ends, and the first integer that has it. */
function leastNear(
  turns: readonly bigint[],
  [from, to]: readonly number[],
  value: (place: bigint) => Rational,
) {
  const [least, most] = [BigInt(from), BigInt(to)];
  let best: { place: number; value: Rational } | undefined;
  const places = turns.flatMap((turn) => {
    const near = turn < least ? least : turn > most ? most : turn;
    return Array.from({ length: Number(2n * REACH) + 1 }, (_, i) => near + BigInt(i) - REACH);
  });
  for (const place of places) {
    if (place < least || place > most) continue;
    const found = { place: Number(place), value: value(place) };
    const order = best === undefined ? -1 : found.value.compare(best.value);
    if (best === undefined || order < 0 || (order === 0 && found.place < best.place)) best = found;
  }
  return best as { place: number; value: Rational };
}

/** From here on the sum of two discrete Gaussian noises is one, except for 10⁻⁴². */
const SMOOTH = 5n;

/** Gaussian noise for k counts within ρ: the least exact S, or S rounded up where it is long. */
export function sharedGaussian(rho: Rational, by: SharedBy): SharedGaussian {
  const { k, moved, distance } = by;
  const { pool } = gaussianSharing(by);
  const shape = shapeOfSharedCounts({ names: k, moved, pool, factor: BigInt(k + pool) });
  const least = shape.times(distance.times(distance)).dividedBy(rho.times(2n));
  // The variance of one noise given the sum is S/(1 + u); times g² it must be at least 5.
  const squares = Rational.of(SMOOTH * BigInt(1 + pool)).dividedBy(least);
  const g = ceilingOfRoot(squares);
  return {
    ...{ names: k, pool, factor: g * BigInt(k + pool) },
    variance: shortened(least.times(g * g), "up"),
  };
}

/** The least integer ≥ 1 whose square is at least x. */
function ceilingOfRoot(x: Rational): bigint {
  const least = x.ceil();
  if (least <= 1n) return 1n;
  const root = integerSqrt(least);
  return root * root < least ? root + 1n : root;
}

/** Laplace noise for k counts within ε: the scale of each, and what divides it for the shared one. */
export function sharedLaplace(
  epsilon: Rational,
  by: SharedBy,
): { readonly scale: Rational; readonly pool: number } | undefined {
  const sharing = laplaceSharing(by);
  if (sharing === undefined) return undefined;
  const scale = shortened(by.distance.times(BigInt(sharing.s)).dividedBy(epsilon), "up");
  return { scale, pool: sharing.pool };
}
