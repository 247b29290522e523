/**
 * `topKParallel`: `topK` and `topKWithGap` on every core, for ten million candidates and more. Worker threads take parts of
 * the scores, each with a `TopKStream` of its own and its own noise; what can still win in a part is merged here. The law is
 * that of one thread, because races merge exactly.
 *
 * Scores are in shared memory, where all threads read them, or they come in chunks, which are moved to a thread as they come.
 * Memory is O(k) a worker beside that.
 *
 * Cost: that of `topKWithGap`, divided by the number of cores; a thread takes some tens of milliseconds to start. Proof:
 * race/race.proof.md.
 * @module winnow-dp/parallel
 */

import type { LossOf } from "./accounting/loss.js";
import type { LooseOptions, Spend } from "./accounting/spend.js";
import { type ErrorFields, invalidData, WinnowError } from "./errors.js";
import type { Rational, RationalLike } from "./exact/rational.js";
import { callable, integer, kindOf, positiveRational, readOptions } from "./options.js";
import { areShared, type Scores } from "./race/scores.js";
import type { Ranked } from "./select/answers.js";
import { SELECTION, type SelectionOptions } from "./select/options.js";
import type { StreamState } from "./select/stream-state.js";
import { nodeModule, pushPart, type Report, type Task } from "./select/stream-worker.js";
import { TopKStream, type TopKStreamOptions } from "./select/top-k-stream.js";
import { type AbortOptions, aSignal, untilAborted } from "./until-aborted.js";

/** Scores of consecutive candidates, part by part, as typed arrays of any kind, there already or arriving over time. */
export type ScoreChunks = Iterable<ArrayBufferView & Scores> | AsyncIterable<ArrayBufferView & Scores>;

/** A worker thread of browsers, Deno and Bun, or of Node. */
export interface WorkerThread {
  /** Sends a message to the thread. */
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  /** Ends the thread. */
  terminate(): unknown;
}

/**
 * What `topKParallel` is asked: the settings, and exactly one of `epsilon`, `rho` and `scale`.
 *
 * @typeParam Names Those that it may be.
 */
export type TopKParallelOptions<Names extends "epsilon" | "rho" | "scale" = "epsilon" | "rho" | "scale"> =
  Spend<Names> &
    Omit<SelectionOptions, "entropy"> &
    AbortOptions & {
      /** How many winners, from 1 to the number of candidates; with gaps, one less. */
      readonly k: number;
      /** Release gaps, rounded down to multiples of this; not with `rho`. */
      readonly resolution?: RationalLike | undefined;
      /** How many worker threads. Default: none for fewer than ten million candidates, else one for each core. */
      readonly workers?: number | undefined;
      /**
       * Starts a thread that runs `winnow-dp/parallel-worker`, where the default cannot: after a bundler that moved the file, or
       * to keep threads for the next selection (then give one whose `terminate` does nothing).
       */
      readonly startWorker?: (() => WorkerThread) | undefined;
    };

/** From this many candidates on, threads are worth their start. */
const WORTH_IT = 10_000_000;
/**
 * How many candidates of shared memory a thread takes at a time: at first many, because each piece has a first cut and a
 * merge of its own, and few at the end, so that all threads are done at about the same time.
 */
const [LARGEST_PIECE, SMALLEST_PIECE] = [16_000_000, 1_000_000];
/** A piece is this share of what a thread would still have to do. */
const SHARE = 1 / 3;
const MOST_WORKERS = 256;
/** How many parts a thread is sent before it has answered, so that it never waits. */
const AHEAD = 2;

/**
 * The k candidates with the largest scores in their order, differentially private, found by several threads. With a
 * `resolution`, also by how much each leads the next.
 *
 * Guarantee: that of `topK` and `topKWithGap`, with the same law. See docs/guide/scale.md.
 *
 * @param scores The scores of a public list of candidates: a typed array in shared memory, which no one may change in the
 * meantime, or chunks of them, whose memory is moved to the threads and empty afterwards. An array that is not in shared
 * memory is searched by this thread: to copy it would take longer.
 * @param options How many winners, the budget, how one individual can move scores, and how many threads.
 *
 * @example
 * ```ts
 * import { topKParallel } from "winnow-dp/parallel";
 *
 * const visitors = new Float64Array(new SharedArrayBuffer(8 * 1000));
 * visitors[7] = 90_000;
 * const { winners } = await topKParallel(visitors, { k: 1, epsilon: 1, resolution: 50_000 });
 * winners; // → [{ candidate: 7, gap: 50000 }]
 * ```
 */
