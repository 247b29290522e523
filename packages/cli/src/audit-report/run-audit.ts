/**
 * Runs the parts of the audit that were asked for, one subject after the other, and gathers what they found.
 * @module
 */
import { cpus } from "node:os";
import type { Entropy } from "winnow-dp";
import { SOFTWARE } from "../version.js";
import { AUDIT_SCHEMA, type AuditReport, entriesOf } from "./audit-report.js";
import { type AuditSubjects, auditSubjects } from "./audit-subjects.js";
import { auditAttack } from "./parts/audit-attacks.js";
import { auditClaim, auditRuns, auditTree } from "./parts/audit-exactly.js";
import { auditFiles } from "./parts/audit-files.js";
import { auditReplay } from "./parts/audit-replay.js";
import { auditTiming } from "./parts/audit-timing.js";
import { replayRows } from "./parts/replay-subjects.js";

export type AuditPart = "attacks" | "exact" | "replay" | "data" | "timing";

export interface AuditSetting {
  readonly parts: readonly AuditPart[];
  /** Fewer runs. */
  readonly quick: boolean;
  /** Before each subject: its name and the share of subjects done. */
  readonly onSubject: (name: string, share: number) => Promise<void>;
  /** Ends the audit between two subjects. */
  readonly signal?: AbortSignal | undefined;
  /** Default: the system's generator. */
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

/** Goes through the subjects that are wanted and tells how far it is. */
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

  /** What the audit of each subject of a kind finds; nothing if its part is not wanted. */
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
