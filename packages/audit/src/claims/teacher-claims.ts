/**
 * The promise of `labelByTeachers`, over all votes of a few teachers: the loss that a run of one query reports,
 * against the laws of its answer when one teacher is replaced, which is the promise, and when one more teacher votes,
 * which moves the counts by no more than that.
 * @module
 */
import { labelByTeachers, type TeacherOptions, type ZcdpLoss } from "winnow-dp";
import { StabilityTest } from "winnow-dp/internal";
import type { Law } from "../laws/law.js";
import { noisyMaxLaw } from "../laws/noisy-max-laws.js";
import { discreteGaussianTail, multiLabelLaw } from "../laws/stable-laws.js";
import {
  allElections,
  allHistograms,
  checkApprox,
  checkZcdp,
  type ExactClaim,
  pairsOf,
  withOneMore,
  withOneReplaced,
  withOneVoteMore,
  withOneVoteMoved,
} from "./check-claim.js";

type Counts = readonly number[];
type Neighbours = (counts: Counts) => Counts[];

/** The loss of one query, as a run reports it: of these votes as of any others. */
function reportedLoss(options: TeacherOptions): ZcdpLoss {
  const isMultiLabel = options.task === "multi-label";
  const nobodySaysYes = new Uint8Array(options.teachers * (isMultiLabel ? options.labels : 1));
  return labelByTeachers([nobodySaysYes], options).privacy as ZcdpLoss; // without a limit
}

const TEACHERS = 6;
const LABELS = 3;

/** Noise is small and δ large, so that everything that can happen does. */
const MULTI_LABEL = {
  task: "multi-label",
  teachers: TEACHERS,
  labels: LABELS,
  choose: { noise: "gumbel", scale: 4 },
  test: { variance: 16 },
  delta: "1/10",
} as const;

function multiLabelAnswers(): (counts: Counts) => Law {
  const { choose, test, delta } = MULTI_LABEL;
  const { threshold } = new StabilityTest(2n, test, { delta });
  const tail = discreteGaussianTail(test.variance);
  const options = { maxK: LABELS - 1, scale: choose.scale, gapSensitivity: 2, threshold, tail };
  return (counts) => multiLabelLaw(counts, options);
}

function multiLabelClaim(change: string, neighbours: Neighbours): ExactClaim {
  return {
    mechanism: "labelByTeachers, multi-label",
    instance: `all votes of ${TEACHERS} teachers on ${LABELS} labels, ${change}`,
    promise: `ρ = 1/4, δ = ${MULTI_LABEL.delta}`,
    unit: "δ",
    check: () =>
      checkApprox(
        pairsOf(allHistograms(LABELS, TEACHERS), neighbours, multiLabelAnswers()),
        reportedLoss(MULTI_LABEL),
      ),
  };
}

interface MultiClass {
  readonly noise: "gumbel" | "gaussian";
  readonly classes: number;
}

/** Of the noise: a scale, or a variance. Both make ρ = 1/8. */
const SIZE = { gumbel: 2, gaussian: 8 };

function multiClassClaim({ noise, classes }: MultiClass, change: string, neighbours: Neighbours): ExactClaim {
  const choose = noise === "gumbel" ? { noise, scale: SIZE.gumbel } : { noise, variance: SIZE.gaussian };
  const options = { task: "multi-class", teachers: TEACHERS, labels: classes, choose } as const;
  return {
    mechanism: "labelByTeachers, multi-class",
    instance: `all votes of ${TEACHERS} teachers on ${classes} classes, ${noise} noise, ${change}`,
    promise: "ρ = 1/8",
    unit: "ρ",
    check() {
      const law = (counts: Counts) => noisyMaxLaw(counts, noise, SIZE[noise]);
      return checkZcdp(pairsOf(allElections(classes, TEACHERS), neighbours, law), reportedLoss(options).rho);
    },
  };
}

const REPLACED = "one replaced";
const ONE_MORE = "one more";

export function teacherClaims(): readonly ExactClaim[] {
  return [
    multiLabelClaim(REPLACED, (counts) => withOneReplaced(counts, TEACHERS)),
    multiLabelClaim(ONE_MORE, withOneMore),
    multiClassClaim({ noise: "gumbel", classes: 3 }, REPLACED, withOneVoteMoved),
    multiClassClaim({ noise: "gumbel", classes: 3 }, ONE_MORE, withOneVoteMore),
    multiClassClaim({ noise: "gaussian", classes: 2 }, REPLACED, withOneVoteMoved),
  ];
}
