/**
 * Queries with one right class: each teacher says one, and noisy max answers. A teacher who is replaced takes a vote from
 * one class and gives it to another, so two counts move by 1 against each other and no other moves.
 *
 * Loss of an answer: with Gumbel noise of scale τ, ρ = 1/(2τ²); with exponential or Laplace noise of scale b, ρ = 2/b²;
 * with Gaussian noise of σ², ρ = 1/σ², from the two counts, or the Rényi curve 2α/σ² + ln(classes)/(α − 1) where that is
 * smaller. Proof: docs/proofs/label-by-teachers.md.
 * @module
 */
import type { Entropy } from "../entropy.js";
import { Rational, rational } from "../exact/rational.js";
import { varianceAtLeast } from "../privacy/calibrate.js";
import { gaussianCurve } from "../privacy/curves.js";
import { renyi, zcdp } from "../privacy/loss.js";
import {
  type LooseNoise,
  type NoisyMaxBudget,
  type NoisyMaxNoise,
  noiseWithin,
  noisyMaxBudget,
  noisyMaxLoss,
  reportNoisyMax,
} from "../select/report-noisy-max.js";
import { aRegulariser, type GapOptions } from "../stable/largest-gap.js";
import { type FailureOptions, type TestBudget, THRESHOLD } from "../stable/stability-test.js";
import { makeStableTopK, STEPS, type StableTopKMeasurement } from "../stable/stable-top-k.js";
import { bigInteger, integer, positiveRational } from "../validate.js";
import {
  countClasses,
  countLabels,
  type QueryLoss,
  type QueryVotes,
  type TeacherAnswer,
  type TeacherTask,
} from "./label-by-teachers.js";

/** Queries with one right class: each teacher says one, and noisy max answers with one that many say. */
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
    const { candidates: _, ...noise } = { candidates: 0, ...this.#noise };
    return { released: true, labels: [reportNoisyMax(counts, { ...noise, entropy }).index] };
  }
}

/** A ρ buys less Gaussian noise where only two counts move: σ² = 1/ρ. */
function withVariance(budget: LooseNoise): LooseNoise {
  const { noise, rho } = budget;
  if (noise !== "gaussian" || rho === undefined || budget.variance !== undefined) return budget;
  const variance = varianceAtLeast(zcdp(positiveRational("rho", rho)), { times: MOVED });
  return { ...budget, rho: undefined, variance };
}

function lossOf(noise: NoisyMaxNoise): QueryLoss {
  const general = noisyMaxLoss({ ...noise, monotone: false });
  if (noise.noise !== "gaussian") return { zcdp: general.zcdp, renyi: general.renyi };
  const moved = gaussianCurve({ variance: rational(noise.variance) }).times(MOVED);
  return { zcdp: zcdp(moved.rho), renyi: renyi(general.renyi.curve.min(moved)) };
}

/*
 * Queries with any number of right labels: each teacher says yes or no to each label, and `stableTopK` answers with the
 * labels that stand out, or not at all [ZW22, Ex 14]. A teacher who is replaced may change every vote: a gap moves by 2.
 *
 * Loss of an answer, with Gumbel noise of scale τ or Gaussian noise of σ₁² on m gaps and σ² in the test: δ-approximate
 * ρ-zCDP with ρ = 2/τ² + 2/σ², or 2m/σ₁² + 2/σ². Proof: docs/proofs/label-by-teachers.md.
 */

/**
 * Queries with any number of right labels: each teacher says yes or no to each, and `stableTopK` answers with those
 * that stand out, or not at all [ZW22].
 */
export interface MultiLabelOptions
  extends FailureOptions,
    Pick<Partial<GapOptions>, "maxK" | "regulariser" | "cap"> {
  /** The kind of the queries: any number of labels is right. */
  readonly task: "multi-label";
  /** How many teachers there are. */
  readonly teachers: number;
  /** How many labels there are, at least 2. */
  readonly labels: number;
  /** The noise by which the number of labels is chosen, or a budget for it. */
  readonly choose: NoisyMaxBudget;
  /** The noise by which the labels are tested, or a budget for it. */
  readonly test: TestBudget;
}

/** The readers of these options, except the task. */
export const MULTI_LABEL = {
  required: { teachers: integer, labels: integer, ...STEPS },
  optional: { ...THRESHOLD, maxK: integer, regulariser: aRegulariser, cap: bigInteger },
};

export class MultiLabelTask implements TeacherTask {
  readonly votesPerQuery: number;
  readonly #teachers: number;
  readonly #labels: number;
  readonly #stable: StableTopKMeasurement;

  constructor(options: MultiLabelOptions) {
    const { choose, test, delta, threshold, regulariser, cap } = options;
    this.#teachers = options.teachers;
    this.#labels = options.labels;
    this.votesPerQuery = this.#teachers * this.#labels;
    const maxK = options.maxK ?? Math.max(this.#labels - 1, 1);
    this.#stable = makeStableTopK({
      maxK,
      regulariser,
      cap,
      choose,
      test,
      delta,
      threshold,
      monotone: false,
    });
  }

  get loss(): QueryLoss {
    return { zcdp: this.#stable.zcdp, renyi: this.#stable.renyi };
  }

  count(votes: QueryVotes): Uint32Array {
    return countLabels(votes, this.#teachers, this.#labels);
  }

  answer(counts: Uint32Array, entropy: Entropy): TeacherAnswer {
    const release = this.#stable.invoke(counts, entropy);
    return release.released ? { released: true, labels: release.indices } : { released: false };
  }
}
