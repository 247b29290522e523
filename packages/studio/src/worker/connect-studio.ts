/**
 * Starts the worker and speaks to it: the page calls plain asynchronous functions, and a refusal arrives as the same class
 * that was thrown over there.
 * @module
 */
import { type ProxyMarked, proxy, wrap } from "comlink";
import { localMemory } from "../ledger/ledger-memory.js";
import type { LedgerApi, StudioWorker } from "./api.js";
import { refusalsCross } from "./refusals-cross.js";
import { startWorker } from "./start-worker.js";
import type { ExposedStudio } from "./studio.js";

/** The functions of the ledger are called in place; the mark says so to comlink's types. */
type Exposed = Omit<ExposedStudio, "ledger"> & { readonly ledger: LedgerApi & ProxyMarked };

/** `onStop` is called when the worker cannot start or go on: whoever waits for it then waits in vain. */
export function connectStudio(onStop: () => void): StudioWorker {
  refusalsCross();
  const worker = startWorker();
  worker.addEventListener("error", onStop);
  const remote = wrap<Exposed>(worker);
  void remote.remember(proxy(localMemory())); // messages keep their order: it is there before anything is asked
  return {
    open: (file) => remote.open(file),
    count: (columns, onProgress) => remote.count(columns, proxy(onProgress)),
    setCandidates: (list) => remote.setCandidates(list),
    cost: (dataset, asked) => remote.cost(dataset, asked),
    plan: (request, onPoint) => remote.plan(request, proxy(onPoint)),
    release: (request) => remote.release(request),
    cancel: (work) => remote.cancel(work),
    ledger: {
      status: (dataset) => remote.ledger.status(dataset),
      init: (dataset, budget) => {
        askForRoom();
        return remote.ledger.init(dataset, budget);
      },
      log: (dataset) => remote.ledger.log(dataset),
      datasets: () => remote.ledger.datasets(),
    },
    attacks: () => remote.attacks(),
    attack: (id, rounds, onScore) => remote.attack(id, rounds, proxy(onScore)),
  };
}

/** A wish, which a browser may take its time to grant: the ledger notices if it is evicted all the same. */
function askForRoom(): void {
  navigator.storage?.persist?.().catch(() => false);
}
