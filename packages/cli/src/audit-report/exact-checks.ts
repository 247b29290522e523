/**
 * The exact part of the audit: promises against exact distributions, code against exact distributions and, where
 * both are too large, runs against promises, with a planted fault beside each.
 *
 * The audit checks the code and not only its formula: the library's functions run on every string of random bits up to
 * a depth, and the exact mass of each outcome must agree with the closed form.
 * @module
 */

import {
  base2ExponentialLaw,
  clampedLaplaceLaw,
  discreteLaplaceTail,
  type ExactClaim,
  exponentialMechanismRound,
  exponentialTopKLaw,
  type Law,
  multiLabelLaw,
  noisyMaxLaw,
  peeledLaw,
  proposeTestReleaseLaw,
  type RunClaim,
  topKWithGapLaw,
} from "winnow-audit";
import {
  base2Exponential,
  clampedLaplace,
  type Entropy,
  eta,
  labelByTeachers,
  permuteAndFlip,
  proposeTestRelease,
  rational,
  reportNoisyMax,
  topK,
  topKWithGap,
} from "winnow-dp";
import { bitTree } from "winnow-dp/testing";
import type { ExactEntry, RunsEntry, TreeEntry } from "./audit-report.js";

export function auditClaim({
  mechanism,
  instance,
  promise,
  source = "",
  unit,
  check,
}: ExactClaim): ExactEntry {
  const { claimed, found, where, pairs, holds } = check();
  return { mechanism, instance, promise, source, unit, claimed, found: found.least, where, pairs, holds };
}

/** The exact probability of every outcome must lie between its mass and its mass plus the undecided mass. */
export function auditTree({ mechanism, instance, depth, sample, law }: TreeSubject): TreeEntry {
  const { mass, undecided, leaves } = bitTree(sample, { depth });
  const expected = law();
  const isUnexpected = [...mass.keys()].some((outcome) => !expected.has(outcome));
  const isWrong = [...expected].some(([outcome, probability]) => {
    const least = mass.get(outcome) ?? rational(0);
    return probability.isBelow(least) || probability.isAbove(least.plus(undecided));
  });
  return {
    mechanism,
    instance,
    depth,
    leaves,
    undecided: undecided.toNumber("up"),
    outcomes: expected.size,
    holds: !isUnexpected && !isWrong,
  };
}

interface RunsSetting {
  readonly runs: number;
  readonly confidence: string;
  readonly entropy?: Entropy | undefined;
}

/** Ours must not be refuted, and the fault must be. */
export function auditRuns(claim: RunClaim, setting: RunsSetting): RunsEntry {
  const { mechanism, instance, fault } = claim;
  const [epsilon, delta] = [rational(claim.epsilon), rational(claim.delta)];
  const [ours, faulty] = [claim.ours(setting), claim.faulty(setting)];
  return {
    mechanism,
    instance,
    epsilon: epsilon.toNumber(),
    delta: String(delta),
    runs: setting.runs,
    ours: ours.epsilon.toNumber("down"),
    fault,
    faulty: faulty.epsilon.toNumber("down"),
    holds: ours.epsilon.compare(epsilon) <= 0 && faulty.epsilon.compare(epsilon) > 0,
  };
}

export interface TreeSubject {
  readonly mechanism: string;
  readonly instance: string;
  readonly depth: number;
  /** The outcome's name. */
  readonly sample: (entropy: Entropy) => string;
  readonly law: () => Law;
}

const HALF = eta(1, 1, 1);
const LARGEST_GAP = 2;

/** Both choose one winner of two at ε = 2. */
const TWO = [1, 0];

function gapName(gap: bigint): string {
  return gap < LARGEST_GAP ? String(gap) : `>=${LARGEST_GAP}`;
}

const UTILITIES = [0, 1, 2.5];
const RANGE = { lower: 0, upper: 3 };

function base2Subject(mode: "optimised" | "constant-work"): TreeSubject {
  const options = { eta: HALF, ...RANGE, maxCandidates: 3, mode, minRetries: 1 };
  return {
    mechanism: `base2Exponential, ${mode}`,
    instance: `utilities ${UTILITIES.join(", ")}`,
    depth: mode === "optimised" ? 18 : 14,
    sample: (entropy) =>
      String(base2Exponential(UTILITIES, (utility) => utility, { ...options, entropy }).candidate),
    law: () => base2ExponentialLaw(UTILITIES, { eta: HALF, ...RANGE }),
  };
}

