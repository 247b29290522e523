/**
 * Numbers for the operator's monitoring, in the text format 0.0.4 of Prometheus: what was asked and
 * refused, how long the queue is, how old the counts are, how long the ledger is. None is about one analyst.
 *
 * The labels are words of the same vocabulary that logs have; anything else is counted as `other`, so that a stranger can't
 * make the page grow.
 * @module
 */
import { readVocabulary, type Vocabulary } from "./log.js";

/** The type of the page. */
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Values at the moment of asking. */
export interface Gauges {
  /** Requests that wait, and requests under way. */
  readonly waiting: number;
  readonly running: number;
  /** In seconds, by data set; one that isn't counted yet isn't here. */
  readonly countsAge: Readonly<Record<string, number>>;
  /** The number of the ledger's last entry; undefined if the ledger can't be reached. */
  readonly ledgerSequence: number | undefined;
  readonly ledgerAnswers: boolean;
}

const OTHER = "other";

/** How often each combination of labels came. */
class Counter {
  readonly #counts = new Map<string, { readonly labels: Labels; count: number }>();

  add(labels: Labels): void {
    const key = JSON.stringify(labels);
    const series = this.#counts.get(key) ?? { labels, count: 0 };
    this.#counts.set(key, series);
    series.count++;
  }

  get samples(): Sample[] {
    return [...this.#counts.values()].map(({ labels, count }) => ({ labels, value: count }));
  }
}

type Labels = Readonly<Record<string, string>>;

interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** Counts what happens in one process of the service. */
export class Metrics {
  readonly #routes: ReadonlySet<string>;
  readonly #codes: ReadonlySet<string>;
  readonly #datasets: ReadonlySet<string>;
  readonly #requests = new Counter();
  readonly #releases = new Counter();
  readonly #stored = new Counter();
  readonly #refusals = new Counter();
  #connectionsRefused = 0;

  constructor(vocabulary: Vocabulary) {
    const { routes, codes, datasets } = readVocabulary(vocabulary);
    this.#routes = new Set(routes);
    this.#codes = new Set(codes);
    this.#datasets = new Set(datasets);
  }

  /** A request was answered. */
  request(route: string, status: number): void {
    const isStatus = Number.isSafeInteger(status) && status >= 100 && status <= 599;
    this.#requests.add({ route: known(route, this.#routes), status: isStatus ? String(status) : OTHER });
  }

  /** A new release was charged and stored. */
  released(dataset: string): void {
    this.#releases.add({ dataset: known(dataset, this.#datasets) });
  }

  /** A stored answer was given again. */
  servedStored(dataset: string): void {
    this.#stored.add({ dataset: known(dataset, this.#datasets) });
  }

  /** A request was answered with a problem. */
  refused(code: string): void {
    this.#refusals.add({ code: known(code, this.#codes) });
  }

  /** An address had too many connections already. */
  connectionRefused(): void {
    this.#connectionsRefused++;
  }

  /** The page. Values that aren't finite are left out. */
  page({ waiting, running, countsAge, ledgerSequence, ledgerAnswers }: Gauges): string {
    const ages = Object.entries(countsAge).map(([dataset, value]) => ({
      labels: { dataset: known(dataset, this.#datasets) },
      value,
    }));
    const one = (value: number | undefined): Sample[] => (value === undefined ? [] : [{ labels: {}, value }]);
    return [
      family("winnow_requests_total", "counter", "Requests by route and status.", this.#requests.samples),
      family("winnow_releases_total", "counter", "New releases by data set.", this.#releases.samples),
      family("winnow_stored_answers_total", "counter", "Stored answers given again.", this.#stored.samples),
      family("winnow_refusals_total", "counter", "Refusals by code.", this.#refusals.samples),
      family(
        "winnow_connections_refused_total",
        "counter",
        "Connections of addresses that had too many.",
        one(this.#connectionsRefused),
      ),
      family("winnow_queue_waiting", "gauge", "Requests that wait.", one(waiting)),
      family("winnow_queue_running", "gauge", "Requests under way.", one(running)),
      family("winnow_counts_age_seconds", "gauge", "Age of the counts in memory.", ages),
      family("winnow_ledger_sequence", "gauge", "The ledger's last entry.", one(ledgerSequence)),
      family(
        "winnow_ledger_answers",
        "gauge",
        "1 if the ledger answers, else 0.",
        one(Number(ledgerAnswers)),
      ),
    ].join("");
  }
}

function known(value: string, words: ReadonlySet<string>): string {
  return words.has(value) ? value : OTHER;
}

/** A family of samples with its description. Families without samples have one too, so that a page lists what there is. */
function family(name: string, type: "counter" | "gauge", help: string, samples: readonly Sample[]): string {
  const lines = samples
    .filter(({ value }) => Number.isFinite(value))
    .map(({ labels, value }) => `${name}${labelText(labels)} ${value}\n`);
  return [`# HELP ${name} ${help}\n`, `# TYPE ${name} ${type}\n`, ...lines.sort()].join("");
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

/** A label's value may contain anything, with these three escaped. */
function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
