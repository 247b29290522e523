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
import { Metrics } from "./metrics.js";
import type { Service, ServiceEvent } from "./service.js";

/** What no one but the operator can put right, before anything is charged again. */
const LOST_LEDGER: ReadonlySet<string> = new Set(["ledger-broken", "ledger-replaced", "missing-ledger"]);

/** An analyst asked for what the operator doesn't allow, for what is someone else's, or too often. */
const DENIALS: ReadonlySet<string> = new Set(["not-allowed", "not-found", "too-many-requests"]);

export class Watch {
  readonly log: Log;
  readonly #metrics: Metrics;

  constructor(config: Config, write: (line: string) => void = () => {}) {
    const vocabulary: Vocabulary = {
      routes: Object.values(OPERATIONS).map(({ path }) => path),
      codes: [...Object.keys(CATALOGUE), ...FACT_CODES],
      analysts: Object.keys(config.analysts),
      datasets: Object.keys(config.datasets),
    };
    this.log = new Log(vocabulary, write);
    this.#metrics = new Metrics(vocabulary);
  }

  /** A request was answered. */
  request(request: ObservedRequest): void {
    const { route = "", status, dataset = "", code, release } = request;
    this.#metrics.request(route, status);
    if (release?.isStored) this.#metrics.servedStored(dataset);
    else if (release !== undefined) this.#metrics.released(dataset);
    if (code !== undefined) this.#metrics.refused(code);
    this.#tell(request);
  }

  /** One line about a request, and none about a stranger's except the first that are denied: strangers can't fill a disk. */
  #tell({ cause, release, unforeseen, address, ...rest }: ObservedRequest): void {
    const { status, code = "", analyst } = rest;
    if (unforeseen !== undefined) this.log.unexpected(unforeseen, rest);
    else if (code === "unauthenticated" || (analyst !== undefined && DENIALS.has(code)))
      this.log.write("info", "denied", { ...rest, address });
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

  async metrics(service: Service, { queue }: Limits): Promise<string> {
    const ages = service
      .datasets()
      .flatMap(({ name, counted }) => (counted ? [[name, counted.seconds]] : []));
    const { failure, sequence } = await service.pulse.state();
    return this.#metrics.page({
      waiting: queue.length,
      running: queue.running,
      countsAge: Object.fromEntries(ages),
      ledgerSequence: sequence,
      ledgerAnswers: failure === undefined,
    });
  }
}
