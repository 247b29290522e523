/**
 * The counts of many small files with one engine in this process: what the reader's process does for a file, without the
 * process.
 * @module
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "../refusal.js";
import { countUsers, readCounts } from "../sources/duckdb/count-users.js";
import { type Engine, openEngine } from "../sources/duckdb/engine.js";
import { engineRefusal } from "../sources/duckdb/engine-refusal.js";
import { relationOf } from "../sources/duckdb/open-relation.js";
import { sqlText } from "../sources/duckdb/sql-text.js";
import type { Counts } from "./compare-pair.js";
import type { LineFormat, Row } from "./line-writer.js";

const ROLES = { item: "item", user: "user" };

export class FileCounter {
  readonly #engine: Engine;
  readonly #folder: string;

  private constructor(engine: Engine, folder: string) {
    this.#engine = engine;
    this.#folder = folder;
  }

  /** The folder is private. */
  static async open(folder: string): Promise<FileCounter> {
    // A small file has nothing to share among threads.
    return new FileCounter(await openEngine({ folder, threads: 1 }), folder);
  }

  countBytes(format: LineFormat, bytes: Uint8Array): Promise<Counts> {
    const path = join(this.#folder, `rows.${format}`);
    writeFileSync(path, bytes);
    return this.#count(format, path);
  }

  /** Through a Parquet file that the engine writes. */
  async countRows(rows: readonly Row[]): Promise<Counts> {
    const path = join(this.#folder, "rows.parquet");
    const values = rows.map(({ user, item }) => `(${sqlText(user)}, ${sqlText(item)})`);
    const table =
      values.length === 0 ? "(SELECT '' AS a, '' AS b WHERE false)" : `(VALUES ${values.join(", ")})`;
    await this.#engine.connection.run(
      `COPY (SELECT * FROM ${table} AS t("user", item)) TO ${sqlText(path)} (FORMAT parquet)`,
    );
    return this.#count("parquet", path);
  }

  close(): void {
    this.#engine.close();
  }

  async #count(format: LineFormat | "parquet", path: string): Promise<Counts> {
    const { connection } = this.#engine;
    const counts = new Map<string, number>();
    try {
      const relation = await relationOf(this.#engine, format, { paths: [path], isGzip: false });
      await countUsers(connection, relation, ROLES);
      for await (const { items, users } of readCounts(connection, EVERY_ITEM))
        for (const [i, item] of items.entries()) counts.set(item, users[i]);
      return counts;
    } catch (error) {
      return error instanceof Refusal ? error : engineRefusal(error, "The file could not be read.");
    }
  }
}

export const EVERY_ITEM = { kind: "largest", rows: Number.MAX_SAFE_INTEGER } as const;
