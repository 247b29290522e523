/**
 * The counts of many small files with one engine in this process: what the reader's process does for a file, without the
 * process.
 * @module
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LIST, listValue, VARCHAR } from "@duckdb/node-api";
import { usersSql } from "../sources/duckdb/count-users.js";
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
  #files = 0;

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
    const path = this.#newFile(format);
    writeFileSync(path, bytes);
    return this.#count(format, path);
  }

  /** Through a Parquet file that the engine writes. */
  async countRows(rows: readonly Row[]): Promise<Counts> {
    const path = this.#newFile("parquet");
    const [users, items] = [rows.map(({ user }) => user), rows.map(({ item }) => item)];
    await this.#engine.connection.run(
      `COPY (SELECT unnest($1) AS "user", unnest($2) AS item) TO ${sqlText(path)} (FORMAT parquet)`,
      [listValue(users), listValue(items)],
      [LIST(VARCHAR), LIST(VARCHAR)],
    );
    return this.#count("parquet", path);
  }

  close(): void {
    this.#engine.close();
  }

  /** A file of its own for each: to write over one waits for the disk. */
  #newFile(format: string): string {
    return join(this.#folder, `${this.#files++}.${format}`);
  }

  async #count(format: LineFormat | "parquet", path: string): Promise<Counts> {
    try {
      const relation = await relationOf(this.#engine, format, { paths: [path], isGzip: false });
      const sql = `SELECT '=' || item, users FROM (${usersSql(relation, ROLES)}) WHERE users > 0`;
      const rows = await (await this.#engine.connection.run(sql)).getRows();
      return new Map(rows.map(([item, users]) => [String(item).slice(1), Number(users)]));
    } catch (error) {
      return engineRefusal(error, "The file could not be read.");
    } finally {
      rmSync(path);
    }
  }
}

export const EVERY_ITEM = { kind: "largest", rows: Number.MAX_SAFE_INTEGER } as const;
