/**
 * How much of the service one analyst, or one stranger, can use. Every limit counts public things only (who asks, when,
 * how many at once), so a refusal tells nothing about rows.
 *
 *   rate     requests per minute with a burst, for each analyst, and for each address that isn't authenticated
 *   queue    how many requests work at once and how many wait, of one analyst and of all; one analyst after another
 *   time     how long a request may wait and work; then its `AbortSignal` fires
 *
 * A refusal says the seconds after which it is worth trying again.
 * Memory is bounded: the rates of the longest idle are forgotten first. A stranger with thousands of addresses can use
 * that to be forgotten, but not to slow anyone else down. Comparisons are written so that NaN refuses.
 * @module
 */

import { isIPv6 } from "node:net";
import { Refusal } from "winnow-release";
import { integerFrom, optional, readOptions } from "./options.js";
import { type Clock, PROCESS_CLOCK } from "./time-grid.js";

/** In whole seconds, for `Retry-After`. */
const SOON = { after: 1 };

const REQUESTS = integerFrom(1, 1_000_000);

export interface RateOptions {
  readonly perMinute: number;
  /** Requests that may come at once after a pause. */
  readonly burst: number;
  /** Names whose rates are remembered at once. */
  readonly names: number;
}

const MINUTE = 60_000;

/**
 * A token bucket for each name, kept as one number: when the bucket will be full again. A request costs an interval of that
 * time and is admitted if at most a burst of them is owed.
 */
export class RateLimit {
  readonly #interval: number;
  readonly #most: number;
  readonly #names: number;
  readonly #fullAt = new Map<string, number>();
  readonly #clock: Pick<Clock, "now">;

  constructor(options: RateOptions, clock: Pick<Clock, "now"> = PROCESS_CLOCK) {
    const readers = { perMinute: REQUESTS, burst: REQUESTS, names: REQUESTS };
    const { perMinute, burst, names } = readOptions<RateOptions>(options, readers);
    this.#interval = MINUTE / perMinute;
    this.#most = burst * this.#interval;
    this.#names = names;
    this.#clock = clock;
  }

