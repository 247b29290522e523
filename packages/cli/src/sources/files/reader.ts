/**
 * Reads one location with an engine of its own: opens it, locks the engine, counts, and hands out the counts. It
 * runs in a process of its own (`reader-process.ts`); every failure leaves it as a refusal.
 *
 * Rows from standard input or a pipe are copied to a private file first, because the engine reads in parallel and more than
 * once. The first bytes show whether they are compressed. All bytes are read here once more: before the engine's count,
 * because that is cheap and shows how the engine can read them; or in parallel with it, if they are compressed.
 * @module
 */

import { createWriteStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { columnsOf, Refusal } from "winnow-release";
import { checkGroupColumns } from "../groups.js";
import { type Batch, type Candidates, notNumbers, type SourceOptions, sameColumn } from "../source.js";
import { compressionOf, unpacked } from "./compressed.js";
import {
  type Counting,
  countedItems,
  countUsers,
  loadCandidates,
  type OtherValues,
  otherValues,
  type RowTotals,
  readCounts,
  rowTotals,
  similarUsers,
  unreadLines,
} from "./count-users.js";
import { type Engine, engineRefusal, openEngine, startEngine } from "./engine.js";
import { fileFormat, findFiles, readableFiles } from "./find-files.js";
import { NUMBER_TYPE, openRelation } from "./open-relation.js";
import type { FoundFiles, Relation } from "./relation.js";

const COUNTING_FAILED = "The engine couldn't read the source to its end.";

/** Files up to this size are read in a fraction of a second. */
const READ_TWICE_BYTES = 32 * 2 ** 20;

interface Place {
  /** A path, a pattern, or what the rows in `input` are called. */
  readonly location: string;
  /** Private, for data that doesn't fit in memory. */
  readonly folder: string;
  /** Rows that can be read once: standard input or a pipe. */
  readonly input?: Readable | undefined;
}

/** The figures of a count that the curator may see. */
export interface Counted {
  /** Skipped lines; undefined if the format has no lines. */
  readonly skipped: number | undefined;
  /** Different values that aren't numbers, where only numbers are counted. */
  readonly values: OtherValues | undefined;
  /** Those without a person or an item, and all rows that have the form of one. */
  readonly rows: RowTotals;
  /** Items that have users. */
  readonly items: number;
}

export class Reader {
  readonly #engine: Engine;
  readonly relation: Relation;
  readonly #files: FoundFiles;
  readonly #numbers: SourceOptions["numbers"];

  private constructor(
    engine: Engine,
    relation: Relation,
    files: FoundFiles,
    numbers: SourceOptions["numbers"],
  ) {
    this.#engine = engine;
    this.relation = relation;
    this.#files = files;
    this.#numbers = numbers;
  }

  static async open(
    { location, folder, input }: Place,
    options: SourceOptions,
    started = startEngine(),
  ): Promise<Reader> {
    const { format, compression } = fileFormat(location, options);
    const engine = await openEngine({ folder, memoryLimit: options.memoryLimit }, started);
    try {
      const files =
        input === undefined
          ? { paths: await filesFor(engine, location, options), compression }
          : await spool(input, folder);
      const relation = await openRelation(engine, format, files, options, folder);
      return new Reader(engine, relation, files, options.numbers);
    } catch (error) {
      engine.close();
      throw engineRefusal(error, "The source can't be opened.");
    }
  }

  /** Counts the users of each item. */
  async count(asked: Counting): Promise<Counted> {
    const counting = asked.isNumeric ? { ...asked, numbers: this.#numbers } : asked;
    const { roles } = counting;
    const { columns } = this.relation;
    const { groups, where, computed } = counting;
    const items = computed?.parts.map(({ column }) => column) ?? [roles.item];
    const named = [...items, roles.user, ...(groups?.by ?? []), ...(where ? columnsOf(where) : [])];
    const missing = columns.length === 0 ? undefined : named.find((name) => !columns.includes(name));
    if (missing !== undefined)
      throw new Refusal("unknown-column", `The source has no column ${JSON.stringify(missing)}.`);
    if (items.includes(roles.user)) throw sameColumn(counting.isNumeric);
    if (groups !== undefined) checkGroupColumns(groups, roles.item, roles.user);
    const type = counting.isNumeric ? this.relation.typeOf?.(roles.item) : undefined;
    if (type !== undefined && !NUMBER_TYPE.test(type)) throw notNumbers(roles.item, type);
    const { connection } = this.#engine;
    return this.#guarded(async () => {
      const surveyed = this.#survey();
      if (this.#files.compression === "none") await surveyed;
      // Wait for both: closing an engine while it counts crashes it.
      const counted = countUsers(connection, this.relation, counting);
      await Promise.allSettled([surveyed, counted]).then(throwFirst);
      return {
        skipped: await unreadLines(connection, this.relation, { ...roles, also: groups?.by }),
        values: counting.isNumeric ? await otherValues(connection, this.#numbers) : undefined,
        rows: await rowTotals(connection, this.relation, { roles, where, computed }),
        items: await countedItems(connection),
      };
    });
  }

  /** How many users differ from another only in case or spaces; undefined for files whose second reading takes long. */
  async similarUsers(roles: Counting["roles"]): Promise<number | undefined> {
    const sizes = await Promise.all(this.#files.paths.map(async (path) => (await stat(path)).size));
    const isLong = sizes.reduce((sum, size) => sum + size, 0) > READ_TWICE_BYTES;
    if (isLong || this.relation.dialect.query !== undefined) return undefined;
    return this.#guarded(() => similarUsers(this.#engine.connection, this.relation, roles));
  }

  /** The public list for `counts`. */
  load(items: Iterable<string> | AsyncIterable<string>): Promise<void> {
    return this.#guarded(() => loadCandidates(this.#engine.connection, items));
  }

  async *counts(candidates: Candidates, isInGroups = false): AsyncGenerator<Batch> {
    try {
      yield* readCounts(this.#engine.connection, candidates, isInGroups);
    } catch (error) {
      throw engineRefusal(error, COUNTING_FAILED);
    }
  }

  /** The share done, if the engine knows. */
  progress(): number | undefined {
    const { percentage } = this.#engine.connection.progress;
    return percentage >= 0 ? percentage / 100 : undefined;
  }

  close(): void {
    this.#engine.close();
  }

  /** Surveys all lines, or unpacks a file without lines to its end. */
  async #survey(): Promise<void> {
    const { paths, compression } = this.#files;
    if (this.relation.lines !== undefined) return this.relation.lines.survey();
    if (compression !== "none") for (const path of paths) for await (const _ of unpacked(path, compression));
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw engineRefusal(error, COUNTING_FAILED);
    }
  }
}

function throwFirst(results: readonly PromiseSettledResult<void>[]): void {
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

/** The files that were checked before, or those that the location names now. */
function filesFor({ connection }: Engine, location: string, { files }: SourceOptions): Promise<string[]> {
  return files === undefined ? findFiles(connection, location) : readableFiles(files, location);
}

async function spool(input: Readable, folder: string): Promise<FoundFiles> {
  const path = join(folder, "standard-input");
  await pipeline(input, createWriteStream(path, { mode: 0o600 }));
  const start = new Uint8Array(4);
  const file = await open(path);
  const { bytesRead } = await file.read(start).finally(() => file.close());
  if (bytesRead === 0)
    throw new Refusal("empty-source", "There are no rows: standard input or the pipe is empty.");
  return { paths: [path], compression: compressionOf(start) };
}

export class AsyncQueue<T> implements AsyncIterable<T> {
  #part: readonly T[] = [];
  #isOver = false;
  #wakeReader: () => void = () => {};
  #wakeWriter: () => void = () => {};

  push(part: readonly T[]): Promise<void> {
    this.#part = part;
    this.#wakeReader();
    return new Promise((taken) => {
      this.#wakeWriter = taken;
    });
  }

  end(): void {
    this.#isOver = true;
    this.#wakeReader();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    while (true) {
      const part = this.#part;
      this.#part = [];
      yield* part;
      if (part.length > 0) this.#wakeWriter();
      else if (this.#isOver) return;
      else
        await new Promise<void>((pushed) => {
          this.#wakeReader = pushed;
        });
    }
  }
}
