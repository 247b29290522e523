/**
 * What is audited, by kind. Tests plant false claims among them.
 * @module
 */
import {
  type Attack,
  attacks,
  type ExactClaim,
  exactClaims,
  type RunClaim,
  runClaims,
} from "winnow-dp/audit";
import { type FilesSubject, generatedFiles } from "./parts/audit-files.js";
import { type ReplaySubject, replaySubjects } from "./parts/replay-subjects.js";
import { TREE_SUBJECTS, type TreeSubject } from "./parts/tree-subjects.js";
import { TIMED_SUBJECTS, type TimedSubject } from "./timing/timed-subjects.js";

export interface AuditSubjects {
  readonly attacks: readonly Attack[];
  readonly claims: readonly ExactClaim[];
  readonly trees: readonly TreeSubject[];
  readonly runs: readonly RunClaim[];
  readonly replays: readonly ReplaySubject[];
  readonly files: readonly FilesSubject[];
  readonly timings: readonly TimedSubject[];
}

export function auditSubjects(): AuditSubjects {
  return {
    attacks,
    claims: exactClaims(),
    trees: TREE_SUBJECTS,
    runs: runClaims(),
    replays: replaySubjects(),
    files: [generatedFiles],
    timings: TIMED_SUBJECTS,
  };
}
