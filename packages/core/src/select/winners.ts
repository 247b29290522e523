/**
 * What a selection releases: the indices of the winners and, where asked for, their gaps. Nothing else of the race
 * leaves: no noisy score, not the runner-up.
 * @module
 */
import { Rational } from "../exact/rational.js";
import { type Contender, gapInUnits, type Terms } from "./contender.js";

export interface Winner<Id = number> {
  /** The candidate: its position in the scores, or the name under which it was pushed. */
  readonly index: Id;
  /** By how much it leads the next, rounded down to a multiple of the resolution; only where one was given. */
  readonly gap?: Rational;
}

/** The winners in their order; with a resolution, all but the last, which only measures the last gap. */
export function winnersOf<Id>(order: Contender<Id>[], terms: Terms, resolution?: Rational): Winner<Id>[] {
  if (resolution === undefined) return order.map(({ id }) => ({ index: id }));
  // Keys are in steps of 1/b for a resolution a/b.
  const unit = Rational.of(resolution.numerator);
  const unitNumber = unit.toNumber();
  const winners: Winner<Id>[] = [];
  for (let place = 0; place + 1 < order.length; place++) {
    const units = gapInUnits(terms, order[place], order[place + 1], unit, unitNumber);
    winners.push(withGap(order[place].id, units, resolution));
  }
  return winners;
}

/** The gap is made when it is first looked at: most callers want a few of many. */
function withGap<Id>(index: Id, units: number | bigint, resolution: Rational): Winner<Id> {
  let gap: Rational | undefined;
  return {
    index,
    get gap() {
      gap ??= resolution.times(BigInt(units));
      return gap;
    },
  };
}
