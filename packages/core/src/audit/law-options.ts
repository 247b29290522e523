/**
 * What the closed forms are asked for, and how it is checked: as the mechanisms check theirs.
 * @module
 */

import { type Rational, type RationalLike, rational } from "../exact/rational.js";
import { arrayLike, integer, positiveRational, readOptions } from "../validate.js";
import { exactScores } from "./exact-scores.js";

/** An instance of a top k whose law is asked for. */
export interface LawOptions {
  /** How many winners. */
  readonly k: number;
  /** The scale of the noise, in units of the scores. */
  readonly scale: RationalLike;
  /** Binary places of the probabilities. Default 192. */
  readonly precision?: number | undefined;
}

const LAW = { k: integer, scale: positiveRational };

/** Enough for 28 decimal digits of a probability of 10^−20. */
const PRECISION = 192;

/** The options, checked for scores of which `spare` must be left when k have won. */
export function lawSetting(
  scores: readonly RationalLike[],
  options: LawOptions,
  spare = 0,
): { scores: Rational[]; k: number; scale: Rational; precision: number } {
  const { k, scale, precision = PRECISION } = readOptions(options, LAW, { precision: integer });
  integer("k", k, 1, arrayLike("scores", scores).length - spare);
  return { scores: exactScores(scores), k, scale: rational(scale), precision };
}
