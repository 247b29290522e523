/**
 * Laws: which outcome has which probability, every probability a certified enclosure. Outcomes are named by texts:
 * `"2,0"` for the winners 2 and 0 in this order, `"2,0 by 3,>=4"` with their gaps in multiples of the resolution.
 * Outcomes without an entry share the probability that the entries leave of 1.
 *
 * The closed forms beside this file are such laws, and so is the result of a walk over all random bits (`bitTree`,
 * `choiceTree`). The closed forms check their options as the mechanisms check theirs. Scores are any rationals; an
 * invalid score is refused without saying which one.
 * @module
 */
import {
  Interval,
  Rational,
  type RationalLike,
  rational,
  readers,
  readOptions,
  WinnowError,
} from "winnow-dp";

/**
 * A law: which outcome has which probability, every probability a certified enclosure.
 *
 * Outcomes are named as texts, such as `"2,0"` for the winners 2 and 0 in this order; those without an entry share what
 * the entries leave of 1.
 */
export type Law = ReadonlyMap<string, Interval>;

/** Binary places of what a tree has found. */
const TREE_PRECISION = 192;

/**
 * What `bitTree` and `choiceTree` find out.
 *
 * @inline
 */
export interface Tree {
  /** The decided part of the probability of each outcome. */
  readonly mass: ReadonlyMap<string, Rational | Interval>;
  /** The probability of what the walk left undecided. */
  readonly undecided: Rational | Interval;
}

/**
 * What a tree proves about the probabilities: the undecided mass may belong to any outcome.
 *
 * @param tree What `bitTree` or `choiceTree` found out.
 *
 * @example
 * ```ts
 * import { lawOf } from "winnow-audit";
 * import { bernoulli } from "winnow-dp/sample";
 * import { bitTree } from "winnow-dp/testing";
 *
 * const law = lawOf(bitTree((bits) => bernoulli("1/4", bits), { depth: 8 }));
 * law.get("true")?.isBelow("26/100"); // → true
 * ```
 */
export function lawOf({ mass, undecided }: Tree): Law {
  const rest = ends(undecided).upper;
  return new Map(
    [...mass].map(([outcome, decided]) => {
      const { lower, upper } = ends(decided);
      return [outcome, Interval.hull(lower, upper.plus(rest), TREE_PRECISION)];
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

/**
 * An instance of a top k whose law is asked for.
 *
 * @inline
 */
export interface LawOptions {
  /** How many winners. */
  readonly k: number;
  /** The scale of the noise, in units of the scores. */
  readonly scale: RationalLike;
  /** Binary places of the probabilities. Default 192. */
  readonly precision?: number | undefined;
}

const LAW = { k: readers.integer, scale: readers.positiveRational };

/** Enough for 28 decimal digits of a probability of 10^−20. */
const DEFAULT_PRECISION = 192;

/** The options, checked for scores of which `spare` must be left when k have won. */
export function lawSetting(
  scores: readonly RationalLike[],
  options: LawOptions,
  spare = 0,
): { scores: Rational[]; k: number; scale: Rational; precision: number } {
  const {
    k,
    scale,
    precision = DEFAULT_PRECISION,
  } = readOptions(options, LAW, { precision: readers.integer });
  readers.integer("k", k, 1, readers.arrayLike("scores", scores).length - spare);
  return { scores: exactScores(scores), k, scale: rational(scale), precision };
}

export function exactScores(scores: readonly RationalLike[]): Rational[] {
  return scores.map(exactScore);
}

export function exactScore(score: RationalLike): Rational {
  try {
    return rational(score);
  } catch {
    throw new WinnowError("invalid-score", "scores must be finite numbers or rationals", { field: "scores" });
  }
}
