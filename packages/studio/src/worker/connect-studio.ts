/**
 * Starts the worker and speaks to it: the page calls plain asynchronous functions, and a refusal arrives as the same class
 * that was thrown over there.
 * @module
 */
import { type ProxyMarked, proxy, wrap } from "comlink";
import type { LedgerApi, StudioWorker } from "./api.js";
import { refusalsCross } from "./refusals-cross.js";
import { startWorker } from "./start-worker.js";

/** The functions of the ledger are called in place; the mark says so to comlink's types. */
type Exposed = Omit<StudioWorker, "ledger"> & { readonly ledger: LedgerApi & ProxyMarked };

export function connectStudio(): StudioWorker {
  refusalsCross();
  const remote = wrap<Exposed>(startWorker());
  return {
    open: (file) => remote.open(file),
    count: (columns, onProgress) => remote.count(columns, proxy(onProgress)),
    setCandidates: (list) => remote.setCandidates(list),
    cost: (dataset, asked) => remote.cost(dataset, asked),
    plan: (request, onPoint) => remote.plan(request, proxy(onPoint)),
    release: (request) => remote.release(request),
    cancel: () => remote.cancel(),
    ledger: {
      status: (dataset) => remote.ledger.status(dataset),
      init: (dataset, budget) => remote.ledger.init(dataset, budget),
      log: (dataset) => remote.ledger.log(dataset),
      datasets: () => remote.ledger.datasets(),
    },
    attack: (name, runs, onProgress) => remote.attack(name, runs, proxy(onProgress)),
  };
}
