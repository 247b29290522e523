/**
 * Files as a source, read by an embedded DuckDB in a process of its own. This is the run's side of that process:
 * it starts the process, sends it one request at a time, and ends it when it is too slow, when the run is interrupted
 * and when everything is read. However the process ends, its private folder is removed.
 *
 * Each request gets one reply, and the next request is sent only after that. So a reader is never more than one batch
 * ahead of its run, however many candidates there are.
 * @module
 */

import type { ChildProcess } from "node:child_process";
import { fstatSync } from "node:fs";
import { Refusal, type RefusalCode } from "winnow-release";
import { fileRefusal } from "../../refusal.js";
import {
  type Batch,
  type Candidates,
  type HistogramRequest,
  isOfNumbers,
  type Source,
  type SourceOptions,
  streamAt,
} from "../source.js";
import type { Counting } from "./count-users.js";
import { isPattern } from "./find-files.js";
import { makePrivateFolder, removePrivateFolder } from "./private-folder.js";
import type { Counted } from "./reader.js";
import { startReader } from "./reader-start.js";

const ITEMS_IN_A_PART = 16_384;

export async function openDuckdb(location: string, options: SourceOptions): Promise<Source> {
  const stream = streamAt(location);
  if (typeof stream === "number") checkDescriptor(stream, location);
  const client = new ReaderClient(options.timeLimit, typeof stream === "number" ? stream : undefined);
  try {
    const { folder } = client;
    const input = typeof stream === "number" ? "standard input" : stream === undefined ? "files" : "pipe";
    const request = { kind: "open", location, input, folder, options } as const;
    const { columns, dialect } = await client.ask(request, "opened");
    return new DuckdbSource(client, columns, dialect);
  } catch (error) {
    await client.close();
    throw error;
  }
}

/**
 * The files that a location names, as the engine finds them: what guards and marks look at is what is read. None for a
 * stream, and for a pattern that nothing matches.
 */
export async function findSourceFiles(location: string): Promise<readonly string[]> {
  if (streamAt(location) !== undefined) return [];
  if (!(await isPattern(location))) return [location];
  const client = new ReaderClient();
  try {
    return (await client.ask({ kind: "find", pattern: location }, "found")).files;
  } finally {
    await client.close();
  }
}

/** A process can't be started with a descriptor that isn't open. */
function checkDescriptor(descriptor: number, location: string): void {
  try {
    fstatSync(descriptor);
  } catch (error) {
    throw fileRefusal("The file", location, error);
  }
}

class DuckdbSource implements Source {
  readonly #client: ReaderClient;
  #skipped: number | undefined;
  #values: Counted["values"];
  #rows: Counted["rows"] = {};
  #items: number | undefined;
  #delivered = 0;

  constructor(
    client: ReaderClient,
    readonly columns: readonly string[],
    readonly dialect: Readonly<Record<string, string>>,
  ) {
    this.#client = client;
  }

  async *histogram(request: HistogramRequest): AsyncGenerator<Batch> {
    const { user, candidates, bound, groups: asked, computed, signal } = request;
    const item = firstColumn(request);
    this.#client.onProgress = request.onProgress;
    this.#delivered = 0;
    const ask = this.#client;
    const groups = asked && { ...asked, isOfGroups: candidates.kind === "groups" };
    const isNumeric = isOfNumbers(candidates);
    const counting = {
      roles: { item, user },
      bound,
      groups,
      where: request.where,
      panel: request.panel,
      computed,
      isNumeric,
    };
    const counted = await ask.ask({ kind: "count", counting }, "counted", signal);
    this.#skipped = counted.skipped;
    this.#values = counted.values;
    this.#rows = counted.rows;
    this.#items = counted.items;
    const wanted = await this.#withoutItems(candidates, signal);
    const isInGroups = groups !== undefined;
    let { batch } = await ask.ask({ kind: "read", candidates: wanted, isInGroups }, "batch", signal);
    while (batch.items.length > 0) {
      this.#delivered += batch.items.length;
      yield batch;
      ({ batch } = await ask.ask({ kind: "next" }, "batch", signal));
    }
  }

  skippedLines(): number | undefined {
    return this.#skipped;
  }

