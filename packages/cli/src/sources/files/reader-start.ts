/**
 * Starting the reader's process. Its engine takes a while to load. A program that knows early that it will read a
 * file starts the process before it loads the rest of itself, so the two load side by side. For the same reason
 * this file imports next to nothing.
 * @module
 */
import { type ChildProcess, fork } from "node:child_process";
import { inPackage } from "../../this-package.js";

/** The bundled file, even when running from source: a process can't be started from TypeScript. */
const PROCESS = inPackage("bin/reader-process.js");
const HEAP_MEGABYTES = 512;

let early: ChildProcess | undefined;

/** A process that waits for its first request, and doesn't keep this one alive. */
export function startEarly(): void {
  early ??= startProcess();
  early.unref();
  early.channel?.unref();
}

/** The process that was started early, or a new one; always a new one if it inherits a descriptor as its standard input. */
export function startReader(input?: number): ChildProcess {
  const started = input === undefined ? early : undefined;
  if (started?.connected !== true) return startProcess(input);
  early = undefined;
  started.ref();
  started.channel?.ref();
  return started;
}

function startProcess(input?: number): ChildProcess {
  return fork(PROCESS, {
    stdio: [input ?? "ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
    execArgv: [`--max-old-space-size=${HEAP_MEGABYTES}`],
  });
}
