/**
 * What the operator sees: a line of the log for each request and event, and the page of metrics. Both are made of words that
 * are known before the first request and of public numbers (log.ts, metrics.ts).
 * @module
 */
import { CATALOGUE, FACT_CODES } from "winnow-release";
import type { Config } from "./config.js";
import type { ObservedRequest } from "./http/messages.js";
import { OPERATIONS } from "./http/openapi.js";
import type { Limits } from "./limits.js";
import { Log, type Vocabulary } from "./log.js";
import { Metrics, type ProcessUse } from "./metrics.js";
import { PROBLEM_CODES } from "./problems.js";
import { type Service, type ServiceEvent, within } from "./service.js";
import { Tracer } from "./tracer.js";

/** What no one but the operator can put right, before anything is charged again. */
const LOST_LEDGER: ReadonlySet<string> = new Set(["ledger-broken", "ledger-replaced", "missing-ledger"]);

/** An analyst asked for what the operator doesn't allow, for what is someone else's, or too often. */
const DENIALS: ReadonlySet<string> = new Set(["not-allowed", "not-found", "too-many-requests"]);

/** How far the time of a tick may be from a whole number of ticks. */
const ROUNDING = 1e-6;
/** In milliseconds. */
const LONGEST_LOOK = 1000;

export class Watch {
  readonly #write: (line: string) => void;
  readonly #metrics: Metrics;
  readonly #tracer: Tracer | undefined;
  readonly #tick: number;
  readonly #version: string;
  #budgetsLeft: Readonly<Record<string, number>> = {};
  #log: Log;
  #isProviderAway = false;

  constructor(config: Config, version: string, write: (line: string) => void = () => {}) {
    this.#write = write;
    this.#tick = config.tick;
    this.#version = version;
    const { traces } = config.operator;
    this.#tracer =
      traces &&
      new Tracer({
        ...traces,
        version,
        datasets: Object.keys(config.datasets),
        onChange: (isFailing) => this.#traces(isFailing),
      });
    this.#log = new Log(vocabularyOf(config), write);
    this.#metrics = new Metrics({ ...vocabularyOf(config), codes: PROBLEM_CODES });
  }

  get log(): Log {
    return this.#log;
  }

  /** The operator's file has other analysts now. */
  reload(config: Config): void {
    this.#log = new Log(vocabularyOf(config), this.#write);
  }

  /** The identity provider stopped answering, or answers again. */
  provider(isAway: boolean): void {
    this.#isProviderAway = isAway;
    this.log.write(isAway ? "warn" : "info", isAway ? "provider-failed" : "provider-recovered");
  }

  /** A request was answered. */
  request(request: ObservedRequest): void {
    const { route = "", status, dataset = "", code, release, milliseconds } = request;
    this.#metrics.request(route, status, milliseconds / 1000);
    if (release?.isStored) this.#metrics.servedStored(dataset);
    else if (release !== undefined) this.#released(request, dataset);
    this.#tracer?.request(request);
    if (code !== undefined) this.#metrics.refused(code);
    this.#tell(request);
  }