/** Four teachers vote for the first of two labels, and one of them for the second as well. */
const VOTES = Uint8Array.of(1, 1, 1, 0, 1, 0, 1, 0);

function labelsSubject(): TreeSubject {
  const noise = { choose: { noise: "gumbel", scale: 1 }, test: { scale: 2 } } as const;
  const options = { task: "multi-label", teachers: 4, labels: 2, delta: "1/5", ...noise } as const;
  return {
    mechanism: "labelByTeachers, multi-label",
    instance: "4 teachers, 2 labels, counts 4, 1",
    depth: 16,
    sample: (entropy) => {
      const [answer] = labelByTeachers([VOTES], { ...options, entropy }).answers;
      return answer.released ? answer.labels.join(" ") : "nothing";
    },
    law: () => {
      const test = { gapSensitivity: 2, threshold: 2, tail: discreteLaplaceTail(2) };
      return multiLabelLaw([4, 1], { maxK: 1, scale: 1, ...test });
    },
  };
}

export const TREE_SUBJECTS: readonly TreeSubject[] = [
  {
    mechanism: "permuteAndFlip",
    instance: "scores 1, 0",
    depth: 16,
    sample: (entropy) => String(permuteAndFlip(TWO, { scale: 1, entropy }).candidate),
    law: () => exponentialTopKLaw(TWO, { k: 1, scale: 1 }),
  },
  {
    mechanism: "topK with rho",
    instance: "scores 1, 0",
    depth: 16,
    sample: (entropy) => String(topK(TWO, { k: 1, rho: "1/8", entropy }).winners[0].candidate),
    law: () => peeledLaw(exponentialMechanismRound, TWO, { k: 1, scale: 2 }),
  },
  {
    mechanism: "topKWithGap",
    instance: "scores 1, 0, gaps up to 2",
    depth: 14,
    sample: (entropy) => {
      const [{ candidate: index, gap }] = topKWithGap(TWO, { k: 1, scale: "1/2", entropy }).winners;
      return `${index} by ${gapName(gap.floor())}`;
    },
    law: () => topKWithGapLaw(TWO, { k: 1, scale: "1/2", resolution: 1, largestGap: LARGEST_GAP }),
  },
  {
    mechanism: "reportNoisyMax, laplace",
    instance: "scores 1, 0",
    depth: 16,
    sample: (entropy) => String(reportNoisyMax(TWO, { noise: "laplace", scale: 1, entropy }).candidate),
    law: () => noisyMaxLaw(TWO, "laplace", 1),
  },
  base2Subject("optimised"),
  base2Subject("constant-work"),
  {
    mechanism: "clampedLaplace",
    instance: "the value 1 on a grid from 0 to 3",
    depth: 16,
    sample: (entropy) => {
      const options = { lower: 0, upper: 3, step: 1, eta: HALF, entropy };
      return String(clampedLaplace(1, options).value);
    },
    law: () => clampedLaplaceLaw(1, 3, HALF),
  },
  {
    mechanism: "proposeTestRelease",
    instance: "counts 4, 1, 0, k = 1",
    depth: 16,
    sample: (entropy) => {
      const options = { k: 1, scale: 1, delta: "1/10", monotone: true, entropy };
      const release = proposeTestRelease([4, 1, 0], options);
      return release.released ? release.candidates.join(" ") : "nothing";
    },
    law: () => {
      const test = { gapSensitivity: 1, threshold: 1, tail: discreteLaplaceTail(1) };
      return proposeTestReleaseLaw([4, 1, 0], 1, test);
    },
  },
  labelsSubject(),
  {
    mechanism: "labelByTeachers, multi-class",
    instance: "3 teachers, 2 classes, counts 2, 1",
    depth: 16,
    sample: (entropy) => {
      const choose = { noise: "gumbel", scale: 1 } as const;
      const options = { task: "multi-class", teachers: 3, labels: 2, choose, entropy } as const;
      const [answer] = labelByTeachers([[0, 1, 0]], options).answers;
      return answer.released ? String(answer.labels) : "nothing";
    },
    law: () => noisyMaxLaw([2, 1], "gumbel", 1),
  },
];
