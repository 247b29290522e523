/**
 * Numbers for the operator's monitoring, in the text format 0.0.4 of Prometheus: what was asked and refused, how long it took,
 * how long the queue is, how old the counts are, how much of each budget is left, how long the ledger is. None is about one analyst.
 *
 * The labels are words of the same vocabulary that logs have; anything else is counted as `other`, so that a stranger can't
 * make the page grow. Counters by data set and by code begin at 0 for each of them, because Prometheus takes a series that appears
 * with its first event for one without an increase, and no alert would fire. Families that depend on rows (how long counts take, and which fail) say so in their help; the page is on the operator's port.
 * @module
 */
import { readVocabulary, type Vocabulary } from "./log.js";
import { PHASES } from "./timeline.js";

/** The type of the page. */
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

interface Family {
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly labels?: readonly string[];
  /** Upper ends of a histogram. */
  readonly buckets?: readonly number[];
  /** It depends on rows, so no analyst may see it. */
  readonly isPrivate?: true;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const TICKS = [1, 2, 3, 4, 6, 10, 20, 60];

/** All families, in the order of the page. Alert rules and dashboards are tested against them. */
export const FAMILIES = {
  winnow_requests_total: {
    type: "counter",
    help: "Requests by route and status.",
    labels: ["route", "status"],
  },
  winnow_request_seconds: {
    type: "histogram",
    help: "From the arrival of a request until its answer left, by route.",
    labels: ["route"],
    buckets: SECONDS,
    isPrivate: true,
  },
  winnow_release_phase_seconds: {
    type: "histogram",
    help: "What new releases spent their time on.",
    labels: ["phase"],
    buckets: SECONDS,
    isPrivate: true,
  },
  winnow_release_ticks: {
    type: "histogram",
    help: "At which tick after the arrival of the request a new release was charged; later than the first is late.",
    labels: ["dataset"],
    buckets: TICKS,
    isPrivate: true,
  },
  winnow_releases_total: { type: "counter", help: "New releases by data set.", labels: ["dataset"] },
  winnow_stored_answers_total: { type: "counter", help: "Stored answers given again.", labels: ["dataset"] },
  winnow_refusals_total: { type: "counter", help: "Refusals by code.", labels: ["code"] },
  winnow_counts_failed_total: {
    type: "counter",
    help: "Counts that failed on the rows, and answers that couldn't be drawn.",
    labels: ["dataset"],
    isPrivate: true,
  },
  winnow_counts_slow_total: {
    type: "counter",
    help: "Counts that took longer than a tick, so that analysts see it.",
    labels: ["dataset"],
    isPrivate: true,
  },
  winnow_rows_doubtful_total: {
    type: "counter",
    help: "Times that a curator would have been asked about the rows.",
    labels: ["dataset"],
    isPrivate: true,
  },
  winnow_connections_refused_total: { type: "counter", help: "Connections of addresses that had too many." },
  winnow_queue_waiting: { type: "gauge", help: "Requests that wait." },
  winnow_queue_running: { type: "gauge", help: "Requests under way." },
  winnow_counts_age_seconds: {
    type: "gauge",
    help: "Age of the counts in memory.",
    labels: ["dataset"],
  },
  winnow_budget_left_share: {
    type: "gauge",
    help: "At least this share of the data set's budget is left: 0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.75 or 1.",
    labels: ["dataset"],
  },
  winnow_ledger_sequence: { type: "gauge", help: "The ledger's last entry." },
  winnow_ledger_answers: { type: "gauge", help: "1 if the ledger answers, else 0." },
  winnow_ledger_reconnects_total: {
    type: "counter",
    help: "Connections to the ledger that replaced a broken one.",
  },
  winnow_identity_provider_answers: {
    type: "gauge",
    help: "0 if the last request to the identity provider failed, else 1.",
  },
  winnow_key_expires_seconds: { type: "gauge", help: "Until the next key expires, if one will." },
  winnow_spans_dropped_total: { type: "counter", help: "Spans of traces that the collector didn't take." },
  process_resident_memory_bytes: { type: "gauge", help: "Memory of the process.", isPrivate: true },
  nodejs_heap_size_used_bytes: { type: "gauge", help: "Memory of objects of JavaScript.", isPrivate: true },
  process_cpu_seconds_total: { type: "counter", help: "Processor time.", isPrivate: true },
  process_start_time_seconds: { type: "gauge", help: "When the process started, in seconds since 1970." },
  winnow_info: { type: "gauge", help: "1, with the version of Winnow.", labels: ["version"] },
} as const satisfies Readonly<Record<string, Family>>;

export type FamilyName = keyof typeof FAMILIES;

/** What of the machine a process takes. */
export interface ProcessUse {
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly processorSeconds: number;
  /** Since 1970. */
  readonly startSeconds: number;
}

/** Values at the moment of asking. */
export interface Gauges {
  /** Requests that wait, and requests under way. */
  readonly waiting: number;
  readonly running: number;
  /** In seconds, by data set; one that isn't counted yet isn't here. */
  readonly countsAge: Readonly<Record<string, number>>;
  /** A public lower bound of the share of the budget, by data set. */
  readonly budgetLeft: Readonly<Record<string, number>>;
  /** The number of the ledger's last entry; undefined if the ledger can't be reached. */
  readonly ledgerSequence: number | undefined;
  readonly ledgerAnswers: boolean;
  readonly providerAnswers: boolean;
  /** In seconds; infinite if no key expires. */
  readonly keyExpires: number;
  readonly spansDropped: number;
  readonly process: ProcessUse;
  readonly version: string;
}

const OTHER = "other";

/** A sample of a family; of a histogram, a name with a suffix. */
interface Sample {
  readonly suffix?: string;
  readonly labels: Labels;
  readonly value: number;
}

type Labels = Readonly<Record<string, string>>;

/** How often, or how much, by labels. */
class Counter {
  readonly #counts = new Map<string, { readonly labels: Labels; count: number }>();

