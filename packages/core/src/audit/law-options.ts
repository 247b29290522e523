/**
 * What the closed forms are asked for, and how it is checked: as the mechanisms check theirs.
 * @module
 */

import { invalidParameter } from "../errors.js";
import { positiveRational } from "../exact/checked-rational.js";
import type { Rational, RationalLike } from "../exact/rational.js";
import { count } from "../select/options.js";
import { exactScores } from "./exact-scores.js";

/** An instance of a top k whose law is asked for. */
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
    scale: positiveRational("scale", scale),
    precision: count("precision", precision),
  };
}
