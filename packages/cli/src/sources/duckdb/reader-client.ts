/**
 * The run's side of the reader's process: starts it, asks it one thing at a time, and ends it when it is too slow, when the
 * run is interrupted and when all is read. However it ends, its private folder is removed.
 * @module
 */
import type { ChildProcess } from "node:child_process";
import { Refusal } from "../../refusal.js";
import { makePrivateFolder, removePrivateFolder } from "./private-folder.js";
import type { Progress, Reply, Request } from "./reader-protocol.js";
import { startReader } from "./reader-start.js";

interface Waiting {
  resolve(reply: Reply): void;
  reject(refusal: Refusal): void;
}

export class ReaderClient {
  readonly folder = makePrivateFolder();
  readonly #process: ChildProcess;
  /** Milliseconds that reading may still take, over all requests; what the run does in between is not reading. */
  #timeLeft: number | undefined;
  readonly #removeFolder = () => removePrivateFolder(this.folder);
  #waiting: Waiting | undefined;
  #ending: Refusal | undefined;
  onProgress: ((share: number | undefined) => void) | undefined;

  constructor(timeLimit: number | undefined, hasInput: boolean) {
    this.#timeLeft = timeLimit;
    this.#process = startReader(hasInput);
    process.on("exit", this.#removeFolder);
    this.#process.on("message", (message: Reply | Progress) => this.#take(message));
    this.#process.on("error", () => this.#over(startFailed()));
    this.#process.on("exit", (_, signal) => this.#over(endRefusal(signal)));
  }

  /** Sends a request and waits for its reply; a refusal is thrown. */
  async ask<Kind extends Reply["kind"]>(
    request: Request,
    kind: Kind,
    signal?: AbortSignal,
  ): Promise<Reply & { kind: Kind }> {
    if (this.#ending !== undefined) throw this.#ending;
    const reply = this.#reply();
    const stop = () => this.#end(reasonOf(signal));
    const stopTimer = this.#startTimer();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      if (signal?.aborted) stop();
      else this.#process.send(request, () => {}); // a process that is gone says so by its exit
      return expectKind(await reply, kind);
    } finally {
      stopTimer();
      signal?.removeEventListener("abort", stop);
    }
  }

  async close(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const gone = new Promise((resolve) => this.#process.once("exit", resolve));
      this.#end(new Refusal("unreadable-source", "The source is closed."));
      await gone;
    }
    this.#removeFolder();
  }

  /** Gives what stops it. */
  #startTimer(): () => void {
    const left = this.#timeLeft;
    if (left === undefined) return () => {};
    const start = performance.now();
    const timer = setTimeout(() => this.#end(tooSlow()), left);
    return () => {
      clearTimeout(timer);
      this.#timeLeft = Math.max(0, left - (performance.now() - start));
    };
  }

  #reply(): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  #take(message: Reply | Progress): void {
    if (message.kind === "progress") this.onProgress?.(message.share);
    else {
      this.#waiting?.resolve(message);
      this.#waiting = undefined;
    }
  }

  #end(refusal: Refusal): void {
    this.#over(refusal);
    this.#process.kill("SIGKILL");
  }

  /** The first reason counts. */
  #over(refusal: Refusal): void {
    this.#ending ??= refusal;
    this.#waiting?.reject(this.#ending);
    this.#waiting = undefined;
    if (this.#process.exitCode === null && this.#process.signalCode === null) return;
    this.#removeFolder();
    process.off("exit", this.#removeFolder);
  }
}

function expectKind<Kind extends Reply["kind"]>(reply: Reply, kind: Kind): Reply & { kind: Kind } {
  if (reply.kind === "refused") throw new Refusal(reply.code, reply.sentence);
  if (reply.kind !== kind) throw new Refusal("unreadable-source", "The reader gave an unexpected reply.");
  return reply as Reply & { kind: Kind };
}

function reasonOf(signal: AbortSignal | undefined): Refusal {
  const reason: unknown = signal?.reason;
  return reason instanceof Refusal ? reason : new Refusal("interrupted", "The run was interrupted.");
}

function tooSlow(): Refusal {
  return new Refusal("source-limit", "Reading took longer than the time limit allows.");
}

function startFailed(): Refusal {
  return new Refusal("unreadable-source", "The process that reads the source could not be started.");
}

function endRefusal(signal: NodeJS.Signals | null): Refusal {
  if (signal === "SIGINT" || signal === "SIGTERM")
    return new Refusal("interrupted", "The run was interrupted.");
  return new Refusal(
    "source-limit",
    "The process that reads the source was ended, most likely for want of memory.",
  );
}
