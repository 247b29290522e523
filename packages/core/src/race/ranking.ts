/**
 * What a selection releases: the candidates that won and, where asked for, their gaps. Nothing else of the race
 * leaves: no noisy score, not the runner-up.
 * @module
 */

import { Rational } from "../exact/rational.js";
import { gapInUnits, type Keyed, type Terms } from "./contender.js";

/** A candidate in the order of keys. */
export interface RankedKey<Id> extends Keyed<Terms> {
  readonly id: Id;
}

/** A candidate that won. */
interface Placed<Id> {
  readonly candidate: Id;
  readonly gap?: Rational;
}

/** Which part of a ranking is released. */
export interface Revealed {
  /** How many more candidates are ranked than win. */
  readonly spare: 0 | 1;
  of<Id>(order: readonly RankedKey<Id>[], terms: Terms): Placed<Id>[];
}

/** The winners, and nothing else. */
export const WINNERS: Revealed = { spare: 0, of: (order) => order.map(({ id }) => ({ candidate: id })) };

/** The winners and their gaps; the last of the order isn't a winner and only measures the last gap. */
export function gapsOf(resolution: Rational): Revealed {
  const unit = resolution.toNumber();
  const multiple = multiplesOf(resolution);
  return {
    spare: 1,
    of: (order, terms) =>
      order.slice(1).map((next, place) => ({
        candidate: order[place].id,
        gap: multiple(gapInUnits(terms, order[place], next, resolution, unit)),
      })),
  };
}

/** Multiples below this are made once: there may be hundreds of gaps, and most of them are small. */
const MOST_KEPT = 1024;

/** Those of the last resolution: most programs have one for all their answers. */
let latest: Rational[] = [];

/** units·resolution, by numbers as long as they are safe. */
function multiplesOf(resolution: Rational): (units: number | bigint) => Rational {
  const [numerator, denominator] = [Number(resolution.numerator), Number(resolution.denominator)];
  if (!latest[1]?.equals(resolution)) latest = [Rational.ZERO, resolution];
  const kept = latest; // a call in between may have another resolution
  return (units) => {
    const place = Number(units); // exact where the product is safe
    if (kept[place] !== undefined) return kept[place];
    const product = place * numerator;
    const multiple =
      Number.isSafeInteger(product) && Number.isSafeInteger(denominator)
        ? Rational.ofNumbers(product, denominator)
        : resolution.times(BigInt(units));
    if (place < MOST_KEPT) kept[place] = multiple;
    return multiple;
  };
}
