/**
 * Queries with any number of right labels: each teacher says yes or no to each label, and `stableTopK` answers with the
 * labels that stand out, or not at all [ZW22, Ex 14]. A teacher who is replaced may change every vote: a gap moves by 2.
 *
 * Loss of an answer, with Gumbel noise of scale τ or Gaussian noise of σ₁² on m gaps and σ² in the test: δ-approximate
 * ρ-zCDP with ρ = 2/τ² + 2/σ², or 2m/σ₁² + 2/σ². Proof: label-by-teachers.proof.md.
 * @module
 */

import type { Spend } from "../accounting/spend.js";
import type { Entropy } from "../entropy.js";
import { bigInteger, integer } from "../options.js";
import type { NoiseSize, NoisyMaxBudget } from "../select/noisy-max-noise.js";
import type { GapOptions } from "../standout/gap-choice.js";
import { aRegulariser } from "../standout/regulariser.js";
import { type FailureOptions, THRESHOLD } from "../standout/stability-test.js";
import { makeStableTopK, STEPS, type StableTopKMeasurement } from "../standout/stable-top-k.js";
import type { QueryLoss, TeacherAnswer, TeacherTask } from "./teacher-task.js";
import { countLabels, type QueryVotes } from "./votes.js";

/**
 * Queries with any number of right labels: each teacher says yes or no to each, and `stableTopK` answers with those
 * that stand out, or not at all [ZW22].
 *
 * @inline
 */
export interface MultiLabelOptions
  extends FailureOptions,
    Pick<Partial<GapOptions>, "maxK" | "regulariser" | "gapCap"> {
  /** The kind of the queries: any number of labels is right. */
  readonly task: "multi-label";
  /** How many teachers there are. */
  readonly teachers: number;
  /** How many labels there are, at least 2. */
  readonly labels: number;
  /** The noise by which the number of labels is chosen, or a budget for it. */
  readonly choose: NoisyMaxBudget;
  /** The noise by which the labels are tested, or a budget for it. */
  readonly test: Spend<NoiseSize>;
}

/** The readers of these options, except the task. */
export const MULTI_LABEL = {
  required: { teachers: integer, labels: integer, ...STEPS },
  optional: { ...THRESHOLD, maxK: integer, regulariser: aRegulariser, gapCap: bigInteger },
};

export class MultiLabelTask implements TeacherTask {
  readonly votesPerQuery: number;
  readonly #teachers: number;
  readonly #labels: number;
  readonly #stable: StableTopKMeasurement;

  constructor(options: MultiLabelOptions) {
    const { choose, test, delta, thresholdRule, regulariser, gapCap } = options;
    this.#teachers = options.teachers;
    this.#labels = options.labels;
    this.votesPerQuery = this.#teachers * this.#labels;
    const maxK = options.maxK ?? Math.max(this.#labels - 1, 1);
    this.#stable = makeStableTopK({
      maxK,
      regulariser,
      gapCap,
      choose,
      test,
      delta,
      thresholdRule,
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
    return release.released ? { released: true, labels: release.candidates } : { released: false };
  }
}
