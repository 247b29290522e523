/**
 * The service without its transport: HTTP and the agents' tool are both thin over it. It knows who may ask what, in public
 * terms, and answers from the ledger and from counts that it keeps in memory (releases.ts, histograms.ts).
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import {
  type BudgetJson,
  type FactCode,
  type Ledger,
  mustBe,
  type Question,
  Refusal,
  type Spender,
  WitnessedReleases,
} from "winnow-release";
import { type Ask, choiceFor, questionFor, readAsk } from "./ask.js";
import { budgetJsonOf, type Config } from "./config.js";
import type { Host, RecordedAnswer } from "./host.js";
import { checkBudgets, type Dataset, type OpenOptions, openDataset } from "./open-datasets.js";
import { type DatasetDescription, descriptionOf, type Plan, planOf } from "./plan.js";
import { budgetOf, type Cost, costOf, type DatasetBudget, shareLeft } from "./prices.js";
import { codeOf, problemOf } from "./problems.js";
import { Pulse } from "./pulse.js";
import { type NewOrStored, Releases, releaseIdOf } from "./releases.js";
import { PROCESS_CLOCK, TimeGrid } from "./time-grid.js";
import type { PhaseName } from "./timeline.js";

export interface ServiceOptions {
  /** For the operator's log, in public words: what happened to which data set. */
  readonly onEvent?: (event: ServiceEvent) => void;
  /** In milliseconds. */
  readonly now?: () => number;
  /** When charges may happen. Default: at the ticks of the configuration. */
  readonly grid?: Pick<TimeGrid, "now" | "leave">;
}

/** A count that failed on the rows, or an answer that couldn't be drawn from it. */
interface FailureEvent {
  readonly event: "count-failed" | "select-failed" | "count-ahead-failed";
  readonly dataset: string;
  /** A code of the catalogue of errors. */
  readonly code: string;
  /** The error. Only the class and the place of an unexpected one may be written down. */
  readonly cause: unknown;
}

/** The operator should look. */
export type ServiceEvent =
  | FailureEvent
  /** A curator would have been asked about the rows: the code says what the fact is about, and no log has its words. */
  | { readonly event: "rows-doubtful"; readonly dataset: string; readonly code: FactCode }
  /** A count that took longer than a tick, so that analysts can see how many ticks it took. */
  | { readonly event: "count-slow"; readonly dataset: string }
  /** The connection to its server was made again. */
  | { readonly event: "ledger-reconnected" }
  | { readonly event: "ledger-failed"; readonly code: string }
  | { readonly event: "ledger-answers" };

export interface ReleaseOptions {
  readonly signal?: AbortSignal | undefined;
  /** When the request came, for the release and on the clock of the grid. Default: now. */
  readonly arrived?: Date;
  readonly arrivedAt?: number;
  /** Whether `stored` has just found nothing. */
  readonly wasSought?: boolean;
  /** Told when the next phase of a new release begins; only the operator may know when. */
  readonly onPhase?: (phase: PhaseName) => void;
}

export interface ReleasePage {
  /** Only those before this entry of the ledger. */
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
}

export class Service {
  #config: Config;
  readonly #ledger: Ledger;
  readonly #datasets: ReadonlyMap<string, Dataset>;
  readonly #options: ServiceOptions;
  readonly #grid: Pick<TimeGrid, "now" | "leave">;
  readonly #closing: AbortController;
  readonly #releases: Releases;
  readonly #questions = new WeakMap<Ask, { readonly dataset: Dataset; readonly question: Question }>();
  readonly #heads: WitnessedReleases | undefined;
  /** Whether the ledger answers. */
  readonly pulse: Pulse;