  /** Counts a request; throws if it is one too many. A refused request costs nothing. */
  take(name: string): void {
    const now = this.#clock.now();
    const fullAt = Math.max(this.#fullAt.get(name) ?? now, now) + this.#interval;
    const owed = fullAt - now;
    // A millionth of an interval forgives rounding: tokens come back at times that aren't whole.
    if (!(owed <= this.#most + this.#interval / 1e6))
      throw new Refusal("too-many-requests", "Too many requests in a short time.", {
        after: seconds(owed - this.#most),
      });
    this.#fullAt.delete(name); // the newest last
    this.#fullAt.set(name, fullAt);
    for (const oldest of this.#fullAt.keys()) {
      if (this.#fullAt.size <= this.#names) break;
      this.#fullAt.delete(oldest);
    }
  }

  /** Names that are remembered now. */
  get size(): number {
    return this.#fullAt.size;
  }
}

/** Whole seconds, at least one. */
function seconds(milliseconds: number): number {
  return milliseconds > 1000 ? Math.ceil(milliseconds / 1000) : 1;
}

/** Under which name an address is counted: of IPv6 its network of 64 bits, because one machine has all addresses of it. */
export function addressBlock(address: string): string {
  const plain = address.replace(/%.*$/s, "");
  if (!isIPv6(plain)) return plain.slice(0, 45);
  const url = new URL(`http://[${plain}]`).hostname.slice(1, -1); // one spelling of each address
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(url);
  if (mapped !== null)
    return mapped
      .slice(1)
      .flatMap((pair) => [Number.parseInt(pair, 16) >> 8, Number.parseInt(pair, 16) & 255])
      .join(".");
  const [head, tail = ""] = url.split("::");
  const [first, last] = [head, tail].map((part) => (part === "" ? [] : part.split(":")));
  const missing = url.includes("::") ? 8 - first.length - last.length : 0;
  const groups = [...first, ...Array.from({ length: missing }, () => "0"), ...last];
  return `${groups.slice(0, 4).join(":")}::/64`;
}

export interface QueueOptions {
  /** Requests under way at once: of all, and of one analyst. */
  readonly running: number;
  readonly runningEach: number;
  /** Requests that wait: of all, and of one analyst. One more is refused. */
  readonly waiting: number;
  readonly waitingEach: number;
  /** How long one may wait and work, in milliseconds. */
  readonly milliseconds: number;
}

interface Job {
  readonly start: () => void;
  readonly refuse: (refusal: unknown) => void;
}

/** An analyst with something to do. */
interface Turn {
  running: number;
  readonly jobs: Job[];
}

/**
 * Requests of one analyst in the order of arrival, and one of each analyst in turn, so that an analyst with a hundred waiting
 * delays another's first by one. Whenever a place is free, only analysts wait who have all their places.
 */
export class WorkQueue {
  readonly #options: QueueOptions;
  /** In the order in which analysts take turns; who has nothing running and nothing waiting isn't here. */
  readonly #turns = new Map<string, Turn>();
  #length = 0;
  #running = 0;
  #closing: { readonly ended: Promise<void>; readonly end: () => void } | undefined;

  constructor(options: QueueOptions) {
    this.#options = readOptions<QueueOptions>(options, {
      running: integerFrom(1, 10_000),
      runningEach: integerFrom(1, 10_000),
      waiting: integerFrom(0, 1_000_000),
      waitingEach: integerFrom(0, 1_000_000),
      milliseconds: integerFrom(1, 86_400_000),
    });
  }

  /** Requests that wait. */
  get length(): number {
    return this.#length;
  }

  /** Requests under way. */
  get running(): number {
    return this.#running;
  }

  /**
   * Does the work in its turn, and returns what it returns. The signal given to the work fires at the time limit or when the
   * caller's own does. A request that waits ends there. Work under way isn't abandoned, because it may be charging: it sees
   * the signal, and its place is free when it has ended.
   */
  async run<T>(analyst: string, work: (signal: AbortSignal) => Promise<T>, caller?: AbortSignal): Promise<T> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(tooSlow()), this.#options.milliseconds);
    const signal = caller === undefined ? limit.signal : AbortSignal.any([caller, limit.signal]);
    try {
      await this.#turn(analyst, signal);
      try {
        signal.throwIfAborted();
        return await work(signal);
      } finally {
        this.#leave(analyst);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Resolves when it is this analyst's turn, with the place taken. */
  async #turn(analyst: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#closing !== undefined) throw shuttingDown();
    const { running, runningEach, waiting, waitingEach } = this.#options;
    const turn = this.#turns.get(analyst) ?? { running: 0, jobs: [] };
    if (this.#running < running && turn.running < runningEach) {
      this.#turns.set(analyst, turn);
      this.#start(turn);
      return;
    }
    if (!(turn.jobs.length < waitingEach))
      throw new Refusal("too-many-requests", "Too many requests at once.", SOON);
    if (!(this.#length < waiting))
      throw new Refusal("busy", "The service is busy, and its queue is full.", SOON);
    if (turn.jobs.length === 0) this.#turns.delete(analyst); // takes its turn behind those who wait already
    this.#turns.set(analyst, turn);
    this.#length++;
    const { promise, resolve, reject } = promiseWithResolvers();
    const job: Job = { start: resolve, refuse: reject };
    turn.jobs.push(job);
    const leave = () => {
      const at = turn.jobs.indexOf(job);
      if (at < 0) return; // it has started, or was refused
      turn.jobs.splice(at, 1);
      this.#length--;
      this.#forgetIdle(analyst, turn);
      reject(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    await promise.finally(() => signal.removeEventListener("abort", leave));
  }

  #start(turn: Turn): void {
    turn.running++;
    this.#running++;
  }

  #leave(analyst: string): void {
    const turn = this.#turns.get(analyst)!; // it has something running
    turn.running--;
    this.#running--;
    this.#forgetIdle(analyst, turn);
    this.#startNext();
    if (this.#running === 0) this.#closing?.end();
  }

  #forgetIdle(analyst: string, turn: Turn): void {
    if (turn.running === 0 && turn.jobs.length === 0) this.#turns.delete(analyst);
  }

  #startNext(): void {
    const { running, runningEach } = this.#options;
    for (const [analyst, turn] of this.#turns) {
      if (this.#running >= running || this.#length === 0) return;
      if (turn.jobs.length === 0 || turn.running >= runningEach) continue;
      this.#turns.delete(analyst);
      this.#turns.set(analyst, turn); // behind all others, and this loop comes to it again
      this.#length--;
      this.#start(turn);
      turn.jobs.shift()!.start();
    }
  }

  /** Refuses requests that wait or come, and resolves when the work under way has ended. */
  close(): Promise<void> {
    if (this.#closing === undefined) {
      const { promise, resolve } = promiseWithResolvers();
      this.#closing = { ended: promise, end: resolve };
      for (const [analyst, turn] of [...this.#turns]) {
        for (const job of turn.jobs.splice(0)) job.refuse(shuttingDown());
        this.#forgetIdle(analyst, turn);
      }
      this.#length = 0;
      if (this.#running === 0) resolve();
    }
    return this.#closing.ended;
  }
}

/** The request took longer than it may. */
export function tooSlow(): Refusal {
  return new Refusal("busy", "The request took longer than its time limit.", SOON);
}

function shuttingDown(): Refusal {
  return new Refusal("shutting-down", "The service is shutting down.", SOON);
}

/** `Promise.withResolvers`, which Node 20 doesn't have. */
function promiseWithResolvers() {
  let resolve!: () => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<void>((yes, no) => {
    [resolve, reject] = [yes, no];
  });
  return { promise, resolve, reject };
}

/** As in the operator's file; what is left out has its default. */
export interface LimitsOptions {
  /** Requests of one analyst per minute; a sixth of them may come at once. */
  readonly requestsPerMinute?: number | undefined;
  /** Requests of one address that isn't authenticated, per minute. */
  readonly strangersPerMinute?: number | undefined;
  /** Requests under way at once: of one analyst, and of all. */
  readonly concurrent?: number | undefined;
  readonly allConcurrent?: number | undefined;
  /** Requests that wait: of one analyst, and of all. */
  readonly waiting?: number | undefined;
  readonly allWaiting?: number | undefined;
  /** In seconds. */
  readonly time?: number | undefined;
}

/** How many names are remembered: more analysts than a team has, and few enough addresses to keep. */
const NAMES = 10_000;

/** All limits of a service. */
export class Limits {
  readonly queue: WorkQueue;
  readonly #analysts: RateLimit;
  readonly #strangers: RateLimit;

  constructor(options: LimitsOptions = {}, clock: Pick<Clock, "now"> = PROCESS_CLOCK) {
    const read = readOptions<{ [F in keyof LimitsOptions]-?: number }>(options, {
      requestsPerMinute: optional(REQUESTS, 120),
      strangersPerMinute: optional(REQUESTS, 60),
      concurrent: optional(integerFrom(1, 10_000), 4),
      allConcurrent: optional(integerFrom(1, 10_000), 32),
      waiting: optional(integerFrom(0, 1_000_000), 16),
      allWaiting: optional(integerFrom(0, 1_000_000), 256),
      time: optional(integerFrom(1, 86_400), 60),
    });
    const rate = (perMinute: number) =>
      new RateLimit({ perMinute, burst: Math.ceil(perMinute / 6), names: NAMES }, clock);
    this.#analysts = rate(read.requestsPerMinute);
    this.#strangers = rate(read.strangersPerMinute);
    this.queue = new WorkQueue({
      running: read.allConcurrent,
      runningEach: read.concurrent,
      waiting: read.allWaiting,
      waitingEach: read.waiting,
      milliseconds: read.time * 1000,
    });
  }

  /** Counts a request that isn't authenticated, from this address. */
  stranger(address: string): void {
    this.#strangers.take(addressBlock(address));
  }

  /** Counts a request of an analyst. */
  analyst(name: string): void {
    this.#analysts.take(name);
  }
}
