/**
 * The service without its transport: HTTP and the agents' tool are both thin over it. One release goes in the order that
 * makes it safe: the stored answer if the key has one, whether the price fits the budget and the analyst's cap, the counts,
 * the answer in memory, the charge together with the answer in one transaction, and only then the answer.
 *
 * Before a row is touched, a request may be cancelled and refused at no cost. After that every outcome is charged and looks
 * alike: a count that failed is answered as for no rows, and an analyst who hangs up pays too, because otherwise the moment
 * of hanging up would tell how long the rows took. For the same reason the time of a release is that of its request.
 * @module
 */
import {
  type Asked,
  type BudgetJson,
  canonicalJson,
  isReleaseId,
  newRelease,
  type Question,
  replay,
  select,
} from "winnow-release";
import { type Ask, questionFor, readAsk } from "./ask.js";
import { budgetJsonOf, type Config } from "./config.js";
import type { Counted } from "./histograms.js";
import type { Host, RecordedAnswer, ServiceLedger, Spender } from "./host.js";
import { checkBudgets, type Dataset, type OpenOptions, openDataset } from "./open-datasets.js";
import { type DatasetDescription, descriptionOf, type Plan, planOf } from "./plan.js";
import { budgetOf, type Cost, costOf, type DatasetBudget } from "./prices.js";
import { codeOf, KEY_TAKEN, Problem, problemOf } from "./problems.js";

export interface ServiceOptions {
  /** For the operator's log, in public words: what happened to which data set. */
  readonly onEvent?: (event: ServiceEvent) => void;
  /** In milliseconds. */
  readonly now?: () => number;
}

/** A count that failed on the rows, or an answer that couldn't be drawn from it: the operator should look. */
export interface ServiceEvent {
  readonly event: "count-failed" | "select-failed" | "count-ahead-failed";
  readonly dataset: string;
  /** Of the catalogue of errors. */
  readonly code: string;
  /** The error: of one that no one foresaw, the class and the place may be written down. */
  readonly cause: unknown;
}

export interface NewOrStored {
  readonly release: RecordedAnswer;
  /** Whether it was there already: then nothing was charged for this request. */
  readonly isStored: boolean;
}

export interface ReleasePage {
  /** Only those before this entry of the ledger. */
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
}

/** Releases in memory, and how long their lists may be. */
const MOST_KEPT = 1000;
const MOST_KEPT_WINNERS = 1000;

/** In release ids and in addresses. */
const KEY = /^[A-Za-z0-9][A-Za-z0-9._~:-]{0,119}$/;

export class Service {
  readonly config: Config;
  readonly #host: Host;
  readonly #ledger: ServiceLedger;
  readonly #datasets: ReadonlyMap<string, Dataset>;
  readonly #options: ServiceOptions;
  readonly #closing: AbortController;
  /** Recorded releases by id, so that a program that asks again and again doesn't keep the ledger busy. */
  readonly #recent = new Map<string, RecordedAnswer>();
  /** Releases on their way, so that a key that comes twice at once is answered once. */
  readonly #running = new Map<string, { readonly asked: string; readonly answer: Promise<NewOrStored> }>();

  private constructor(
    config: Config,
    host: Host,
    ledger: ServiceLedger,
    datasets: ReadonlyMap<string, Dataset>,
    closing: AbortController,
    options: ServiceOptions,
  ) {
    this.config = config;
    this.#host = host;
    this.#ledger = ledger;
    this.#datasets = datasets;
    this.#closing = closing;
    this.#options = options;
  }

  /** Opens the ledger, reads the public lists, and checks budgets, caps and columns. Throws a `ConfigError`, or the host's refusal. */
  static async open(config: Config, host: Host, options: ServiceOptions = {}): Promise<Service> {
    const ledger = await host.openLedger(config.ledger);
    const closing = new AbortController();
    try {
      await checkBudgets(config, ledger);
      const opening: OpenOptions = {
        host,
        signal: closing.signal,
        onFailure: (dataset, cause) => options.onEvent?.(failure("count-failed", dataset, cause)),
        now: options.now ?? Date.now,
      };
      const datasets = new Map<string, Dataset>();
      for (const [name, each] of Object.entries(config.datasets))
        datasets.set(name, await openDataset(name, each, opening));
      return new Service(config, host, ledger, datasets, closing, options);
    } catch (error) {
      closing.abort();
      await ledger.close();
      throw error;
    }
  }

