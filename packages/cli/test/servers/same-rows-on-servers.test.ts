import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { type ClickhouseServer, startCluster } from "../../../../bench/src/scale/clickhouse-cluster.js";
import { PostgresServer } from "../../../../bench/src/scale/postgres-server.js";
import { openSource } from "../../src/sources/open-source.js";
import { CLICKHOUSE_PAIRS, POSTGRES_PAIRS } from "../sources/query/support/query-pairs.js";
import * as clickhouse from "./support/clickhouse-visits.js";
import type { Row } from "./support/histograms.js";
import { describeOnClickhouse, describeOnPostgres } from "./support/installed.js";
import { loadCluster, loadPostgres } from "./support/load.js";
import * as postgres from "./support/postgres-visits.js";
import { countsAlike, keepsPromises, TABLES } from "./support/promises.js";

// Trino has its turn in trino.test.ts, with the cluster that its other tests need.

describe("The same rows in files", () => {
  const file = (table: string) => join(tmpdir(), `winnow-same-rows-${process.pid}-${table}.csv`);
  const field = (text = "") => `"${text.replaceAll('"', '""')}"`;
  const line = ([user, item]: Row) => `${field(user)},${field(item)}\n`;

  beforeAll(async () => {
    for (const [table, rows] of Object.entries(TABLES))
      await writeFile(file(table), `user,item\n${rows.map(line).join("")}`);
  });
  afterAll(() => Promise.all(Object.keys(TABLES).map((table) => rm(file(table), { force: true }))));

  countsAlike((table) => openSource(file(table)));
});

describeOnPostgres("The same rows in PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server?.stop());

  keepsPromises({
    name: "PostgreSQL",
    url: () => server.url(),
    refusedUrl: () => server.url("wrong password"),
    port: () => server.port,
    load: (rows, table) => loadPostgres(server, rows, table),
    running: () => postgres.counting(server),
    queries: {
      endless: postgres.ENDLESS,
      failing: `SELECT "user", CASE WHEN item = 'a' THEN 1 / 0 ELSE length(item) END AS item FROM visits`,
      writing: "WITH gone AS (DELETE FROM visits RETURNING *) SELECT * FROM gone",
      days: `SELECT DATE '2024-01-01' AS item, "user" FROM visits`,
    },
    pairs: POSTGRES_PAIRS,
  });
});

describeOnClickhouse("The same rows in a ClickHouse cluster", () => {
  let shards: ClickhouseServer[] = [];
  beforeAll(async () => {
    shards = await startCluster();
  });
  afterAll(() => Promise.allSettled(shards.map((shard) => shard.stop())));

  keepsPromises({
    name: "ClickHouse",
    url: () => shards[0].url(),
    refusedUrl: () => shards[0].url({ password: "wrong password" }),
    port: () => shards[0].port,
    load: (rows, table) => loadCluster(shards, rows, table),
    running: async () => Math.max(...(await clickhouse.counting(shards))),
    queries: {
      endless: clickhouse.ENDLESS,
      failing: "SELECT toString(throwIf(length(item) = 1, 'private-row')) AS item, user FROM visits",
      writing: "INSERT INTO visits VALUES ('a', 'b')",
      days: "SELECT today() AS item, user FROM visits",
    },
    pairs: CLICKHOUSE_PAIRS,
  });

  describe("for an account that may only read, on the other shard,", () => {
    countsAlike((table) => openSource(shards[1].url({ user: "reader" }), { table }));
  });
});
