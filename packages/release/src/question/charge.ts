/**
 * Pay what you get: what an account reserves for a release before anything is drawn, and what it counts for the answer
 * afterwards. A limited-domain top k goes round by round: one round for each name, and one for the ⊥ that ended the
 * list. Where the limit was fixed beforehand, only the rounds that were used are counted, in the measures for which that
 * is proven (packages/core/src/discover/limited-top-k.proof.md, 6); all of δ always is.
 *
 *   limit in zCDP or Rényi, or (ε, δ) at a Rényi order   Gumbel noise: (r/scale)²/8 a round, and each count that was measured
 *   limit in (ε, δ), added up                            exponential noise: r/scale a round, and each count; Gumbel noise:
 *                                                        r/scale a round, at most ε; with counts, all of ε once one is measured
 *   otherwise                                            in full
 *
 * The release still promises its whole loss on its own, whatever it is counted as.
 * @module
 */
import { approx, compose, isBounded, type Loss, type Measure } from "winnow-dp";
import { lossOf } from "./mechanism.js";
import type { Question } from "./question.js";
import { limitedPlan } from "./unknown-domains.js";

/** The reserved loss, and the loss counted instead. */
export interface Charge {
  readonly reserved: Loss;
  readonly settled: Loss;
}

/** How an account counts. */
export interface Counting {
  /** The measure of the limit. */
  readonly measure: Measure;
  /** Whether an (ε, δ) limit is counted at a Rényi order by now. */
  readonly isAtOrder: boolean;
}

/** As much of an answer as its price depends on. */
interface AnswerLength {
  readonly winners: number;
  /** Whether ⊥ ended the list. */
  readonly stopped: boolean;
}

/** Undefined where a release is counted in full. */
export function chargeOf(
  question: Question,
  { winners, stopped }: AnswerLength,
  counting: Counting,
): Charge | undefined {
  const count = countingOf(question, counting);
  return (
    count && { reserved: count(question.k, question.k), settled: count(winners + Number(stopped), winners) }
  );
}

/** The loss that must fit before a release. */
export function reservationOf(question: Question, counting: Counting): Loss {
  return countingOf(question, counting)?.(question.k, question.k) ?? lossOf(question);
}

/** The charge for an answer with `rounds` rounds and `names` counts. */
type CountRounds = (rounds: number, names: number) => Loss;

function countingOf(question: Question, { measure, isAtOrder }: Counting): CountRounds | undefined {
  if (question.mechanism !== "limited-top-k") return undefined;
  const { measurement, counts, loss } = limitedPlan(question);
  const isGumbel = measurement.noise === "gumbel";
  const isConcentrated =
    measure === "zcdp" ||
    measure === "renyi" ||
    (measure === "approx" && (isAtOrder || loss.measure === "zcdp"));
  if (isConcentrated) {
    if (!isGumbel) return undefined;
    return (rounds, names) =>
      counts === undefined
        ? measurement.chargeFor(rounds).zcdp
        : compose(measurement.chargeFor(rounds).zcdp, counts.lossOf(names));
  }
  if (measure !== "approx" || loss.measure !== "approx") return undefined;
  const { epsilon, delta } = loss;
  if (isGumbel)
    return (rounds, names) => {
      const spent = measurement.chargeFor(rounds).approx.epsilon;
      const isPart = isBounded(spent) && isBounded(epsilon) && spent.compare(epsilon) < 0;
      const isMeasured = counts !== undefined && names > 0; // Gaussian noise has no bound for a single answer
      return approx(isPart && !isMeasured ? spent : epsilon, delta);
    };
  return (rounds, names) => {
    const spent = measurement.chargeFor(rounds).approx;
    return counts === undefined ? spent : compose(spent, counts.lossOf(names));
  };
}
