/**
 * What a selection releases: the indices of the winners and, where asked for, their gaps. Nothing else of the race
 * leaves: no noisy score, not the runner-up.
 * @module
 */
import type { Rational } from "../exact/rational.js";
import { type Contender, gapInUnits, type Terms } from "./contender.js";

export interface Winner<Id = number> {
  /** The candidate: its position in the scores, or the name under which it was pushed. */
  readonly index: Id;
  /** By how much it leads the next, rounded down to a multiple of the resolution; only where one was given. */
  readonly gap?: Rational;
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
  const winners: Winner<Id>[] = [];
  for (let place = 0; place + 1 < order.length; place++) {
    const units = gapInUnits(terms, order[place], order[place + 1], resolution, unit);
    winners.push(new Leader(name(order[place].id), units, resolution));
  }
  return winners;
}

/** A winner whose gap is made when it is first looked at: most callers want a few of many. */
class Leader<Id> implements Required<Winner<Id>> {
  readonly index: Id;
  readonly #units: number | bigint;
  readonly #resolution: Rational;

  constructor(index: Id, units: number | bigint, resolution: Rational) {
    this.index = index;
    this.#units = units;
    this.#resolution = resolution;
  }

  get gap(): Rational {
    return this.#resolution.times(BigInt(this.#units));
  }

  toJSON(): { index: Id; gap: Rational } {
    return { index: this.index, gap: this.gap };
  }

  /** What `console.log` shows. */
  [Symbol.for("nodejs.util.inspect.custom")](): { index: Id; gap: string } {
    return { index: this.index, gap: String(this.gap) };
  }
}
