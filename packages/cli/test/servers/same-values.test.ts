import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ClickhouseServer, startCluster } from "../../../../bench/src/scale/clickhouse-cluster.js";
import { PostgresServer } from "../../../../bench/src/scale/postgres-server.js";
import { openSource } from "../../src/sources/open-source.js";
import type { Source } from "../../src/sources/source.js";
import { collect, sorted } from "./support/histograms.js";
import { describeOnBoth } from "./support/installed.js";

/** Name, values, and the type in DuckDB, PostgreSQL and ClickHouse; the last value stands on a row twice. */
const COLUMNS = [
  ["small", ["-5", "7"], "TINYINT", "smallint", "Int8"],
  ["large", ["9007199254740992", "9007199254740993"], "BIGINT", "bigint", "Int64"],
  ["text", ["'a'", "'A'"], "VARCHAR", "text", "String"],
  ["chosen", ["'red'", "'green'"], "ENUM ('red', 'green')", "colour", "Enum8('red' = 1, 'green' = 2)"],
  ["price", ["1.5", "-0.25"], "DECIMAL(9, 2)", "numeric(9, 2)", "Decimal(9, 2)"],
  ["part", ["0.5", "-1234.5678"], "DOUBLE", "double precision", "Float64"],
  ["day", ["'2024-02-29'", "'1970-01-02'"], "DATE", "date", "Date"],
  ["instant", ["'2024-10-27 00:30:00'", "'2024-10-27 01:30:00'"], "TIMESTAMP", "timestamp", "DateTime"],
  [
    "key",
    ["'61f0c404-5cb3-11e7-907b-a6006ad3dba0'", "'00000000-0000-0000-0000-000000000000'"],
    "UUID",
    "uuid",
    "UUID",
  ],
] as const;
const OTHER = ["other", ["'x'", "'y'"], "VARCHAR", "text", "String"] as const;
const ALL = [OTHER, ...COLUMNS];
const ROWS = [0, 1, 1].map((place) => ALL.map(([, values]) => values[place]).join(", "));
const columnsAs = (engine: 2 | 3 | 4) => ALL.map((column) => `"${column[0]}" ${column[engine]}`).join(", ");

describeOnBoth("The same values of many types in a Parquet file, in PostgreSQL and in ClickHouse", () => {
  let folder: string;
  let postgres: PostgresServer;
  let shards: ClickhouseServer[] = [];
  let sources: Source[] = [];

  beforeAll(async () => {
    [folder, postgres, shards] = await Promise.all([
      mkdtemp(join(tmpdir(), "winnow-same-values-")),
      PostgresServer.start(),
      startCluster(),
    ]);
    const file = join(folder, "typed.parquet");
    await writeParquet(file);
    const inserted = ROWS.map((row) => `(${row})`).join(", ");
    await postgres.sql(`CREATE TYPE colour AS ENUM ('red', 'green');
      CREATE TABLE typed (${columnsAs(3)}); INSERT INTO typed VALUES ${inserted}`);
    await shards[0].sql(`CREATE TABLE typed (${columnsAs(4)}) ENGINE = Memory`);
    await shards[0].sql(`INSERT INTO typed VALUES ${inserted}`);
    sources = await Promise.all([
      openSource(file, {}),
      ...[postgres.url(), shards[0].url()].map((url) => openSource(url, { table: "typed" })),
    ]);
  });
  afterAll(async () => {
    await Promise.allSettled(sources.map((source) => source.close()));
    await Promise.allSettled([
      postgres?.stop(),
      ...shards.map((shard) => shard.stop()),
      rm(folder, { recursive: true, force: true }),
    ]);
  });

  async function writeParquet(file: string): Promise<void> {
    const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
    const connection = await instance.connect();
    await connection.run(`CREATE TABLE typed (${columnsAs(2)})`);
    for (const row of ROWS) await connection.run(`INSERT INTO typed VALUES (${row})`);
    await connection.run(`COPY typed TO '${file}' (FORMAT parquet)`);
    connection.closeSync();
    instance.closeSync();
  }

  it.each(COLUMNS)("have the same texts as items and are as many users: %s", async (name) => {
    const candidates = { kind: "largest", rows: 10 } as const;
    const [file, ...servers] = await Promise.all(
      sources.map(async (source) => [
        sorted(await collect(source, candidates, { item: name, user: "other" })),
        sorted(await collect(source, candidates, { item: "other", user: name })),
      ]),
    );
    expect(file[0]).toHaveLength(2);
    for (const server of servers) expect(server).toEqual(file);
  });
});
