/**
 * The counts of one data set, in the memory of the service only. A data set is counted once and selected from many times:
 * counts may be as old as the operator allows (`maxAge`), and their age is public because it is that of the moment at which
 * the request for them arrived, or the service started, never of the moment at which the count before them ended. Several
 * requests wait for one count.
 *
 *  source that can't be reached when it is opened is an error, because no row was touched. After that every failure is kept
 * as a failed count, whatever its code says: rows can raise any code, break the connection, or damage the file. So each
 * failure looks alike and is charged alike, and only the operator is told the code. For the same reason a count isn't tried
 * again. A count that takes longer than a tick is reported to the operator, because analysts can see it then.
 *
 * A limit on the items of a person uses one secret key for each count. Releases that are drawn from the same count share it:
 * for every fixed key, one person changes at most that many counts, so the losses add up as those of separate counts do.
 * @module
 */
import {
  allConditions,
  type CandidatesWanted,
  candidatesWanted,
  type GroupedRows,
  kindOf,
  mechanismFor,
  needsLimit,
  type Question,
  Refusal,
  type ReleaseSource,
  readPredicate,
} from "winnow-release";
import { type Periods, periodAsked } from "./ask.js";
import type { DatasetConfig } from "./config.js";
import type { Batch, DatasetRows, PublicLists } from "./host.js";
import { codeOf } from "./problems.js";

/** Whether it names items of people who are cut to a few, for a question of one of these kinds. */
function isOfFewItems(mechanism: string, kinds: readonly string[]): boolean {
  const { kind, bound } = mechanismFor({ mechanism }).rules;
  return kinds.includes(kind) && kindOf({ kind }).shape === "winners" && bound === "needed";
}

/** One way to count: who the candidates are, and to how many items a person is cut. */
interface Shape {
  readonly wanted: CandidatesWanted;
  readonly maxItemsPerUser: number | undefined;
  /** Which rows count, in canonical form. */
  readonly where: string | undefined;
  /** The period that is counted, where the account has periods. */
  readonly period: string | undefined;
}

/** Items with their numbers of people, and how the rows were read. */
export interface Counted {
  /** None if the count failed. */
  readonly batches: readonly Batch[];
  /** Those batches, for a question in groups. */
  readonly groups?: GroupedRows | undefined;
  /** Whether the count failed after it began: then it is charged, and there is no answer. */
  readonly hasFailed: boolean;
  readonly source: ReleaseSource;
  readonly notes: readonly string[];
  /** When the request for it arrived, or the service started, in milliseconds. */
  readonly began: number;
}

export interface HistogramOptions {
  readonly config: DatasetConfig;
  readonly lists: PublicLists;
  /** Those of the account, if it has any. */
  readonly periods?: Periods | undefined;
  readonly open: (signal: AbortSignal) => Promise<DatasetRows>;
  /** How the rows are read, as found when the service started. */
  readonly known: Pick<DatasetRows, "source" | "notes">;
  /** Ends all counts. */
  readonly signal: AbortSignal;
  /** A count failed on the rows; only the operator may be told. */
  readonly onFailure: (cause: unknown) => void;
  /** A count took longer than a tick; only the operator may be told. */
  readonly onSlow: () => void;
  /** In milliseconds. */
  readonly tick: number;
  readonly now: () => number;
}

/** No row was touched when one of these is thrown while the source is opened. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  "missing-source",
  "no-permission",
  "server-unreachable",
  "server-refused",
]);

/** A limited domain has this many rows, or ten times k if that is more. */
const LEAST_ROWS = 1000;
const MILLISECONDS = 1000;

/** How many counts are kept for conditions of analysts and for periods. */
const MOST_CONDITIONS = 16;

interface Kept {
  readonly began: number;
  readonly counted: Promise<Counted>;
  /** Whether it is of the operator's rows, as most questions are. */
  readonly isUsual: boolean;
}

export class Histograms {
  readonly #options: HistogramOptions;
  readonly #now: () => number;
  #last: Promise<unknown> = Promise.resolve();
  readonly #kept = new Map<string, Kept>();

  constructor(options: HistogramOptions) {
    this.#options = options;
    this.#now = options.now;
  }

