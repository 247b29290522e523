/**
 * The studio behind the page: one file, one ledger, and at most one task of each kind at a time.
 * @module
 */
import { BrowserLedger } from "../ledger/browser-ledger.js";
import { type LedgerMemory, passingMemory, passingShelf } from "../ledger/ledger-storage.js";
import { alternatives } from "./alternatives.js";
import { costOf, planNumbers, planPoints, releaseOnce } from "./answering.js";
import type { StudioWorker, Work } from "./api.js";
import { attackShapes, playAttack } from "./attacking.js";
import { chooseOnGuess } from "./choosing.js";
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
  let passing: BrowserLedger | undefined;
  const kept = () => {
    if (ledger === undefined) throw new Error("the page must hand over its memory first");
    return ledger;
  };
  /** The example's people are invented, so its charges are forgotten with it. */
  const current = () => {
    if (!session.isExample) return kept();
    passing ??= new BrowserLedger(passingMemory(), passingShelf());
    return passing;
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
    open: (file, as) => {
      end("count", "plan", "compare"); // of the file before
      passing = undefined;
      return session.open(file, begin("open"), as);
    },
    close: async () => {
      end("open", "count", "plan", "compare");
      session.close();
    },
    count: (columns, onProgress) => {
      end("plan");
      return session.count(columns, begin("count"), onProgress);
    },
    setCandidates: (list) => session.setCandidates(list, begin("list")),
    setGroups: (list, columns) => session.setGroups(list, columns, begin("groups")),
    cost: (dataset, asked) => costOf(session, current(), dataset, asked),
    plan: (request, onPoint) => planPoints(session, request, begin("plan"), onPoint),
    alternatives: (asked) => alternatives(session, asked, begin("compare")),
    choose: async (asked, guess) => chooseOnGuess(asked, guess, session.lists),
    planNumbers: async (request) => planNumbers(session, request),
    release: (request) => releaseOnce(session, current(), request),
    cancel: async (work) => end(work),
    ledger: ledgerView(current, kept, session),
    attacks: async () => attackShapes(),
    attack: (id, rounds, onScore) => playAttack(id, rounds, begin("attack"), onScore),
  };
}
