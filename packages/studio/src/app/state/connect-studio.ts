/**
 * The one worker of this page, and how the page speaks to it: plain asynchronous functions, and a refusal arrives as
 * the same class that was thrown over there. The worker starts with the page, so that it is warm when the first file
 * arrives.
 * @module
 */

import { signal } from "@preact/signals";
import { type ProxyMarked, proxy, wrap } from "comlink";
import { Refusal } from "winnow-release";
import { localMemory } from "../../ledger/ledger-storage.js";
import { isPage, startThread } from "../../thread.js";
import type { LedgerApi, StudioWorker } from "../../worker/api.js";
import type { ExposedStudio } from "../../worker/studio.js";
import { type Problem, problemOf, refusalsCross } from "../../worker/studio-refusal.js";

/** Set when the worker has stopped, so the page can't continue. */
export const workerProblem = signal<Problem>();

/** The worker as the page sees it. In the worker itself, which runs the same script, there is none. */
export const studio = isPage ? connectStudio(onStop) : (undefined as never);

function onStop(): void {
  const sentence = "The part of the page that reads, counts and releases has stopped.";
  workerProblem.value = problemOf(new Refusal("worker-stopped", sentence));
}

/** The functions of the ledger are called in place; the mark says so to comlink's types. */
type Exposed = Omit<ExposedStudio, "ledger"> & { readonly ledger: LedgerApi & ProxyMarked };

/** `onStop` is called when the worker can't start or continue, because its pending calls never resolve then. */
function connectStudio(onStop: () => void): StudioWorker {
  refusalsCross();
  const worker = startThread("winnow");
  worker.addEventListener("error", onStop);
  const remote = wrap<Exposed>(worker);
  void remote.remember(proxy(localMemory())); // messages keep their order: it is there before anything is asked
  return {
    open: (file, as) => remote.open(file, as),
    close: () => remote.close(),
    count: (columns, onProgress) => remote.count(columns, proxy(onProgress)),
    setCandidates: (list) => remote.setCandidates(list),
    setGroups: (list, columns) => remote.setGroups(list, columns),
    cost: (dataset, asked) => remote.cost(dataset, asked),
    plan: (request, onPoint) => remote.plan(request, proxy(onPoint)),
    alternatives: (asked) => remote.alternatives(asked),
    choose: (asked, guess) => remote.choose(asked, guess),
    planNumbers: (request) => remote.planNumbers(request),
    release: (request) => remote.release(request),
    cancel: (work) => remote.cancel(work),
    ledger: {
      status: (dataset) => remote.ledger.status(dataset),
      concern: (budget) => remote.ledger.concern(budget),
      init: (dataset, budget) => {
        askForRoom();
        return remote.ledger.init(dataset, budget);
      },
      log: (dataset) => remote.ledger.log(dataset),
      show: (dataset, id) => remote.ledger.show(dataset, id),
      datasets: () => remote.ledger.datasets(),
      lost: () => remote.ledger.lost(),
      overview: () => remote.ledger.overview(),
      kin: (dataset) => remote.ledger.kin(dataset),
      join: (file) => remote.ledger.join(file),
      last: () => remote.ledger.last(),
      save: (dataset) => remote.ledger.save(dataset),
      restore: (file) => {
        askForRoom();
        return remote.ledger.restore(file);
      },
    },
    attacks: () => remote.attacks(),
    attack: (id, rounds, onScore) => remote.attack(id, rounds, proxy(onScore)),
  };
}

/** A browser may ignore this request; the ledger notices if it is evicted. */
function askForRoom(): void {
  navigator.storage?.persist?.().catch(() => false);
}