  /** When the oldest count that answers may be drawn from began; undefined without one. */
  get began(): number | undefined {
    const times = [...this.#kept.values()].map(({ began }) => began).filter((began) => this.#isFresh(began));
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** The counts for a question that arrived at this time, exactly as many as it may see. */
  async for(question: Question, arrived: number): Promise<Counted> {
    const wanted = candidatesWanted(question);
    const { maxItemsPerUser, where, period } = question;
    const { config, lists } = this.#options;
    const rows = { maxItemsPerUser, where, period: period?.name };
    const counted =
      config.maxAge === 0
        ? await this.#count({ wanted, ...rows }, arrived)
        : await this.#shared({ wanted: this.#widened(wanted), ...rows }, arrived);
    const { batches } = counted;
    const seen = wanted.kind === "largest" ? firstRows(batches, wanted.rows) : batches;
    const groups = lists.groups && groupedRows(seen, lists);
    return { ...counted, batches: seen, groups };
  }

  /** Counts what the allowed questions need, before anyone asks: as of this time, and when other work is done. */
  async countAhead(began: number, after: Promise<unknown>): Promise<void> {
    if (this.#options.config.maxAge === 0) return;
    this.#last = Promise.all([this.#last, after]);
    await Promise.all(this.#usualShapes().map((shape) => this.#shared(shape, began)));
  }

  /** Counts the same and keeps nothing, to see how long it takes. */
  async rehearse(): Promise<void> {
    for (const shape of this.#usualShapes()) await this.#count(shape, this.#now());
  }

  /** None where each question is about a period: which one comes next isn't known. */
  #usualShapes(): Shape[] {
    const { allow, domain, maxItemsPerUser, time } = this.#options.config;
    if (time !== undefined) return [];
    const { kinds, mechanisms } = allow;
    const shapes: Omit<Shape, "where" | "period">[] = [];
    const all = kinds.map((kind) => kindOf({ kind }));
    if (all.some((kind) => kind.shape === "winners" && !needsLimit(kind)))
      shapes.push({
        wanted: this.#widened(usualCandidates(domain, this.#options.lists.items)),
        maxItemsPerUser: undefined,
      });
    const isCut = all.some(needsLimit) || mechanisms?.some((name) => isOfFewItems(name, kinds));
    if (isCut && maxItemsPerUser !== undefined)
      shapes.push({ wanted: this.#widened({ kind: "largest", rows: Infinity }), maxItemsPerUser });
    if (all.some(({ shape }) => shape === "values"))
      shapes.push({ wanted: { kind: "numbers" }, maxItemsPerUser: maxItemsPerUser ?? 1 });
    if (all.some(({ shape }) => shape === "frequencies"))
      shapes.push({ wanted: { kind: "frequencies" }, maxItemsPerUser: maxItemsPerUser ?? 1 });
    const rows = { where: this.#usualWhere, period: undefined };
    return shapes.map((shape) => ({ ...shape, ...rows }));
  }

  /** The operator's own condition, in canonical form. */
  get #usualWhere(): string | undefined {
    const { where, types } = this.#options.config;
    return allConditions([where], types);
  }

  /** One count serves every k that is allowed. */
  #widened(wanted: CandidatesWanted): CandidatesWanted {
    if (wanted.kind !== "largest") return wanted;
    const usual = Math.max(LEAST_ROWS, 10 * this.#options.config.allow.k) + 1;
    return { kind: "largest", rows: wanted.rows <= usual ? usual : ALL_ROWS };
  }

  #shared(shape: Shape, began: number): Promise<Counted> {
    const wanted = this.#widened(shape.wanted);
    const isUsual = shape.where === this.#usualWhere && shape.period === undefined;
    const key = JSON.stringify([wanted, shape.maxItemsPerUser, shape.where, shape.period]);
    const known = this.#kept.get(key);
    if (known !== undefined && this.#isFresh(known.began, began)) return known.counted;
    const counted = this.#count({ ...shape, wanted }, began);
    this.#kept.delete(key); // the newest is the last
    this.#kept.set(key, { began, counted, isUsual });
    this.#forget();
    counted.catch(() => {
      if (this.#kept.get(key)?.began === began) this.#kept.delete(key);
    });
    return counted;
  }

  /** Analysts can think of any number of conditions: of their counts only the newest are kept. */
  #forget(): void {
    const others = [...this.#kept].filter(([, { isUsual }]) => !isUsual);
    for (const [key] of others.slice(0, -MOST_CONDITIONS)) this.#kept.delete(key);
  }

  #isFresh(began: number, at = this.#now()): boolean {
    return at - began <= this.#options.config.maxAge * MILLISECONDS;
  }

  /** Where counts are kept, a release says how old they are. */
  #notes({ notes }: Pick<DatasetRows, "notes">, began: number): string[] {
    if (this.#options.config.maxAge === 0) return [...notes];
    return [...notes, `The rows were counted at ${new Date(began).toISOString()}.`];
  }

  /** One after the other: each count has an engine of its own, with its own memory. */
  #count(shape: Shape, began: number): Promise<Counted> {
    const counted = this.#last.then(() => this.#countNow(shape, began));
    this.#last = counted.catch(() => {});
    return counted;
  }

  async #countNow(shape: Shape, began: number): Promise<Counted> {
    const { signal, onFailure, onSlow, tick, known } = this.#options;
    const start = this.#now();
    const rows = await this.#open();
    const { source, notes } = rows instanceof Error ? known : rows;
    let batches: readonly Batch[] = [];
    let hasFailed = false;
    try {
      batches = await this.#batches(rows, shape);
    } catch (error) {
      if (signal.aborted) throw unavailable(error, signal);
      onFailure(error);
      hasFailed = true;
    }
    if (this.#now() - start > tick) onSlow();
    return { batches, hasFailed, source, notes: this.#notes({ notes }, began), began };
  }

  /** Or the error, if the rows may be the cause of it. */
  async #open(): Promise<DatasetRows | Error> {
    const { signal, open } = this.#options;
    try {
      return await open(signal);
    } catch (error) {
      const isUnreachable = UNREACHABLE.has(codeOf(error) ?? "");
      if (signal.aborted || isUnreachable || !(error instanceof Error)) throw unavailable(error, signal);
      return error;
    }
  }

  async #batches(
    rows: DatasetRows | Error,
    { wanted, maxItemsPerUser, where: asked, period }: Shape,
  ): Promise<Batch[]> {
    if (rows instanceof Error) throw rows;
    const { signal, periods } = this.#options;
    const where = asked === undefined ? undefined : readPredicate(asked);
    const about = period === undefined ? undefined : periodAsked({ periods }, { period });
    const batches: Batch[] = [];
    try {
      for await (const batch of rows.count(wanted, { maxItemsPerUser, where, about, signal }))
        batches.push(batch);
    } finally {
      await rows.close().catch(() => {});
    }
    return batches;
  }
}

/** More items than anyone has. */
const ALL_ROWS = 1_000_000_000;

function usualCandidates(domain: DatasetConfig["domain"], list: readonly string[]): CandidatesWanted {
  if (domain.kind === "list") return { kind: "listed", size: list.length };
  if (domain.kind === "integers") return domain;
  return { kind: "largest", rows: LEAST_ROWS };
}

/** The rows of each group come in falling order, so these are those with the most people. */
function firstRows(batches: readonly Batch[], rows: number): Batch[] {
  const first: Batch[] = [];
  let left = rows;
  let current: string | undefined;
  for (const { group, items, users } of batches) {
    if (group !== current) [current, left] = [group, rows];
    if (left <= 0) continue;
    const isWhole = items.length <= left;
    first.push({
      group,
      items: isWhole ? items : items.slice(0, left),
      users: isWhole ? users : users.slice(0, left),
    });
    left -= items.length;
  }
  return first;
}

/** Counts in the groups of a public list, from memory. */
function groupedRows(batches: readonly Batch[], { items, groups: listed }: PublicLists): GroupedRows {
  return {
    listed,
    ...(items.length > 0 && { items }),
    people: () => {
      throw new Error("the groups are a public list");
    },
    async *counts() {
      for (const { group = "", ...batch } of batches) yield { ...batch, group };
    },
  };
}

function unavailable(error: unknown, signal: AbortSignal): Refusal {
  const cause = error;
  if (signal.aborted)
    return new Refusal("shutting-down", "Nothing was charged. Try again later.", { after: 5, cause });
  return new Refusal("source-unavailable", "Nothing was charged. Try again later.", { after: 30, cause });
}
