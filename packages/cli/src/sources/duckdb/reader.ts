/**
 * Reads one location with an engine of its own: opens it, locks the engine, counts, and hands out the counts. It runs in a
 * process of its own (`reader-process.ts`); every failure leaves it as a refusal.
 * @module
 */
import type { Readable } from "node:stream";
import { Refusal } from "../../refusal.js";
import { fileFormat } from "../file-format.js";
import type { Batch, Candidates, SourceOptions } from "../source.js";
import { checkGzip } from "./check-gzip.js";
import { countUsers, loadCandidates, readCounts, unreadLines } from "./count-users.js";
import { type Engine, openEngine, startEngine } from "./engine.js";
import { engineRefusal } from "./engine-refusal.js";
import { findFiles } from "./find-files.js";
import { openRelation } from "./open-relation.js";
import type { Relation, Roles } from "./relation.js";
import { spoolStandardInput } from "./spool-standard-input.js";

const COUNTING_FAILED = "The engine could not read the source to its end.";

export interface Place {
  /** A path, a pattern, or "-" for standard input. */
  readonly location: string;
  /** Private, for what does not fit into memory. */
  readonly folder: string;
  readonly input?: Readable | undefined;
}

export class Reader {
  readonly #engine: Engine;
  readonly relation: Relation;
  readonly #compressed: readonly string[];

  private constructor(engine: Engine, relation: Relation, compressed: readonly string[]) {
    this.#engine = engine;
    this.relation = relation;
    this.#compressed = compressed;
  }

  static async open(
    { location, folder, input }: Place,
    options: SourceOptions,
    started = startEngine(),
  ): Promise<Reader> {
    const { format, isGzip } = fileFormat(location, options.format);
    const engine = await openEngine({ folder, memoryLimit: options.memoryLimit }, started);
    try {
      const files =
        input === undefined
          ? { paths: await findFiles(engine.connection, location), isGzip }
          : await spoolStandardInput(input, folder);
      const relation = await openRelation(engine, format, files, options, folder);
      return new Reader(engine, relation, files.isGzip ? files.paths : []);
    } catch (error) {
      engine.close();
      throw engineRefusal(error, "The source cannot be opened.");
    }
  }

  /** Counts the users of each item; gives the lines that could not be read. */
  async count(roles: Roles): Promise<number | undefined> {
    const { columns } = this.relation;
    const missing =
      columns.length === 0 ? undefined : [roles.item, roles.user].find((name) => !columns.includes(name));
    if (missing !== undefined)
      throw new Refusal("unknown-column", `The source has no column ${JSON.stringify(missing)}.`);
    if (roles.item === roles.user) throw new Refusal("usage", "--item and --user must be different columns.");
    const { connection } = this.#engine;
    return this.#guarded(async () => {
      const checked = checkGzip(this.#compressed);
      // Both are waited for: an engine that is closed while it counts crashes.
      await Promise.allSettled([checked, countUsers(connection, this.relation, roles)]).then(throwFirst);
      return unreadLines(connection, this.relation);
    });
  }

  /** The public list for `counts`. */
  load(items: Iterable<string> | AsyncIterable<string>): Promise<void> {
    return this.#guarded(() => loadCandidates(this.#engine.connection, items));
  }

  async *counts(candidates: Candidates): AsyncGenerator<Batch> {
    try {
      yield* readCounts(this.#engine.connection, candidates);
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