export function topKParallel(
  scores: Scores | ScoreChunks,
  options: TopKParallelOptions<"epsilon">,
): Promise<Ranked<number, LossOf<Rational>["pure"]>>;
export function topKParallel(
  scores: Scores | ScoreChunks,
  options: TopKParallelOptions<"rho">,
): Promise<Ranked<number, LossOf<Rational>["zcdp"]>>;
export function topKParallel(
  scores: Scores | ScoreChunks,
  options: TopKParallelOptions<"epsilon" | "scale">,
): Promise<Ranked<number, LossOf["pure"]>>;
export function topKParallel(scores: Scores | ScoreChunks, options: TopKParallelOptions): Promise<Ranked>;
export async function topKParallel(
  scores: Scores | ScoreChunks,
  options: TopKParallelOptions,
): Promise<Ranked> {
  const { entropy: _, ...selection } = SELECTION;
  const { workers, startWorker, signal, ...settings } = readOptions<LooseOptions<TopKParallelOptions>>(
    options,
    { k: integer },
    { ...selection, ...PARALLEL },
  );
  const { parts, total } = partsOf(scores, workers ?? cores());
  const whole = new TopKStream(settings as TopKStreamOptions);
  signal?.throwIfAborted();
  const crew = new Crew(settings, startWorker ?? newWorker, signal);
  try {
    let count = 0;
    for await (const part of untilAborted(parts, crew.signal)) {
      if (total !== HERE && kindOf(part) === "") throw invalidChunks();
      const { length } = part; // it is empty after it was moved
      const isWorthIt = (total ?? count + length) >= WORTH_IT;
      if (crew.size === 0 && total !== HERE) crew.start(workers ?? (isWorthIt ? cores() : 0));
      if (crew.size > 0) await crew.take(part, count);
      else pushPart(whole, part, count, settings.negate);
      count += length;
    }
    for (const state of await crew.end()) whole.attach(state);
  } finally {
    crew.close();
  }
  return whole.finish();
}

const PARALLEL = {
  resolution: positiveRational,
  workers: (field: string, value: number) => integer(field, value, 0, MOST_WORKERS),
  startWorker: callable,
  signal: aSignal,
};

/** The total of an array that no other thread can read. */
const HERE = -1;

/** Chunks or pieces of an array, and how many candidates they are, if that is known. */
function partsOf(scores: Scores | ScoreChunks, workers: number): { parts: Parts; total?: number } {
  if (areShared(scores)) return { parts: piecesOf(scores, workers), total: scores.length };
  const isArray = Array.isArray(scores) ? kindOf(scores[0]) === "" : "length" in Object(scores);
  if (isArray) return { parts: [scores as Scores], total: HERE };
  if (Symbol.iterator in Object(scores) || Symbol.asyncIterator in Object(scores))
    return { parts: scores as ScoreChunks };
  throw invalidChunks();
}

function invalidChunks(): WinnowError {
  return invalidData("scores", "an array of numbers, or chunks that are typed arrays", "invalid-parameter");
}

type Parts = Iterable<Scores> | AsyncIterable<Scores>;

function* piecesOf(scores: Float64Array, workers: number): Generator<Float64Array> {
  for (let from = 0; from < scores.length; ) {
    const left = (scores.length - from) / Math.max(workers, 1);
    const size = Math.ceil(Math.min(Math.max(left * SHARE, SMALLEST_PIECE), LARGEST_PIECE));
    yield scores.subarray(from, from + size);
    from += size;
  }
}

/** Tells selections apart that a thread works for one after the other. */
let jobs = 0;

interface Member {
  readonly thread: WorkerThread;
  /** How many tasks it has not answered yet. */
  pending: number;
  state: StreamState | undefined;
  /** Stops listening to it. */
  leave(): void;
}

/** The threads of one selection. If one fails, or the caller's signal is aborted, all of it is over. */
class Crew {
  readonly #job = ++jobs;
  readonly #settings: unknown;
  readonly #newThread: () => WorkerThread;
  readonly #given: AbortSignal | undefined;
  readonly #stop = new AbortController();
  readonly #members: Member[] = [];
  #wake = () => {};

