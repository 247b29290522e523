/**
 * The exact part of the audit: promises against exact laws, code against exact laws, and where both are too large, runs against
 * promises with a planted fault beside each.
 * @module
 */
import { type Entropy, rational } from "winnow-dp";
import type { ExactClaim, RunClaim } from "winnow-dp/audit";
import { bitTree } from "winnow-dp/testing";
import type { ExactEntry, RunsEntry, TreeEntry } from "../audit-report.js";
import type { TreeSubject } from "./tree-subjects.js";

export function auditClaim({ mechanism, instance, promise, unit, check }: ExactClaim): ExactEntry {
  const { claimed, found, where, pairs, holds } = check();
  return { mechanism, instance, promise, unit, claimed, found: found.least, where, pairs, holds };
}

/** Every outcome's mass, and that plus what is undecided, must have the law's probability between them. */
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

export interface RunsSetting {
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
