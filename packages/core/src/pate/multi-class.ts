/**
 * Queries with one right class: each teacher says one, and noisy max answers. A teacher who is replaced takes a vote from
 * one class and gives it to another, so two counts move by 1 against each other and no other moves.
 *
 * Loss of an answer: with Gumbel noise of scale τ, ρ = 1/(2τ²); with exponential or Laplace noise of scale b, ρ = 2/b²;
 * with Gaussian noise of σ², ρ = 1/σ², from the two counts, or the Rényi curve 2α/σ² + ln(classes)/(α − 1) where that is
 * smaller. Proof: label-by-teachers.proof.md.
 * @module
 */

import { gaussianCurve, renyi } from "../accounting/curve.js";
import { varianceAtLeast } from "../accounting/least-noise.js";
import { zcdp } from "../accounting/loss.js";
import type { Entropy } from "../entropy.js";
import { Rational, rational } from "../exact/rational.js";
import { integer, positiveRational } from "../options.js";
import { statedMaxLoss } from "../select/noisy-max-loss.js";
import {
  type LooseNoise,
  type NoisyMaxBudget,
  type NoisyMaxNoise,
  noiseWithin,
  noisyMaxBudget,
} from "../select/noisy-max-noise.js";
import { reportNoisyMax } from "../select/report-noisy-max.js";
import type { QueryLoss, TeacherAnswer, TeacherTask } from "./teacher-task.js";
import { countClasses, type QueryVotes } from "./votes.js";

/**
 * Queries with one right class: each teacher says one, and noisy max answers with one that many say.
 *
 * @inline
 */
export interface MultiClassOptions {
  /** The kind of the queries: one class is right. */
  readonly task: "multi-class";
  /** How many teachers there are. */
  readonly teachers: number;
  /** How many classes there are. */
  readonly labels: number;
  /** The noise on the counts, or a budget for it. */
  readonly choose: NoisyMaxBudget;
}

/** The readers of these options, except the task. */
export const MULTI_CLASS = { teachers: integer, labels: integer, choose: noisyMaxBudget };

/** Two counts of a vote each. */
const [RANGE, MOVED] = [2n, 2n];

export class MultiClassTask implements TeacherTask {
  readonly votesPerQuery: number;
  readonly loss: QueryLoss;
  readonly #classes: number;
  readonly #noise: NoisyMaxNoise;

  constructor({ teachers, labels, choose }: MultiClassOptions) {
    this.votesPerQuery = teachers;
    this.#classes = labels;
    this.#noise = noiseWithin(withVariance(choose), Rational.of(RANGE), this.#classes);
    this.loss = lossOf(this.#noise);
  }

  count(votes: QueryVotes): Uint32Array {
    return countClasses(votes, this.votesPerQuery, this.#classes);
  }

  answer(counts: Uint32Array, entropy: Entropy): TeacherAnswer {
    const { maxCandidates: _, ...noise } = { maxCandidates: 0, ...this.#noise };
    return { released: true, labels: [reportNoisyMax(counts, { ...noise, entropy }).candidate] };
  }
}

/** A ρ buys less Gaussian noise where only two counts move: σ² = 1/ρ. */
function withVariance(budget: LooseNoise): LooseNoise {
  const { noise, rho } = budget;
  if (noise !== "gaussian" || rho === undefined || budget.variance !== undefined) return budget;
  const variance = varianceAtLeast(zcdp(positiveRational("rho", rho)), { rounds: MOVED });
  return { ...budget, rho: undefined, variance };
}

function lossOf(noise: NoisyMaxNoise): QueryLoss {
  const general = statedMaxLoss(noise, Rational.of(RANGE));
  if (noise.noise !== "gaussian") return { zcdp: general.zcdp, renyi: general.renyi };
  const moved = gaussianCurve({ variance: rational(noise.variance) }).times(MOVED);
  return { zcdp: zcdp(moved.rho), renyi: renyi(general.renyi.curve.min(moved)) };
}
