/**
 * What a selection releases: the indices of the winners and, where asked for, their gaps. Nothing else of the race
 * leaves: no noisy score, not the runner-up.
 * @module
 */
import type { Entropy } from "../entropy/entropy.js";
import { Rational } from "../exact/rational.js";
import { type Contender, gapInUnits, type Terms } from "./contender.js";
import { enterZeros, namesForUnlisted } from "./implicit-zeros.js";
import type { Race } from "./race.js";

/**
 * A candidate that won.
 *
 * @typeParam Id What candidates are named by: their positions, but for a stream.
 */
export interface Winner<Id = number> {
  /** The candidate: its position in the scores, or the name under which it was pushed. */
  readonly index: Id;
  /** By how much it leads the next, rounded down to a multiple of the resolution; only where one was given. */
  readonly gap?: Rational;
}

/** Candidates of a public domain that nobody listed, all of score 0. */
export interface Unlisted<Id> {
  readonly count: number;
  /** Their id in the race, which no listed one has. */
  readonly id: Id;
  /** They are named by integers from `from` to `to` − 1 that are not taken. */
  readonly names: { readonly from: number; readonly to: number };
  readonly isTaken: (name: number) => boolean;
}

/** Ends a race in which the listed candidates are: the unlisted enter, and the winners are named and measured. */
export function finishRace<Id>(
  race: Race<Id>,
  unlisted: Unlisted<Id>,
  resolution: Rational | undefined,
  entropy: Entropy,
): Winner<Id>[] {
  const { count, id, names, isTaken } = unlisted;
  if (count > 0) enterZeros(race, count, id, entropy);
  const order = race.finish();
  const name = namesForUnlisted(order, id, names, isTaken, entropy);
  return winnersOf(order, race.terms, resolution, name);
}

/**
 * The winners in their order; with a resolution, all but the last, which only measures the last gap. `name` gives the
 * id to release for that in the race.
 */
export function winnersOf<Id>(
  order: Contender<Id>[],
  terms: Terms,
  resolution: Rational | undefined,
  name: (id: Id) => Id,
): Winner<Id>[] {
  if (resolution === undefined) return order.map(({ id }) => ({ index: name(id) }));
  const unit = resolution.toNumber();
  const multiple = multiplesOf(resolution);
  const winners: Winner<Id>[] = [];
  for (let place = 0; place + 1 < order.length; place++) {
    const units = gapInUnits(terms, order[place], order[place + 1], resolution, unit);
    winners.push({ index: name(order[place].id), gap: multiple(units) });
  }
  return winners;
}

/** units·resolution, by numbers as long as they are safe: there may be hundreds of gaps. */
function multiplesOf(resolution: Rational): (units: number | bigint) => Rational {
  const [numerator, denominator] = [Number(resolution.numerator), Number(resolution.denominator)];
  return (units) => {
    const product = typeof units === "number" ? units * numerator : Number.NaN;
    return Number.isSafeInteger(product) && Number.isSafeInteger(denominator)
      ? Rational.ofNumbers(product, denominator)
      : resolution.times(BigInt(units));
  };
}