  skippedValues(): Counted["rows"] & Partial<NonNullable<Counted["values"]>> {
    return this.#values ?? {};
  }

  skippedRows(): Counted["rows"] {
    return this.#rows;
  }

  itemsInRows(): number | undefined {
    return this.#items;
  }

  async similarUsers(
    columns: Pick<HistogramRequest, "item" | "user" | "computed" | "signal">,
  ): Promise<number | undefined> {
    const { user, signal } = columns;
    try {
      const request = { kind: "compare users", roles: { item: firstColumn(columns), user } } as const;
      return (await this.#client.ask(request, "compared users", signal)).similar;
    } catch (error) {
      if (signal?.aborted) throw error;
      return undefined;
    }
  }

  rowsDelivered(): number {
    return this.#delivered;
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  /** Sends a public list to the reader in parts, each after the reader has taken the last one. */
  async #withoutItems(candidates: Candidates, signal?: AbortSignal): Promise<Candidates> {
    if (candidates.kind !== "listed") return candidates;
    let part: string[] = [];
    for await (const item of candidates.items) {
      if (part.push(item) < ITEMS_IN_A_PART) continue;
      await this.#client.ask({ kind: "list", items: part }, "listed", signal);
      part = [];
    }
    if (part.length > 0) await this.#client.ask({ kind: "list", items: part }, "listed", signal);
    await this.#client.ask({ kind: "list", items: [] }, "listed", signal);
    return { kind: "listed", items: [] };
  }
}

/** The column of the item; of several, the first. */
function firstColumn({ item, computed }: Pick<HistogramRequest, "item" | "computed">): string {
  return computed?.parts[0]?.column ?? item;
}

interface Waiting {
  resolve(reply: Reply): void;
  reject(refusal: Refusal): void;
}

class ReaderClient {
  readonly folder = makePrivateFolder();
  readonly #process: ChildProcess;
  /** Milliseconds left for reading, over all requests; the time between requests doesn't count. */
  #timeLeft: number | undefined;
  readonly #removeFolder = () => removePrivateFolder(this.folder);
  #waiting: Waiting | undefined;
  #ending: Refusal | undefined;
  onProgress: ((share: number | undefined) => void) | undefined;

  constructor(timeLimit?: number, descriptor?: number) {
    this.#timeLeft = timeLimit;
    this.#process = startReader(descriptor);
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
      else this.#process.send(request, () => {}); // the exit of the process reports that it is gone
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

  /** Returns the function that stops it. */
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
  return new Refusal("unreadable-source", "The process that reads the source couldn't be started.");
}

function endRefusal(signal: NodeJS.Signals | null): Refusal {
  if (signal === "SIGINT" || signal === "SIGTERM")
    return new Refusal("interrupted", "The run was interrupted.");
  return new Refusal(
    "source-limit",
    "The process that reads the source was ended, most likely because memory ran out.",
  );
}

export type Request =
  | {
      readonly kind: "open";
      readonly location: string;
      /** Where the bytes come from: the reader's own standard input, or the location. */
      readonly input: "standard input" | "pipe" | "files";
      readonly folder: string;
      readonly options: SourceOptions;
    }
  | { readonly kind: "find"; readonly pattern: string }
  | { readonly kind: "count"; readonly counting: Counting }
  /** A part of the public list; the last one is empty. */
  | { readonly kind: "list"; readonly items: readonly string[] }
  | { readonly kind: "read"; readonly candidates: Candidates; readonly isInGroups: boolean }
  | { readonly kind: "next" }
  | { readonly kind: "compare users"; readonly roles: Counting["roles"] };

export type Reply =
  | {
      readonly kind: "opened";
      readonly columns: readonly string[];
      readonly dialect: Readonly<Record<string, string>>;
    }
  | { readonly kind: "found"; readonly files: readonly string[] }
  | ({ readonly kind: "counted" } & Counted)
  | { readonly kind: "listed" }
  /** The last one is empty. */
  | { readonly kind: "batch"; readonly batch: Batch }
  | { readonly kind: "compared users"; readonly similar: number | undefined }
  | { readonly kind: "refused"; readonly code: RefusalCode; readonly sentence: string };

export type Progress = { readonly kind: "progress"; readonly share: number | undefined };
