/**
 * Starts the worker from its own file. The single-file build replaces this module by one that carries the worker inside.
 * @module
 */

export function startWorker(): Worker {
  return new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
}
