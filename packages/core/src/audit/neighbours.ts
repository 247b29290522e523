/**
 * Every way in which one individual may change a list of scores as much as it can or not at all: each score goes up by the
 * sensitivity, down by it, or stays; if monotone, each goes up or stays. There are 3^n or 2^n of them.
 *
 * An individual who leaves moves all scores down; a law that does not change when all scores move together, as those of
 * all selections here, sees no difference to the others moving up.
 * @module
 */
import { type Rational, type RationalLike, rational } from "../exact/rational.js";
import { boolean, positiveRational, readOptions } from "../validate.js";
import { exactScores } from "./exact-scores.js";

/** How one individual can move scores. */
export interface NeighbourOptions {
  /** How much one individual can change any one score. Default 1. */
  readonly sensitivity?: RationalLike | undefined;
  /** Whether an individual moves all scores the same way. Default false. */
  readonly monotone?: boolean | undefined;
}

/**
 * All neighbouring scores: each moves as far as one individual can move it, or not at all.
 *
 * @param scores The scores of all candidates.
 * @param options How one individual can move them.
 */
export function neighboursOf(scores: readonly RationalLike[], options: NeighbourOptions = {}): Rational[][] {
  const { sensitivity = 1, monotone = false } = readOptions(
    options,
    {},
    { sensitivity: positiveRational, monotone: boolean },
  );
  const step = rational(sensitivity);
  const moves = (score: Rational) => [...(monotone ? [] : [score.minus(step)]), score, score.plus(step)];
  return exactScores(scores).reduce<Rational[][]>(
    (lists, score) => lists.flatMap((list) => moves(score).map((moved) => [...list, moved])),
    [[]],
  );
}
