/**
 * Scores for the laws and the studied mechanisms: any rationals. One that is none is refused without a word on which.
 * @module
 */
import { type Rational, type RationalLike, rational } from "../exact/rational.js";
import { invalidScore } from "../select/scores.js";

export function exactScores(scores: readonly RationalLike[]): Rational[] {
  return scores.map(exactScore);
}

export function exactScore(score: RationalLike): Rational {
  try {
    return rational(score);
  } catch {
    throw invalidScore();
  }
}
