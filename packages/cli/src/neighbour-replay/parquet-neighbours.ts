/**
 * Neighbours of a Parquet file, written by an engine as Parquet files of the two columns as text.
 * @module
 */
import { join } from "node:path";
import { type DuckDBValue, LIST, listValue, VARCHAR } from "@duckdb/node-api";
import { uniformBelow } from "winnow-dp/sample";
import { openEngine } from "../sources/duckdb/engine.js";
import { relationOf } from "../sources/duckdb/open-relation.js";
import { sqlText } from "../sources/duckdb/sql-text.js";
import { type FileNeighbours, STRANGER } from "./file-neighbours.js";
import { HOSTILE_TEXTS } from "./hostile-text.js";
import type { Row } from "./line-writer.js";

/** The neighbours are written into a private folder. */
export async function parquetNeighbours(path: string, roles: Row, folder: string): Promise<FileNeighbours> {
  const engine = await openEngine({ folder });
  const { connection } = engine;
  const relation = await relationOf(engine, "parquet", { paths: [path], isGzip: false });
  const rows = relation.rows(roles);
  const neighbour = join(folder, "neighbour.parquet");
  const write = async (sql: string, values: DuckDBValue[]) => {
    const types = values.map((value) => (typeof value === "string" ? VARCHAR : LIST(VARCHAR)));
    await connection.run(`COPY (${sql}) TO ${sqlText(neighbour)} (FORMAT parquet)`, values, types);
    return neighbour;
  };
  return {
    roles: { item: "item", user: "user" },
    async people(most, entropy) {
      const salt = String(uniformBelow(2 ** 32, entropy));
      const result = await connection.run(
        `SELECT '=' || "user" FROM (SELECT DISTINCT "user" FROM (${rows}) WHERE "user" <> '')
          ORDER BY hash("user" || $1) LIMIT ${BigInt(most)}`,
        [salt],
      );
      return (await result.getRows()).map(([person]) => String(person).slice(1));
    },
    without: (person) => write(`SELECT * FROM (${rows}) WHERE "user" IS DISTINCT FROM $1`, [person]),
    withStranger: () =>
      write(`SELECT item, "user" FROM (${rows}) UNION ALL SELECT unnest($1), $2`, [
        listValue(HOSTILE_TEXTS),
        STRANGER,
      ]),
    close: () => engine.close(),
  };
}