  /** Counts what may be kept, so that the first release needn't wait. A source that fails is reported and tried again when asked. */
  async countAhead(): Promise<void> {
    for (const { name, histograms } of this.#datasets.values())
      await histograms.countAhead().catch((error: unknown) => {
        const { cause = error } = problemOf(error);
        this.#options.onEvent?.(failure("count-ahead-failed", name, cause));
      });
  }

  /** The names of the analysts. */
  get analysts(): readonly string[] {
    return Object.keys(this.config.analysts);
  }

  /** What may be asked, in public terms. */
  datasets(): DatasetDescription[] {
    return [...this.#datasets.values()].map((dataset) => this.#description(dataset));
  }

  dataset(name: string): DatasetDescription {
    return this.#description(this.#dataset(name));
  }

  /** What an answer would be worth. Touches no rows. */
  async plan(
    analyst: string,
    name: string,
    ask: Ask,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Plan> {
    const { question, dataset } = this.#asked(analyst, name, ask);
    return planOf(name, question, dataset.twin, signal);
  }

  /** What it would cost, and whether that fits now. Touches no rows. */
  async cost(analyst: string, name: string, ask: Ask): Promise<Cost> {
    const { question, dataset, spender } = this.#asked(analyst, name, ask);
    const { account } = dataset;
    const [whole, own] = [await this.#ledger.status(account), await this.#ledger.status(account, spender)];
    let refusal: string | undefined;
    try {
      await this.#ledger.admitsQuestion(account, question, spender);
    } catch (error) {
      const problem = problemOf(error);
      if (problem.code !== "over-budget") throw problem;
      refusal = problem.message;
    }
    return costOf(name, question, { whole, own, refusal });
  }

  /** The stored release with this key, if there is one; refused if it answers another question. */
  async stored(analyst: string, name: string, ask: Ask, key: string): Promise<RecordedAnswer | undefined> {
    const { question, dataset } = this.#asked(analyst, name, ask);
    const id = releaseIdOf(analyst, key);
    const release = await this.#find(id, { dataset: dataset.account, question }).catch((error: unknown) => {
      throw problemOf(error, id);
    });
    if (release === undefined || isOf(analyst, release)) return release;
    throw new Problem("release-id-taken", KEY_TAKEN);
  }

  /**
   * The release with this key: the stored one, or a new one, which is charged. The signal cancels it before the rows are
   * touched, and not later.
   */
  async release(
    analyst: string,
    name: string,
    ask: Ask,
    key: string,
    { signal, arrived }: { readonly signal?: AbortSignal | undefined; readonly arrived?: Date } = {},
  ): Promise<NewOrStored> {
    const { question, dataset, spender } = this.#asked(analyst, name, ask);
    const id = releaseIdOf(analyst, key);
    const asked = canonicalJson({ account: dataset.account, question });
    const running = this.#running.get(id);
    if (running !== undefined) {
      if (running.asked !== asked) throw new Problem("release-id-taken", KEY_TAKEN);
      return { ...(await running.answer), isStored: true };
    }
    const time = arrived ?? new Date(this.#now());
    const answer = this.#answer({ id, question, dataset, spender, time, signal });
    this.#running.set(id, { asked, answer });
    try {
      return await answer;
    } catch (error) {
      throw problemOf(error, id);
    } finally {
      this.#running.delete(id);
    }
  }

  /** The analyst's own release with this id; of another analyst there is none. */
  async find(analyst: string, id: string): Promise<RecordedAnswer | undefined> {
    // Of other ids nothing is looked up, so the time doesn't tell whether they exist.
    const found = isReleaseId(id) && id.startsWith(`${analyst}.`) ? await this.#find(id) : undefined;
    return found !== undefined && isOf(analyst, found) ? found : undefined;
  }

  /** The analyst's own releases, the newest first. */
  releases(analyst: string, page: ReleasePage = {}): Promise<readonly RecordedAnswer[]> {
    return this.#ledger.releasesOf(analyst, page);
  }

  /** What is left of the budget and of the analyst's cap. */
  async budget(analyst: string, name: string): Promise<DatasetBudget> {
    const dataset = this.#dataset(name);
    const spender = this.#spender(analyst, dataset);
    const whole = await this.#ledger.status(dataset.account);
    return budgetOf(name, whole, await this.#ledger.status(dataset.account, spender));
  }

  /** The last entry of the ledger, and the root of the tree over all entries. */
  head(): ReturnType<ServiceLedger["head"]> {
    return this.#ledger.head();
  }

  /** That the analyst's own release is in the ledger. */
  async proof(analyst: string, id: string): ReturnType<ServiceLedger["proof"]> {
    if ((await this.find(analyst, id)) === undefined) return undefined;
    return this.#ledger.proof(id);
  }

  /** Throws unless the ledger answers. */
  async checkLedger(): Promise<void> {
    for (const { account } of this.#datasets.values()) {
      await this.#ledger.status(account);
      return;
    }
  }

  /** How many releases are on their way. */
  get running(): number {
    return this.#running.size;
  }

  /** Ends counts, and waits for what is past them. No release begins after that; everything else still answers. */
  async stop(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled([...this.#running.values()].map(({ answer }) => answer));
  }

  /** Stops, and closes the ledger: nothing may be asked any more. */
  async close(): Promise<void> {
    await this.stop();
    await this.#ledger.close();
  }

  /** From memory, or from the ledger. A recorded release never changes. */
  async #find(id: string, asked?: Asked): Promise<RecordedAnswer | undefined> {
    const known = this.#recent.get(id);
    if (known !== undefined) return asked === undefined ? known : replay(known, asked);
    const found = await this.#ledger.find(id, asked);
    if (found !== undefined) this.#keep(found);
    return found;
  }

  /** The oldest is forgotten first. */
  #keep(release: RecordedAnswer): void {
    if (release.answer.winners.length > MOST_KEPT_WINNERS) return;
    this.#recent.set(release.id, release);
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= MOST_KEPT) break;
      this.#recent.delete(oldest);
    }
  }

  async #answer(request: ReleaseRequest): Promise<NewOrStored> {
    const { id, question, dataset, spender, signal } = request;
    const { account } = dataset;
    const stored = await this.#find(id, { dataset: account, question });
    if (stored !== undefined && !isOf(spender.analyst, stored))
      throw new Problem("release-id-taken", KEY_TAKEN);
    if (stored !== undefined) return { release: stored, isStored: true };
    await this.#ledger.admitsQuestion(account, question, spender);
    if (this.#closing.signal.aborted)
      throw new Problem("shutting-down", "Nothing was charged. Try again later.", { after: 5 });
    if (signal?.aborted)
      throw new Problem("busy", "The request was cancelled; nothing was charged.", { after: 1 });
    const counted = await dataset.histograms.for(question);
    const unrecorded = await this.#drawn(request, counted);
    const release = await this.#ledger.record(account, unrecorded, { spender });
    this.#keep(release);
    // Another process may have recorded this key first; then its answer is the answer.
    return { release, isStored: canonicalJson(release.answer) !== canonicalJson(unrecorded.answer) };
  }

  /** The answer in memory, which no one has seen yet. What fails because of the rows is answered as for no rows. */
  async #drawn(
    { id, question, dataset, spender, time }: ReleaseRequest,
    { batches, source, notes }: Counted,
  ) {
    const { account, histograms, name } = dataset;
    const draw = async (from: Counted["batches"]) =>
      newRelease({
        id,
        dataset: account,
        analyst: spender.analyst,
        time,
        software: this.#host.software,
        question,
        answer: await select(question, from),
        source,
        notes,
      });
    try {
      return await draw(batches);
    } catch (error) {
      this.#options.onEvent?.(failure("select-failed", name, error));
      return draw(histograms.none(question));
    }
  }

  #asked(analyst: string, name: string, ask: Ask) {
    const dataset = this.#dataset(name);
    const spender = this.#spender(analyst, dataset);
    try {
      return { dataset, spender, question: questionFor(dataset, readAsk(ask)) };
    } catch (error) {
      throw problemOf(error);
    }
  }

