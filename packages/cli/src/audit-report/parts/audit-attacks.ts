/**
 * The attacks as a part of the audit: each must break textbook code and fail on ours.
 * @module
 */
import { type Entropy, rational } from "winnow-dp";
import type { Attack, GameResult } from "winnow-dp/audit";
import type { AttackEntry, GameEntry } from "../audit-report.js";

export interface AttackRun {
  readonly confidence: string;
  /** Of the rounds that an attack asks for. */
  readonly share: number;
  readonly entropy?: Entropy | undefined;
}

export function auditAttack(attack: Attack, { confidence, share, entropy }: AttackRun): AttackEntry {
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
