/**
 * The rows of a release. The private source is opened only when needed, and only once, because standard input can be read
 * a single time.
 *
 * A public or synthetic twin of the rows serves for planning and previews. All of its items are counted, because nothing
 * in it is private.
 * @module
 */
import { type Domain, type Predicate, readPredicate, readTypes } from "winnow-release";
import {
  type Candidates,
  type HistogramRequest,
  locationScheme,
  type Source,
  type SourceOptions,
} from "../sources/source.js";
import type { Columns, Roles } from "./roles.js";
import { boundFor } from "./wanted.js";

export class Rows {
  /** A path, a pattern, - or a server's address. */
  readonly location: string;
  readonly #options: SourceOptions;
  #finding: Promise<readonly string[]> | undefined;
  #opening: Promise<Source> | undefined;
  #source: Source | undefined;
  #closing: Promise<void> | undefined;

  constructor(location: string, options: SourceOptions) {
    this.location = location;
    this.#options = sourceOptions(options);
  }

  /** The files that are read, as the engine finds them; none for a stream or a server. Nothing in them is read. */
  files(): Promise<readonly string[]> {
    this.#finding ??= sourceFiles(this.location);
    return this.#finding;
  }

  /** Refuses options that don't go with the location, as opening does; nothing is looked at. */
  async check(): Promise<void> {
    const { table, query } = this.#options;
    if (locationScheme(this.location) !== undefined || (table === undefined && query === undefined)) return;
    const { fileFormat } = await import("../sources/files/find-files.js");
    fileFormat(this.location, this.#options);
  }

  /** Opening may take long, for example while standard input waits for rows; the signal ends the wait. */
  open(signal?: AbortSignal): Promise<Source> {
    const opening = this.#opening ?? this.#openOnce();
    this.#opening = opening;
    return signal === undefined ? opening : unlessAborted(opening, signal);
  }

  /** A source that is still being opened is closed when it is open; no one waits for that, because it may take forever. */
  async close(): Promise<void> {
    if (this.#source === undefined) return this.#closeLater();
    this.#closing ??= this.#source.close();
    await this.#closing;
  }

  #closeLater(): void {
    this.#opening?.then((source) => source.close()).catch(() => {});
  }

  async #openOnce(): Promise<Source> {
    const files = await this.files();
    const found = files.length > 0 ? { ...this.#options, files } : this.#options;
    this.#source = await openLazily(this.location, found);
    return this.#source;
  }
}

/** The signal may live as long as a service, so it forgets an opening that has ended. */
function unlessAborted<T>(opening: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    opening.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** The files that a location names, as the engine finds them. */
async function sourceFiles(location: string): Promise<readonly string[]> {
  if (locationScheme(location) !== undefined) return [];
  const { findSourceFiles } = await import("../sources/files/file-source.js");
  return findSourceFiles(location);
}

/** Engines are large, so only the commands that need one load it. */
export async function openLazily(location: string, options: SourceOptions): Promise<Source> {
  const { openSource } = await import("../sources/open-source.js");
  return openSource(location, options);
}

function sourceOptions(options: SourceOptions): SourceOptions {
  const { format, table, query, trustQuery, delimiter, quote, header, multiline, numbers } = options;
  const { memoryLimit, timeLimit } = options;
  return {
    ...{ format, table, query, trustQuery, delimiter, quote, header, multiline, numbers },
    ...{ memoryLimit, timeLimit },
  };
}

/** More than any twin has. */
const ALL_ITEMS = 100_000_000;

/** The users of each item of the twin, and those left with a limit on the items of a person. */
export interface TwinCounts {
  readonly counts: readonly number[];
  /** The counts of the same items with that limit, in the same order. */
  readonly bounded?: readonly number[];
}

export async function publicCounts(
  path: string,
  options: SourceOptions,
  roles: Roles,
  candidates: Candidates,
  maxItemsPerUser?: number,
): Promise<TwinCounts> {
  const where = whereIn(options);
  const all = await publicHistogram(path, options, { ...roles, candidates, where });
  const counts = [...all.values()];
  if (maxItemsPerUser === undefined) return { counts };
  const cut = await publicHistogram(path, options, {
    ...{ ...roles, candidates, where },
    bound: boundFor({ maxItemsPerUser }),
  });
  return { counts, bounded: [...all.keys()].map((item) => cut.get(item) ?? 0) };
}

/** The condition on rows, as it was typed. */
function whereIn({ where, types }: SourceOptions): Predicate | undefined {
  return where === undefined
    ? undefined
    : readPredicate(where, types === undefined ? undefined : readTypes(types));
}

/** Every item of a twin, or those of a public list. */
export function twinCandidates(domain: Domain, items: readonly string[] = []): Candidates {
  if (domain.kind === "listed") return { kind: "listed", items };
  return domain.kind === "integers" ? domain : { kind: "largest", rows: ALL_ITEMS };
}

async function publicHistogram(
  path: string,
  options: SourceOptions,
  request: HistogramRequest,
): Promise<Map<string, number>> {
  const rows = new Rows(path, twinOptions(options));
  try {
    const source = await rows.open();
    const counts = new Map<string, number>();
    for await (const { items, users } of source.histogram(request))
      for (const [i, item] of items.entries()) counts.set(item, users[i]!);
    return counts;
  } finally {
    await rows.close();
  }
}

/** The names of its columns, which are public like the rest of it. */
export async function columnsOf(path: string, options: SourceOptions): Promise<Columns> {
  const rows = new Rows(path, twinOptions(options));
  try {
    return { names: (await rows.open()).columns, isPublic: true };
  } finally {
    await rows.close();
  }
}

/** The twin is a separate file: format and table options are for the private source. */
function twinOptions(options: SourceOptions): SourceOptions {
  return { ...options, format: undefined, table: undefined, query: undefined, trustQuery: undefined };
}
