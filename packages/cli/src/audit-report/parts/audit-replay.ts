/**
 * Replays as a part of the audit: the same rows without each person in turn, several runs, and what was found in all of them.
 * @module
 */
import { type Entropy, systemEntropy } from "winnow-dp";
import { type Row, replay, type Violation, withoutEachUser } from "winnow-dp/audit";
import type { ReplayEntry } from "../audit-report.js";
import type { ReplaySubject } from "./replay-subjects.js";

export interface ReplaySetting {
  readonly rows: readonly Row[];
  /** Each with fresh bits. */
  readonly runs: number;
  readonly entropy?: Entropy | undefined;
}

export function auditReplay(subject: ReplaySubject, setting: ReplaySetting): ReplayEntry {
  const { name, expected, mechanism } = subject;
  const { rows, runs, entropy = systemEntropy() } = setting;
  const replays = Array.from({ length: runs }, () =>
    replay(mechanism, { input: rows, neighbours: withoutEachUser(rows), entropy }),
  );
  const violations = replays.flatMap((one) => one.violations);
  return {
    name,
    expected,
    steps: replays[0].steps,
    runs,
    neighbours: replays[0].neighbours,
    violations: [...new Set(violations.map(inWords))],
    holds: expected === "none" ? violations.length === 0 : violations.some(({ kind }) => kind === expected),
  };
}

function inWords({ step, message }: Violation): string {
  return step === "release" ? `the release ${message}` : `"${step}" ${message}`;
}