  /** Adds none to begin at 0. */
  add(labels: Labels, count = 1): void {
    const key = JSON.stringify(labels);
    const series = this.#counts.get(key) ?? { labels, count: 0 };
    this.#counts.set(key, series);
    series.count += count;
  }

  get samples(): Sample[] {
    return [...this.#counts.values()].map(({ labels, count }) => ({ labels, value: count }));
  }
}

class Histogram {
  readonly #ends: readonly number[];
  readonly #series = new Map<string, { readonly labels: Labels; readonly counts: number[]; sum: number }>();

  constructor(ends: readonly number[]) {
    this.#ends = ends;
  }

  observe(labels: Labels, value: number): void {
    if (!Number.isFinite(value)) return;
    const series = this.begin(labels);
    const bucket = this.#ends.findIndex((end) => value <= end);
    series.counts[bucket < 0 ? this.#ends.length : bucket]!++;
    series.sum += value;
  }

  /** The series, which begins at 0. */
  begin(labels: Labels): { readonly labels: Labels; readonly counts: number[]; sum: number } {
    const key = JSON.stringify(labels);
    const counts = [...this.#ends, Infinity].map(() => 0);
    const series = this.#series.get(key) ?? { labels, counts, sum: 0 };
    this.#series.set(key, series);
    return series;
  }

  get samples(): Sample[] {
    return [...this.#series.values()].flatMap(({ labels, counts, sum }) => {
      let below = 0;
      const buckets = counts.map((count, at) => {
        below += count;
        const le = at === this.#ends.length ? "+Inf" : String(this.#ends[at]);
        return { suffix: "_bucket", labels: { ...labels, le }, value: below };
      });
      return [...buckets, { suffix: "_sum", labels, value: sum }, { suffix: "_count", labels, value: below }];
    });
  }
}

/** Counts what happens in one process of the service. */
export class Metrics {
  readonly #known: Readonly<Record<"routes" | "codes" | "datasets", ReadonlySet<string>>>;
  readonly #counters = new Map<FamilyName, Counter>();
  readonly #histograms = new Map<FamilyName, Histogram>();

  constructor(vocabulary: Vocabulary) {
    const { routes, codes, datasets } = readVocabulary(vocabulary);
    this.#known = { routes: new Set(routes), codes: new Set(codes), datasets: new Set(datasets) };
    for (const [name, family] of Object.entries(FAMILIES) as [FamilyName, Family][])
      this.#begin(name, family);
  }

  #begin(name: FamilyName, { type, labels = [], buckets = [] }: Family): void {
    if (type === "gauge") return;
    const [label] = labels.length === 1 ? labels : [];
    const words = { dataset: this.#known.datasets, code: this.#known.codes }[String(label)] ?? [];
    const all = [...words].map((word) => ({ [String(label)]: word }));
    if (type === "counter") for (const each of all) this.#add(name, each, 0);
    else {
      const histogram = new Histogram(buckets);
      this.#histograms.set(name, histogram);
      for (const each of all) histogram.begin(each);
    }
  }