  /** With the tick at which it was charged, counted from its arrival. */
  #released({ phases }: ObservedRequest, dataset: string): void {
    const charge = phases.find(({ name }) => name === "charge");
    this.#metrics.released(dataset, Math.max(1, Math.floor((charge?.from ?? 0) / this.#tick + ROUNDING)));
    for (const { name, milliseconds } of phases) this.#metrics.phase(name, milliseconds / 1000);
  }

  #traces(isFailing: boolean): void {
    this.log.write(isFailing ? "warn" : "info", isFailing ? "traces-failed" : "traces-recovered");
  }

  /** Sends the traces that wait. */
  async close(): Promise<void> {
    await this.#tracer?.close();
  }

  /** One line about a request, and none about a stranger's except the first that are denied: strangers can't fill a disk. */
  #tell({
    cause,
    release,
    unforeseen,
    address,
    because,
    arrived: _,
    phases: __,
    traceparent: ___,
    ...rest
  }: ObservedRequest): void {
    const { status, code = "", analyst } = rest;
    if (unforeseen !== undefined) this.log.unexpected(unforeseen, rest);
    else if (code === "unauthenticated" || (analyst !== undefined && DENIALS.has(code)))
      this.log.write("info", "denied", { ...rest, address, because });
    else if (analyst === undefined) return;
    else if (status >= 500 && cause !== undefined)
      this.log.write(LOST_LEDGER.has(cause) ? "error" : "warn", "failed", { ...rest, code: cause });
    else if (release !== undefined && !release.isStored)
      this.log.write("info", "released", { ...rest, sequence: release.sequence });
    else this.log.write("info", rest.code === undefined ? "request" : "refused", rest);
  }

  /** An address had too many connections already. */
  connectionRefused(): void {
    this.#metrics.connectionRefused();
  }

  /** Something happened that an analyst doesn't see. */
  event(event: ServiceEvent): void {
    this.#count(event);
    if (event.event === "ledger-reconnected") return;
    if (event.event === "ledger-answers") this.log.write("info", "recovered");
    else if (event.event === "count-slow") this.log.write("warn", "slow", { dataset: event.dataset });
    else if (event.event === "rows-doubtful")
      this.log.write("warn", "doubtful", { dataset: event.dataset, code: event.code });
    else if (event.event === "ledger-failed")
      this.log.write(LOST_LEDGER.has(event.code) ? "error" : "warn", "failed", { code: event.code });
    else if (event.code === "unexpected")
      this.log.unexpected(event.cause, { dataset: event.dataset, code: event.code });
    else this.log.write("warn", "failed", { dataset: event.dataset, code: event.code });
  }

  #count(event: ServiceEvent): void {
    if (event.event === "ledger-reconnected") this.#metrics.reconnected();
    else if (event.event === "count-slow") this.#metrics.countSlow(event.dataset);
    else if (event.event === "rows-doubtful") this.#metrics.rowsDoubtful(event.dataset);
    else if ("cause" in event) this.#metrics.countFailed(event.dataset);
  }

  async metrics(service: Service, { queue }: Limits, nextExpiry = Infinity): Promise<string> {
    const ages = service
      .datasets()
      .flatMap(({ name, counted }) => (counted ? [[name, counted.seconds]] : []));
    const { failure, sequence } = await service.pulse.state();
    if (failure === undefined) await within(this.#lookAtBudgets(service), LONGEST_LOOK);
    return this.#metrics.page({
      waiting: queue.length,
      running: queue.running,
      countsAge: Object.fromEntries(ages),
      budgetLeft: this.#budgetsLeft,
      ledgerSequence: sequence,
      ledgerAnswers: failure === undefined,
      providerAnswers: !this.#isProviderAway,
      keyExpires: (nextExpiry - Date.now()) / 1000,
      spansDropped: this.#tracer?.dropped ?? 0,
      process: processUse(),
      version: this.#version,
    });
  }

  /** Keeps what is known if the ledger doesn't answer in time. */
  async #lookAtBudgets(service: Pick<Service, "budgetsLeft">): Promise<void> {
    try {
      this.#budgetsLeft = await service.budgetsLeft();
    } catch {
      // The next look at the ledger says so.
    }
  }
}

function processUse(): ProcessUse {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return {
    residentBytes: rss,
    heapBytes: heapUsed,
    processorSeconds: (user + system) / 1e6,
    startSeconds: performance.timeOrigin / 1000,
  };
}

function vocabularyOf({ analysts, datasets }: Config): Vocabulary {
  return {
    routes: Object.values(OPERATIONS).map(({ path }) => path),
    codes: [...Object.keys(CATALOGUE), ...FACT_CODES],
    analysts: Object.keys(analysts),
    datasets: Object.keys(datasets),
    keys: Object.values(analysts).flatMap(({ keys }) => keys.flatMap(({ label }) => label ?? [])),
  };
}
