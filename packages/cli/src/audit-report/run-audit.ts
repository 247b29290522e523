/**
 * Runs the requested parts of the audit, one subject after the other, and collects their findings. An attack must
 * break textbook code and fail on ours. Tests plant false claims among the subjects.
 * @module
 */
import { cpus } from "node:os";
import {
  type Attack,
  attacks,
  type ExactClaim,
  exactClaims,
  type GameResult,
  type RunClaim,
  runClaims,
} from "winnow-audit";
import { type Entropy, rational } from "winnow-dp";
import { SOFTWARE } from "../this-package.js";
import {
  type AttackEntry,
  AUDIT_SCHEMA,
  type AuditReport,
  entriesOf,
  type GameEntry,
} from "./audit-report.js";
import { auditClaim, auditRuns, auditTree, TREE_SUBJECTS, type TreeSubject } from "./exact-checks.js";
import {
  auditFiles,
  auditReplay,
  type FilesSubject,
  generatedFiles,
  type ReplaySubject,
  replayRows,
  replaySubjects,
} from "./replay-checks.js";
import { auditTiming, TIMED_SUBJECTS, type TimedSubject } from "./timing-checks.js";

export type AuditPart = "attacks" | "exact" | "replay" | "data" | "timing";

interface AuditSetting {
  readonly parts: readonly AuditPart[];
  /** Fewer runs. */
  readonly quick: boolean;
  /** Called before each subject with its name and the share of subjects done. */
  readonly onSubject: (name: string, share: number) => Promise<void>;
  /** Ends the audit between two subjects. */
  readonly signal?: AbortSignal | undefined;
  /** Default: the system's random generator. */
  readonly entropy?: Entropy | undefined;
}

const CONFIDENCE = "0.999999";
const USUAL = { shareOfRounds: 1, runs: 20_000, replays: 10, filePairs: 40, timings: 10_000 };
const QUICK = { shareOfRounds: 0.5, runs: 8000, replays: 2, filePairs: 8, timings: 4000 };

export async function runAudit(setting: AuditSetting, subjects = auditSubjects()): Promise<AuditReport> {
  const { quick, entropy } = setting;
  const effort = quick ? QUICK : USUAL;
  const turns = new Turns(setting, subjects);
  const rows = replayRows();
  const report = {
    schema: AUDIT_SCHEMA,
    software: SOFTWARE,
    time: new Date().toISOString(),
    machine: machine(),
    quick,
    confidence: CONFIDENCE,
    attacks: await turns.take("attacks", (attack) =>
      auditAttack(attack, { confidence: CONFIDENCE, share: effort.shareOfRounds, entropy }),
    ),
    claims: await turns.take("claims", auditClaim),
    trees: await turns.take("trees", auditTree),
    runs: await turns.take("runs", (claim) =>
      auditRuns(claim, { runs: effort.runs, confidence: CONFIDENCE, entropy }),
    ),
    replays: await turns.take("replays", (subject) =>
      auditReplay(subject, { rows, runs: effort.replays, entropy }),
    ),
    files: await turns.take("files", (subject, pause) =>
      auditFiles(subject, { pairs: effort.filePairs, pause, signal: setting.signal }),
    ),
    timings: await turns.take("timings", (subject, pause) => auditTiming(subject, effort.timings, pause)),
  } as const;
  return { ...report, holds: entriesOf(report).every(({ holds }) => holds) };
}

/** The part that each kind of subject belongs to. */
const PART_OF: Readonly<Record<keyof AuditSubjects, AuditPart>> = {
  attacks: "attacks",
  claims: "exact",
  trees: "exact",
  runs: "exact",
  replays: "replay",
  files: "data",
  timings: "timing",
};

/** Goes through the requested subjects and reports progress. */
class Turns {
  readonly #setting: AuditSetting;
  readonly #subjects: AuditSubjects;
  readonly #count: number;
  #done = 0;

  constructor(setting: AuditSetting, subjects: AuditSubjects) {
    this.#setting = setting;
    this.#subjects = subjects;
    const kinds = Object.keys(PART_OF) as (keyof AuditSubjects)[];
    this.#count = kinds.reduce((sum, kind) => sum + (this.#isWanted(kind) ? subjects[kind].length : 0), 0);
  }

  #isWanted(kind: keyof AuditSubjects): boolean {
    return this.#setting.parts.includes(PART_OF[kind]);
  }

  /** The findings for each subject of a kind; none if its part was not requested. */
  async take<Kind extends keyof AuditSubjects, Entry>(
    kind: Kind,
    audit: (
      subject: AuditSubjects[Kind][number],
      pause: (share: number) => Promise<void>,
    ) => Entry | Promise<Entry>,
  ): Promise<Entry[] | undefined> {
    if (!this.#isWanted(kind)) return undefined;
    const entries: Entry[] = [];
    for (const subject of this.#subjects[kind]) {
      const pause = async (share: number) => {
        await this.#setting.onSubject(nameOf(subject), (this.#done + share) / this.#count);
        this.#setting.signal?.throwIfAborted();
      };
      await pause(0);
      entries.push(await audit(subject, pause));
      this.#done++;
    }
    return entries;
  }
}

function nameOf(subject: AuditSubjects[keyof AuditSubjects][number]): string {
  if ("title" in subject) return subject.title;
  return "name" in subject ? subject.name : `${subject.mechanism}: ${subject.instance}`;
}

function machine(): AuditReport["machine"] {
  const [first] = cpus();
  const platform = `${process.platform} ${process.arch}`;
  return { processor: first?.model ?? "unknown", node: process.version, platform };
}

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

interface AttackRun {
  readonly confidence: string;
  /** The share of an attack's rounds to run. */
  readonly share: number;
  readonly entropy?: Entropy | undefined;
}

function auditAttack(attack: Attack, { confidence, share, entropy }: AttackRun): AttackEntry {
  const { id, title, mistake, trick, defence, source, epsilon, delta, textbook, ours } = attack;
  const result = attack.run({ rounds: Math.ceil(attack.rounds * share), confidence, entropy });
  return {
    id,
    title,
    mistake,
    trick,
    defence,
    source,
    epsilon: String(rational(epsilon)),
    delta: String(rational(delta)),
    mostSuccess: result.mostSuccess,
    textbook: gameEntry(textbook.name, result.textbook),
    ours: gameEntry(ours.name, result.ours),
    holds: result.holds,
  };
}

function gameEntry(name: string, { rounds, success, loss, isBroken }: GameResult): GameEntry {
  return { name, rounds, ...success, loss: loss.toNumber("down"), isBroken };
}
