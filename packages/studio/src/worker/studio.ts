/**
 * The studio behind the page: one file, one ledger, and at most one task of each kind at a time.
 * @module
 */
import { BrowserLedger } from "../ledger/browser-ledger.js";
import type { LedgerMemory } from "../ledger/ledger-memory.js";
import type { StudioWorker } from "./api.js";
import { attackShapes, playAttack } from "./attacking.js";
import { DataSession } from "./data-session.js";
import { ledgerView } from "./ledger-view.js";
import { planPoints } from "./planning.js";
import { costOf, releaseOnce } from "./releasing.js";
import { Task } from "./task.js";

/** As the worker exposes it: the page first hands over the memory that it keeps on the worker's behalf. */
export interface ExposedStudio extends StudioWorker {
  remember(memory: LedgerMemory): void;
}

export function createStudio(): ExposedStudio {
  const session = new DataSession();
  const tasks = new Map<string, Task>();
  let ledger: BrowserLedger | undefined;
  const requireLedger = () => {
    if (ledger === undefined) throw new Error("the page has to hand over its memory first");
    return ledger;
  };
  /** A new task of a kind ends the one before. */
  const begin = (kind: string): Task => {
    tasks.get(kind)?.cancel();
    const task = new Task();
    tasks.set(kind, task);
    return task;
  };
  return {
    remember: (memory) => {
      ledger = new BrowserLedger(memory);
    },
    open: (file) => {
      begin("count").cancel();
      return session.open(file);
    },
    count: (columns, onProgress) => session.count(columns, begin("count"), onProgress),
    setCandidates: (list) => session.setCandidates(list),
    cost: (dataset, asked) => costOf(session, requireLedger(), dataset, asked),
    plan: (request, onPoint) => planPoints(session, request, begin("plan"), onPoint),
    release: (request) => releaseOnce(session, requireLedger(), request),
    cancel: async () => {
      for (const task of tasks.values()) task.cancel();
    },
    ledger: ledgerView(requireLedger),
    attacks: async () => attackShapes(),
    attack: (id, rounds, onScore) => playAttack(id, rounds, begin("attack"), onScore),
  };
}
