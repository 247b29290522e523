/**
 * A law: which outcome has which probability, every probability a certified enclosure. Outcomes are named as texts,
 * `"2,0"` for the winners 2 and 0 in this order, `"2,0 by 3,>=4"` with their gaps in multiples of the resolution. An
 * outcome without an entry has probability 0, up to what the entries leave of 1.
 *
 * The closed forms beside this file are such laws, and so is what a walk over all random bits finds out.
 * @module
 */
import { invalidParameter } from "../errors.js";
import { Interval } from "../exact/interval.js";
import { Rational, type RationalLike } from "../exact/rational.js";
import { count, positive } from "../select/options.js";
import { exactScores } from "./exact-scores.js";

export type Law = ReadonlyMap<string, Interval>;

/** What a closed form is asked for. */
export interface LawOptions {
  /** How many winners. */
  readonly k: number;
  /** The scale of the noise, in units of the scores. */
  readonly scale: RationalLike;
  /** Binary places of the probabilities. Default 192. */
  readonly precision?: number;
}

/** Enough for 28 decimal digits of a probability of 10^−20. */
const PRECISION = 192;

/** The options, checked for scores of which `spare` must be left when k have won. */
export function lawSetting(
  scores: readonly RationalLike[],
  { k, scale, precision = PRECISION }: LawOptions,
  spare = 0,
): { scores: Rational[]; k: number; scale: Rational; precision: number } {
  const most = scores.length - spare;
  if (count("k", k) > most) throw invalidParameter("k", `an integer from 1 to ${most}`, k);
  return {
    scores: exactScores(scores),
    k,
    scale: positive("scale", scale),
    precision: count("precision", precision),
  };
}

/** What `bitTree` and `choiceTree` find out. */
export interface Tree {
  readonly mass: ReadonlyMap<string, Rational | Interval>;
  readonly undecided: Rational | Interval;
}

/** What a tree proves about the probabilities: the undecided mass may belong to any outcome. */
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
  const precision = Math.max(...[law, other].map(precisionOf));
  const nothing = Interval.from(0, precision);
  const probability = (of: Law, outcome: string) => of.get(outcome)?.withPrecision(precision) ?? nothing;
  for (const outcome of new Set([...law.keys(), ...other.keys()]))
    yield [outcome, probability(law, outcome), probability(other, outcome)];
}

function precisionOf(law: Law): number {
  return Math.max(1, ...[...law.values()].map(({ precision }) => precision));
}
