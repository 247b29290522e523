/**
 * Starts the worker from text that the page carries with it. A worker made of a blob inherits the page's content security
 * policy, so `connect-src 'none'` binds it too, whoever serves the page; and it starts from a file on disk as well.
 * @module
 */
import InlineWorker from "./worker.ts?worker&inline";

export function startWorker(): Worker {
  return new InlineWorker({ name: "winnow" });
}