  constructor(settings: unknown, newThread: () => WorkerThread, given: AbortSignal | undefined) {
    this.#settings = settings;
    this.#newThread = newThread;
    this.#given = given;
    given?.addEventListener("abort", this.#onAbort);
  }

  readonly #onAbort = () => this.#end(this.#given?.reason);

  /** Aborted when the selection is over before its end. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get size(): number {
    return this.#members.length;
  }

  start(count: number): void {
    while (this.size < count) {
      const thread = this.#newThread();
      const member: Member = { thread, pending: 0, state: undefined, leave: () => {} };
      this.#members.push(member);
      member.leave = hear(thread, this.#job, (report) => this.#hear(member, report), this.#onFailure);
      this.#send(member, { settings: this.#settings as TopKStreamOptions }, []);
    }
  }

  /** Gives these scores to the thread with the least to do, once one has little to do. */
  async take(scores: Scores, first: number): Promise<void> {
    const idlest = () => this.#members.reduce((a, b) => (b.pending < a.pending ? b : a));
    await this.#until(() => idlest().pending < AHEAD);
    const { buffer, byteLength } = scores as Float64Array;
    if (areShared(scores)) this.#send(idlest(), { scores, first }, []);
    else {
      const own =
        byteLength === buffer.byteLength ? (scores as Float64Array) : (scores as Float64Array).slice();
      this.#send(idlest(), { scores: own, first }, [own.buffer as ArrayBuffer]);
    }
  }

  /** The candidates that can still win in each part, once all threads are done. */
  async end(): Promise<StreamState[]> {
    for (const member of this.#members) this.#send(member, { end: true }, []);
    await this.#until(() => this.#members.every(({ state }) => state !== undefined));
    return this.#members.flatMap(({ state }) => state ?? []);
  }

  close(): void {
    this.#given?.removeEventListener("abort", this.#onAbort);
    for (const { thread, leave } of this.#members) {
      leave();
      thread.terminate();
    }
  }

  #send(member: Member, task: Task, transfer: ArrayBuffer[]): void {
    member.pending++;
    member.thread.postMessage({ ...task, job: this.#job }, transfer);
  }

  #hear(member: Member, report: Report): void {
    member.pending--;
    if ("state" in report) member.state = report.state;
    if ("failure" in report) {
      const { failure } = report;
      if (failure === undefined) this.#onFailure();
      else this.#end(new WinnowError(failure.code, failure.message, failure as ErrorFields));
    }
    this.#wake();
  }

  readonly #onFailure = (cause?: unknown) =>
    this.#end(
      new WinnowError("stream-finished", "a worker thread failed, and nothing was released: start again", {
        cause,
      }),
    );

  #end(reason: unknown): void {
    this.#stop.abort(reason);
    this.#wake();
  }

  async #until(isSo: () => boolean): Promise<void> {
    for (;;) {
      this.signal.throwIfAborted();
      if (isSo()) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** Listens to a thread's reports for a job and to its failures. The returned function stops listening. */
function hear(
  thread: WorkerThread,
  job: number,
  onReport: (report: Report) => void,
  onFailure: (cause?: unknown) => void,
): () => void {
  const isNodes = "on" in thread;
  const hearReport = (message: { data?: unknown }) => {
    const report = (isNodes ? message : message.data) as Report & { readonly job: number };
    if (report.job === job) onReport(report);
  };
  const hearError = (problem: { error?: unknown; message?: string; preventDefault?: () => void }) => {
    problem?.preventDefault?.(); // else a browser reports it as unhandled
    onFailure(isNodes ? problem : (problem.error ?? problem.message));
  };
  const handlers = {
    message: hearReport,
    error: hearError,
    messageerror: hearError,
    exit: () => onFailure(),
  };
  const [listen, leave] = isNodes ? ["on", "off"] : ["addEventListener", "removeEventListener"];
  const each = (method: string) => {
    for (const [type, handler] of Object.entries(handlers))
      (thread as unknown as Record<string, (type: string, handler: unknown) => void>)[method](type, handler);
  };
  each(listen);
  return () => each(leave);
}

/** A thread that runs the file beside this one. */
function newWorker(): WorkerThread {
  // As it is written here, bundlers find the file.
  if (typeof Worker === "function")
    return new Worker(new URL("./parallel-worker.js", import.meta.url), { type: "module" });
  const threads = nodeModule<{ readonly Worker: new (url: URL) => WorkerThread }>("worker_threads");
  if (threads === undefined)
    throw invalidData("workers", "0 where there are no worker threads", "invalid-parameter");
  return new threads.Worker(new URL("./parallel-worker.js", import.meta.url));
}

/** How many threads run at once. */
function cores(): number {
  const os = nodeModule<{ availableParallelism(): number }>("os");
  const count = os?.availableParallelism() ?? globalThis.navigator?.hardwareConcurrency ?? 1;
  return Math.min(count, MOST_WORKERS);
}
