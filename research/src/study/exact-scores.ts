import { type Rational, type RationalLike, rational } from "winnow-dp";

/** Scores as exact numbers. */
export function exactScores(scores: readonly RationalLike[]): Rational[] {
  return scores.map(exactScore);
}

export function exactScore(score: RationalLike): Rational {
  return rational(score, "score");
}