  /** A request was answered. */
  request(route: string, status: number, seconds: number): void {
    const isStatus = Number.isSafeInteger(status) && status >= 100 && status <= 599;
    const labels = { route: known(route, this.#known.routes) };
    this.#add("winnow_requests_total", { ...labels, status: isStatus ? String(status) : OTHER });
    this.#observe("winnow_request_seconds", labels, seconds);
  }

  /** A phase of a new release. */
  phase(name: string, seconds: number): void {
    this.#observe("winnow_release_phase_seconds", { phase: known(name, PHASE_NAMES) }, seconds);
  }

  /** A new release was charged and stored, at this tick. */
  released(dataset: string, tick: number): void {
    this.#add("winnow_releases_total", this.#dataset(dataset));
    this.#observe("winnow_release_ticks", this.#dataset(dataset), tick);
  }

  /** A stored answer was given again. */
  servedStored(dataset: string): void {
    this.#add("winnow_stored_answers_total", this.#dataset(dataset));
  }

  /** A request was answered with a problem. */
  refused(code: string): void {
    this.#add("winnow_refusals_total", { code: known(code, this.#known.codes) });
  }

  /** An address had too many connections already. */
  connectionRefused(): void {
    this.#add("winnow_connections_refused_total", {});
  }

  /** The connection to the ledger was made again. */
  reconnected(): void {
    this.#add("winnow_ledger_reconnects_total", {});
  }

  countFailed(dataset: string): void {
    this.#add("winnow_counts_failed_total", this.#dataset(dataset));
  }

  /** A count took longer than a tick. */
  countSlow(dataset: string): void {
    this.#add("winnow_counts_slow_total", this.#dataset(dataset));
  }

  /** A curator would have been asked. */
  rowsDoubtful(dataset: string): void {
    this.#add("winnow_rows_doubtful_total", this.#dataset(dataset));
  }

  /** The page. Values that aren't finite are left out. */
  page(gauges: Gauges): string {
    const now = this.#gauges(gauges);
    return (Object.entries(FAMILIES) as [FamilyName, Family][])
      .map(([name, family]) => familyText(name, family, now[name] ?? this.#counted(name, family)))
      .join("");
  }

  #gauges({ process, countsAge, budgetLeft, ...rest }: Gauges): Partial<Record<FamilyName, Sample[]>> {
    const byDataset = (values: Readonly<Record<string, number>>) =>
      Object.entries(values).map(([dataset, value]) => ({ labels: this.#dataset(dataset), value }));
    const one = (value: number | undefined) => (value === undefined ? [] : [{ labels: {}, value }]);
    return {
      winnow_queue_waiting: one(rest.waiting),
      winnow_queue_running: one(rest.running),
      winnow_counts_age_seconds: byDataset(countsAge),
      winnow_budget_left_share: byDataset(budgetLeft),
      winnow_ledger_sequence: one(rest.ledgerSequence),
      winnow_ledger_answers: one(Number(rest.ledgerAnswers)),
      winnow_identity_provider_answers: one(Number(rest.providerAnswers)),
      winnow_key_expires_seconds: one(rest.keyExpires),
      winnow_spans_dropped_total: one(rest.spansDropped),
      process_resident_memory_bytes: one(process.residentBytes),
      nodejs_heap_size_used_bytes: one(process.heapBytes),
      process_cpu_seconds_total: one(process.processorSeconds),
      process_start_time_seconds: one(process.startSeconds),
      winnow_info: [{ labels: { version: rest.version }, value: 1 }],
    };
  }

  /** A counter without labels begins at 0; those of routes and phases begin when they are counted. */
  #counted(name: FamilyName, { labels }: Family): Sample[] {
    const samples = (this.#histograms.get(name) ?? this.#counters.get(name))?.samples;
    return samples ?? (labels === undefined ? [{ labels: {}, value: 0 }] : []);
  }

  #dataset(dataset: string): Labels {
    return { dataset: known(dataset, this.#known.datasets) };
  }

  #add(name: FamilyName, labels: Labels, count = 1): void {
    const counter = this.#counters.get(name) ?? new Counter();
    this.#counters.set(name, counter);
    counter.add(labels, count);
  }

  #observe(name: FamilyName, labels: Labels, value: number): void {
    this.#histograms.get(name)!.observe(labels, value);
  }
}

const PHASE_NAMES: ReadonlySet<string> = new Set(PHASES);

function known(value: string, words: ReadonlySet<string>): string {
  return words.has(value) ? value : OTHER;
}

/** A family of samples with its description. Families without samples have one too, so that a page lists what there is. */
function familyText(name: FamilyName, { type, help, isPrivate }: Family, samples: readonly Sample[]): string {
  const lines = samples
    .filter(({ value }) => Number.isFinite(value))
    .map(({ suffix = "", labels, value }) => `${name}${suffix}${labelText(labels)} ${value}\n`);
  const told = isPrivate ? `${help} Private: it depends on rows.` : help;
  // The buckets of a histogram stay in their order.
  return [
    `# HELP ${name} ${told}\n`,
    `# TYPE ${name} ${type}\n`,
    ...(type === "histogram" ? lines : lines.sort()),
  ].join("");
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

/** A label's value may contain anything, with these three escaped. */
function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
