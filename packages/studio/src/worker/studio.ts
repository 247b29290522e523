/**
 * The studio behind the page: one file, one ledger, and at most one task of each kind at a time.
 * @module
 */
import { BrowserLedger } from "../ledger/browser-ledger.js";
import type { LedgerMemory } from "../ledger/ledger-memory.js";
import { costOf, planPoints, releaseOnce } from "./answering.js";
import type { StudioWorker, Work } from "./api.js";
import { attackShapes, playAttack } from "./attacking.js";
import { DataSession } from "./data-session.js";
import { ledgerView } from "./ledger-view.js";

import { Task } from "./task.js";

/** As the worker exposes it: the page first hands over the memory that it keeps on the worker's behalf. */
export interface ExposedStudio extends StudioWorker {
  remember(memory: LedgerMemory): void;
}

export function createStudio(): ExposedStudio {
  const session = new DataSession();
  const tasks = new Map<Work, Task>();
  let ledger: BrowserLedger | undefined;
  const requireLedger = () => {
    if (ledger === undefined) throw new Error("the page has to hand over its memory first");
    return ledger;
  };
  const end = (...works: readonly Work[]) => {
    for (const work of works) tasks.get(work)?.cancel();
  };
  /** A new task of a kind ends the one before. */
  const begin = (work: Work): Task => {
    end(work);
    const task = new Task();
    tasks.set(work, task);
    return task;
  };
  return {
    remember: (memory) => {
      ledger = new BrowserLedger(memory);
    },
    open: (file) => {
      end("count", "plan"); // of the file before
      return session.open(file, begin("open"));
    },
    count: (columns, onProgress) => {
      end("plan");
      return session.count(columns, begin("count"), onProgress);
    },
    setCandidates: (list) => session.setCandidates(list, begin("list")),
    cost: (dataset, asked) => costOf(session, requireLedger(), dataset, asked),
    plan: (request, onPoint) => planPoints(session, request, begin("plan"), onPoint),
    release: (request) => releaseOnce(session, requireLedger(), request),
    cancel: async (work) => end(work),
    ledger: ledgerView(requireLedger),
    attacks: async () => attackShapes(),
    attack: (id, rounds, onScore) => playAttack(id, rounds, begin("attack"), onScore),
  };
}
