/**
 * Traces in the form of OpenTelemetry, sent over HTTP as JSON (OTLP 1.x) to the operator's collector: a span for each request of an
 * analyst, and one in it for each phase. The protocol is a few fields, so no library of it is loaded into the process that holds the rows.
 *
 * How long phases take may depend on rows: traces are private, and the resource says so. Spans are made of the words that the log has:
 * neither questions nor answers, rows, names of items or texts of errors. Requests of strangers make none. Spans wait in
 * memory, at most `MOST_WAITING`, and are sent in the background; a collector that doesn't answer costs spans and nothing else.
 * @module
 */
import { randomBytes } from "node:crypto";
import type { ObservedRequest } from "./http/messages.js";
import { METHODS } from "./log.js";

export interface TracesConfig {
  /** The address of the collector, to which `/v1/traces` is added. */
  readonly endpoint: string;
  /** Sent along, such as a token of the collector. */
  readonly headers: Readonly<Record<string, string>>;
  /** The first of each `oneIn` requests is traced. */
  readonly oneIn: number;
}

export interface TracerOptions extends TracesConfig {
  readonly version: string;
  /** The names that spans may have. */
  readonly datasets: readonly string[];
  /** The collector stopped taking spans, or takes them again. */
  readonly onChange?: (isFailing: boolean) => void;
}

const MOST_WAITING = 4096;
const MOST_SENT = 512;
/** In milliseconds: between batches, and for one of them. */
const [PAUSE, PATIENCE] = [2000, 5000];

const [INTERNAL, SERVER] = [1, 2];
const [UNSET, ERROR] = [0, 2];

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code: number };
}

type Attribute = ReturnType<typeof attribute>;

export class Tracer {
  readonly #options: TracerOptions;
  readonly #address: string;
  #waiting: Span[] = [];
  #sending: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #seen = 0;
  #isFailing = false;
  /** Spans that were given up. */
  dropped = 0;

  constructor(options: TracerOptions) {
    this.#options = options;
    this.#address = `${options.endpoint.replace(/\/+$/, "")}/v1/traces`;
  }

  /** A request was answered. */
  request(request: ObservedRequest): void {
    if (request.analyst === undefined) return;
    const parent = parentIn(request.traceparent);
    const isChosen = this.#seen++ % this.#options.oneIn === 0;
    if (!(parent?.isSampled ?? isChosen)) return;
    const spans = spansOf(request, parent, this.#options.datasets);
    const room = Math.max(0, MOST_WAITING - this.#waiting.length);
    this.#waiting.push(...spans.slice(0, room));
    this.dropped += Math.max(0, spans.length - room);
    if (this.#waiting.length >= MOST_SENT) this.#send();
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#send();
    }, PAUSE).unref();
  }

  /** Sends what waits. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#send();
    await this.#sending;
  }

  #send(): void {
    this.#sending = this.#sending.then(async () => {
      while (this.#waiting.length > 0) {
        const spans = this.#waiting.splice(0, MOST_SENT);
        const isTaken = await this.#post(spans);
        if (!isTaken) this.dropped += spans.length;
        if (isTaken === this.#isFailing) this.#options.onChange?.(!isTaken);
        this.#isFailing = !isTaken;
      }
    });
  }

  async #post(spans: readonly Span[]): Promise<boolean> {
    const { headers, version } = this.#options;
    const attributes = [
      attribute("service.name", "winnow"),
      attribute("service.version", version),
      attribute("winnow.private", true),
    ];
    const body = {
      resourceSpans: [
        { resource: { attributes }, scopeSpans: [{ scope: { name: "winnow", version }, spans }] },
      ],
    };
    try {
      const response = await fetch(this.#address, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(body),
        redirect: "error",
        signal: AbortSignal.timeout(PATIENCE),
      });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  }
}

interface Parent {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** As a trusted proxy sent it (W3C Trace Context). */
function parentIn(traceparent: string | undefined): Parent | undefined {
  const [, traceId = "", spanId = "", flags = ""] =
    /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(traceparent ?? "") ?? [];
  if (!/[1-9a-f]/.test(traceId) || !/[1-9a-f]/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

function spansOf(request: ObservedRequest, parent: Parent | undefined, datasets: readonly string[]): Span[] {
  const { route = "unknown", status, dataset, code, analyst, arrived, milliseconds, phases } = request;
  const method = (METHODS as readonly string[]).includes(request.method) ? request.method : "_OTHER";
  const traceId = parent?.traceId ?? randomBytes(16).toString("hex");
  const spanId = newId();
  const start = arrived.getTime();
  const root: Span = {
    traceId,
    spanId,
    ...(parent && { parentSpanId: parent.spanId }),
    name: `${method} ${route}`,
    kind: SERVER,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(start + milliseconds),
    attributes: [
      attribute("http.request.method", method),
      attribute("http.route", route),
      attribute("http.response.status_code", status),
      attribute("winnow.request", request.request),
      ...(analyst === undefined ? [] : [attribute("winnow.analyst", analyst)]),
      ...(dataset === undefined || !datasets.includes(dataset) ? [] : [attribute("winnow.dataset", dataset)]),
      ...(code === undefined ? [] : [attribute("winnow.code", code)]),
    ],
    status: { code: status >= 500 ? ERROR : UNSET },
  };
  const inner = phases.map(({ name, from, milliseconds: taken }) => ({
    traceId,
    spanId: newId(),
    parentSpanId: spanId,
    name,
    kind: INTERNAL,
    startTimeUnixNano: nanoseconds(start + from),
    endTimeUnixNano: nanoseconds(start + from + taken),
    attributes: [],
    status: { code: UNSET },
  }));
  return [root, ...inner];
}

function newId(): string {
  return randomBytes(8).toString("hex");
}

/** As JSON writes 64 bits. */
function nanoseconds(milliseconds: number): string {
  return String(BigInt(Math.round(milliseconds * 1000)) * 1000n);
}

function attribute(key: string, value: string | number | boolean) {
  if (typeof value === "boolean") return { key, value: { boolValue: value } };
  return { key, value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value } };
}
