/**
 * Subjects that are quick to audit, and the same with a false claim among them.
 * @module
 */
import { attacks, defineAttack, runClaims } from "winnow-audit";
import { type AuditSubjects, auditSubjects } from "../../src/audit-report/run-audit.js";

/** One subject of each kind, without the stopwatch. */
export function fewSubjects(): AuditSubjects {
  const all = auditSubjects();
  return {
    attacks: attacks.filter(({ id }) => id === "ties-by-index"),
    claims: all.claims.slice(1, 2),
    trees: all.trees.slice(4, 5),
    runs: runClaims().slice(2),
    replays: all.replays,
    files: [],
    timings: [],
  };
}

/** "Ours" is the textbook's. */
export function withBrokenAttack(): AuditSubjects {
  const subjects = fewSubjects();
  const planted = subjects.attacks.map((attack) => defineAttack({ ...attack, ours: attack.textbook }));
  return { ...subjects, attacks: planted };
}

/** The law of other scores. */
export function withWrongLaw(): AuditSubjects {
  const subjects = fewSubjects();
  const [right, other] = auditSubjects().trees;
  return { ...subjects, trees: [{ ...right, law: other.law }] };
}

/** A replay that should find nothing, of a mechanism that leaks. */
export function withLeakyReplay(): AuditSubjects {
  const subjects = fewSubjects();
  const leaky = {
    name: "leaks",
    expected: "none",
    mechanism: (rows: readonly unknown[]) => rows.length,
  } as const;
  return { ...subjects, replays: [leaky] };
}