  #dataset(name: string): Dataset {
    const dataset = this.#datasets.get(name);
    if (dataset === undefined) throw new Problem("not-found", "There is no data set with this name.");
    return dataset;
  }

  #spender(analyst: string, { name }: Dataset): Spender & { readonly cap: BudgetJson } {
    const { analysts } = this.config;
    const caps = Object.hasOwn(analysts, analyst) ? analysts[analyst]!.caps : {};
    const cap = Object.hasOwn(caps, name) ? caps[name] : undefined;
    if (cap === undefined)
      throw new Problem("not-allowed", "The operator has given you no part of this data set's budget.");
    return { analyst, cap: budgetJsonOf(cap, `analysts.${analyst}.caps.${name}`) };
  }

  #description(dataset: Dataset): DatasetDescription {
    return descriptionOf(dataset, dataset.histograms.began, this.#now());
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

function failure(event: ServiceEvent["event"], dataset: string, cause: unknown): ServiceEvent {
  return { event, dataset, code: codeOf(cause) ?? "unexpected", cause };
}

interface ReleaseRequest {
  readonly id: string;
  readonly question: Question;
  readonly dataset: Dataset;
  readonly spender: Spender;
  readonly time: Date;
  readonly signal: AbortSignal | undefined;
}

/** `alice.` and the key: names have no dots, so no one else's ids begin so. */
export function releaseIdOf(analyst: string, key: string): string {
  const id = `${analyst}.${key}`;
  if (KEY.test(key) && isReleaseId(id)) return id;
  throw new Problem(
    "invalid-request",
    "The idempotency key must be 1 to 120 letters, digits or ._~:- and start with a letter or a digit.",
  );
}

/** The command line can record any id; only the name in the release says whose it is. */
function isOf(analyst: string, release: RecordedAnswer): boolean {
  return release.analyst === analyst;
}
