/**
 * A law: which outcome has which probability, every probability a certified enclosure. Outcomes are named as texts,
 * `"2,0"` for the winners 2 and 0 in this order, `"2,0 by 3,>=4"` with their gaps in multiples of the resolution. Outcomes
 * without an entry share what the entries leave of 1.
 *
 * The closed forms beside this file are such laws, and so is what a walk over all random bits finds out.
 * @module
 */
import { Interval } from "../exact/interval.js";
import { Rational } from "../exact/rational.js";

/**
 * A law: which outcome has which probability, every probability a certified enclosure.
 *
 * Outcomes are named as texts, such as `"2,0"` for the winners 2 and 0 in this order; those without an entry share what
 * the entries leave of 1.
 */
export type Law = ReadonlyMap<string, Interval>;

/** Binary places of what a tree has found. */
const PRECISION = 192;

/** What `bitTree` and `choiceTree` find out. */
export interface Tree {
  /** What is decided of the probability of each outcome. */
  readonly mass: ReadonlyMap<string, Rational | Interval>;
  /** The probability of what the walk left undecided. */
  readonly undecided: Rational | Interval;
}

/**
 * What a tree proves about the probabilities: the undecided mass may belong to any outcome.
 *
 * @param tree What `bitTree` or `choiceTree` found out.
 */
export function lawOf({ mass, undecided }: Tree): Law {
  const rest = ends(undecided).upper;
  return new Map(
    [...mass].map(([outcome, decided]) => {
      const { lower, upper } = ends(decided);
      return [outcome, Interval.hull(lower, upper.plus(rest), PRECISION)];
    }),
  );
}

function ends(mass: Rational | Interval): { lower: Rational; upper: Rational } {
  return mass instanceof Rational
    ? { lower: mass, upper: mass }
    : { lower: mass.lower(), upper: mass.upper() };
}

/** Every outcome that one of two laws names, with both of its probabilities at one precision. */
export function* sideBySide(law: Law, other: Law): Generator<[outcome: string, Interval, Interval], void> {
  const precision = commonPrecision(law, other);
  const [here, there] = [law, other].map((of) => probabilitiesOf(of, precision));
  for (const outcome of new Set([...law.keys(), ...other.keys()]))
    yield [outcome, here(outcome), there(outcome)];
}

/** The probability of any outcome; one that the law does not name has from 0 to all that is left. */
function probabilitiesOf(law: Law, precision: number): (outcome: string) => Interval {
  const unnamed = Interval.hull(0, leftOf(law), precision);
  return (outcome) => law.get(outcome)?.withPrecision(precision) ?? unnamed;
}

/** The most probability that a law leaves to outcomes that it does not name. */
export function leftOf(law: Law): Rational {
  const precision = commonPrecision(law);
  let left = 1n << BigInt(precision);
  for (const probability of law.values()) {
    const { lo } = probability.withPrecision(precision);
    if (lo > 0n) left -= lo;
  }
  return left > 0n ? Rational.of(left, 1n << BigInt(precision)) : Rational.ZERO;
}

/** The most binary places that a probability of these laws has. */
export function commonPrecision(...laws: readonly Law[]): number {
  let most = 1;
  for (const law of laws) for (const { precision } of law.values()) most = Math.max(most, precision);
  return most;
}