  private constructor(
    config: Config,
    host: Host,
    ledger: Ledger,
    datasets: ReadonlyMap<string, Dataset>,
    closing: AbortController,
    options: ServiceOptions,
    heads: WitnessedReleases | undefined,
  ) {
    this.#heads = heads;
    this.#config = config;
    this.#ledger = ledger;
    this.#datasets = datasets;
    this.#closing = closing;
    this.#options = options;
    this.#grid = options.grid ?? new TimeGrid(config.tick);
    this.pulse = new Pulse(
      () => ledger.length(),
      PROCESS_CLOCK,
      (cause) =>
        options.onEvent?.(
          cause === undefined
            ? { event: "ledger-answers" }
            : { event: "ledger-failed", code: codeOf(cause) ?? "unexpected" },
        ),
    );
    this.#releases = new Releases({
      ledger,
      software: host.software,
      grid: this.#grid,
      closing: closing.signal,
      checkHeads: async () => this.#heads?.check(),
      onFailure: (dataset, cause) => options.onEvent?.(failure("select-failed", dataset, cause)),
      onDoubt: (dataset, code) => options.onEvent?.({ event: "rows-doubtful", dataset, code }),
    });
  }

  /** Opens the ledger, reads the public lists, and checks budgets, caps and columns. Throws a `usage` refusal, or the host's refusal. */
  static async open(config: Config, host: Host, options: ServiceOptions = {}): Promise<Service> {
    const ledger = await host.openLedger(config.ledger, {
      onReconnect: () => options.onEvent?.({ event: "ledger-reconnected" }),
    });
    const closing = new AbortController();
    try {
      await checkBudgets(config, ledger);
      const heads = host.witnessing && new WitnessedReleases({ ledger, ...host.witnessing });
      await heads?.check();
      const opening: OpenOptions = {
        host,
        ledger,
        signal: closing.signal,
        onFailure: (dataset, cause) => options.onEvent?.(failure("count-failed", dataset, cause)),
        onSlow: (dataset) => options.onEvent?.({ event: "count-slow", dataset }),
        tick: config.tick,
        now: options.now ?? Date.now,
      };
      const datasets = new Map<string, Dataset>();
      for (const [name, each] of Object.entries(config.datasets))
        datasets.set(name, await openDataset(name, each, opening));
      return new Service(config, host, ledger, datasets, closing, options, heads);
    } catch (error) {
      closing.abort();
      await ledger.close();
      throw error;
    }
  }

  get config(): Config {
    return this.#config;
  }

  /** Takes over who may ask and their caps, if the caps fit the budgets; nothing else may differ. */
  async reload(config: Config): Promise<void> {
    await checkBudgets(config, this.#ledger);
    this.#config = config;
  }

  /**
   * Counts what may be kept, so that the first release needn't wait: one data set after the other, and all as of one time,
   * which is the same whatever the rows are. A source that fails is reported and tried again when asked.
   */
  async countAhead(): Promise<void> {
    const began = this.#now();
    let done: Promise<unknown> = Promise.resolve();
    for (const { name, histograms } of this.#datasets.values()) {
      const counted = histograms.countAhead(began, done).catch((error: unknown) => {
        const { cause = error } = problemOf(error);
        this.#options.onEvent?.(failure("count-ahead-failed", name, cause));
      });
      done = Promise.all([done, counted]);
    }
    await done;
  }

  /** Counts every data set once and keeps nothing: what fails or takes longer than a tick is reported. */
  async rehearse(): Promise<void> {
    for (const { histograms } of this.#datasets.values()) await histograms.rehearse();
  }

  /** The data sets and their questions, in public terms. */
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
    return planOf(name, question, {
      asked: ask,
      twin: ask.where === undefined ? dataset.twin : undefined, // it was counted without this condition
      choice: choiceFor(dataset, ask),
      signal,
    });
  }

  /** What it would cost, and whether that fits now. Touches no rows. */
  async cost(analyst: string, name: string, ask: Ask): Promise<Cost> {
    const { question, dataset, spender } = this.#asked(analyst, name, ask);
    const { account } = dataset;
    const [whole, own] = [await this.#ledger.account(account), await this.#ledger.account(account, spender)];
    let refusal: string | undefined;
    try {
      await this.#ledger.admit(account, question, { spender });
    } catch (error) {
      const problem = problemOf(error);
      if (problem.code !== "over-budget") throw problem;
      refusal = problem.message;
    }
    return costOf(name, question, { whole, own, refusal });
  }

  /** The stored release with this key, if there is one; refused if it answers another question. */
  async stored(analyst: string, name: string, ask: Ask, key: string): Promise<RecordedAnswer | undefined> {
    const id = releaseIdOf(analyst, key);
    return this.#shown(await this.#releases.stored({ ...this.#asked(analyst, name, ask), id }), id);
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
    { signal, arrived, arrivedAt, wasSought = false, onPhase = () => {} }: ReleaseOptions = {},
  ): Promise<NewOrStored> {
    const id = releaseIdOf(analyst, key);
    const { release, isStored } = await this.#releases.make({
      ...this.#asked(analyst, name, ask),
      id,
      arrived: arrived ?? new Date(this.#now()),
      arrivedAt: arrivedAt ?? this.#grid.now(),
      wasSought,
      signal,
      onPhase,
    });
    return { release: await this.#shown(release, id), isStored };
  }

  /** The analyst's own release with this id; of another analyst there is none. */
  async find(analyst: string, id: string): Promise<RecordedAnswer | undefined> {
    return this.#shown(await this.#releases.find(analyst, id), id);
  }

  /** The analyst's own releases, the newest first. */
  async releases(analyst: string, page: ReleasePage = {}): Promise<readonly RecordedAnswer[]> {
    const releases = await this.#ledger.releasesOf<RecordedAnswer>(analyst, page);
    if (this.#heads === undefined || releases.length === 0) return releases;
    return this.#heads.show(releases).catch((error: unknown) => {
      throw problemOf(error);
    });
  }

  /** The remaining budget, of the data set and of the analyst. */
  async budget(analyst: string, name: string): Promise<DatasetBudget> {
    const dataset = this.#dataset(name);
    const spender = this.#spender(analyst, dataset);
    const whole = await this.#ledger.account(dataset.account);
    return budgetOf(name, whole, await this.#ledger.account(dataset.account, spender));
  }

  /** At least this share of each data set's budget is left: steps that are public, for monitoring. */
  async budgetsLeft(): Promise<Readonly<Record<string, number>>> {
    const left: Record<string, number> = {};
    for (const { name, account } of this.#datasets.values())
      left[name] = shareLeft(await this.#ledger.account(account));
    return left;
  }

  /** The last entry of the ledger, and the root of the tree over all entries. */
  head(): ReturnType<Ledger["head"]> {
    return this.#ledger.head();
  }

  /** That the analyst's own release is in the ledger. */
  async proof(analyst: string, id: string): ReturnType<Ledger["proof"]> {
    if ((await this.#releases.find(analyst, id)) === undefined) return undefined;
    return this.#ledger.proof(id);
  }

  /** That the first `size` entries of the ledger are unchanged. */
  async consistency(size: number): ReturnType<Ledger["consistency"]> {
    const { sequence } = await this.#ledger.head();
    if (size > sequence)
      throw new Refusal(
        "invalid-request",
        mustBe("size", `a whole number from 1 to ${sequence}, the number of entries`, size),
      );
    return this.#ledger.consistency(size);
  }

  /** Ends counts, and waits for what is past them. No release begins after that; everything else still answers. */
  async stop(): Promise<void> {
    this.#closing.abort();
    await this.#releases.idle();
  }

  /** Stops, and closes the ledger: nothing may be asked any more. What hasn't stopped after `patience` milliseconds isn't waited for. */
  async close(patience = Number.MAX_SAFE_INTEGER): Promise<void> {
    await within(this.stop(), patience);
    await this.#ledger.close();
  }

  /** Shows a recorded release once enough witnesses have seen its entry. */
  async #shown<R extends RecordedAnswer | undefined>(release: R, id: string): Promise<R> {
    if (this.#heads === undefined || release === undefined) return release;
    try {
      const [shown] = await this.#heads.show<RecordedAnswer>([release]);
      return shown as R;
    } catch (error) {
      throw problemOf(error, id);
    }
  }

  #asked(analyst: string, name: string, ask: Ask) {
    const dataset = this.#dataset(name);
    const spender = this.#spender(analyst, dataset);
    try {
      return { dataset, spender, question: this.#questionFor(dataset, ask) };
    } catch (error) {
      throw problemOf(error);
    }
  }

  /** Read once for a request, which asks first whether there is an answer and then for a new one. */
  #questionFor(dataset: Dataset, ask: Ask): Question {
    const known = this.#questions.get(ask);
    if (known?.dataset === dataset) return known.question;
    const question = questionFor(dataset, readAsk(ask));
    this.#questions.set(ask, { dataset, question });
    return question;
  }

  #dataset(name: string): Dataset {
    const dataset = this.#datasets.get(name);
    if (dataset === undefined) throw new Refusal("not-found", "There is no data set with this name.");
    return dataset;
  }

  #spender(analyst: string, { name }: Dataset): Spender & { readonly cap: BudgetJson } {
    const { analysts } = this.config;
    const caps = Object.hasOwn(analysts, analyst) ? analysts[analyst]!.caps : {};
    const cap = Object.hasOwn(caps, name) ? caps[name] : undefined;
    if (cap === undefined)
      throw new Refusal("not-allowed", "The operator has given you no part of this data set's budget.");
    return { analyst, cap: budgetJsonOf(cap, `analysts.${analyst}.caps.${name}`) };
  }

  #description(dataset: Dataset): DatasetDescription {
    return descriptionOf(dataset, dataset.histograms.began, this.#now());
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

/** Waits for the work, and no longer than that. */
export async function within(work: Promise<unknown>, milliseconds: number): Promise<void> {
  if (milliseconds > LONGEST_TIMER) {
    await work;
    return;
  }
  const over = new AbortController();
  const timer = sleep(Math.max(0, milliseconds), undefined, { signal: over.signal });
  await Promise.race([work, timer.catch(() => {})]);
  over.abort();
}

/** A timer of more milliseconds would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

function failure(event: FailureEvent["event"], dataset: string, cause: unknown): FailureEvent {
  return { event, dataset, code: codeOf(cause) ?? "unexpected", cause };
}
