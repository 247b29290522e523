/**
 * The file that each worker thread of `topKParallel` runs.
 * @module winnow-dp/parallel-worker
 */
import { listen, nodeModule, type Port } from "./select/stream-worker.js";

const { postMessage } = globalThis as { postMessage?: unknown };
const port =
  typeof postMessage === "function"
    ? (globalThis as unknown as Port) // a worker of browsers, Deno and Bun
    : nodeModule<{ readonly parentPort: Port | null }>("worker_threads")?.parentPort;
if (port) listen(port);
