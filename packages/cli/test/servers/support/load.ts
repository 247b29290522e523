/**
 * Puts rows into tables with the engines' own clients.
 * @module
 */
import { CLUSTER, type ClickhouseServer } from "../../../../../bench/src/scale/clickhouse-cluster.js";
import type { PostgresServer } from "../../../../../bench/src/scale/postgres-server.js";
import type { TrinoCluster } from "../../../../../bench/src/scale/trino-cluster.js";
import type { Row } from "./histograms.js";

/** A table `visits` with the columns user and item. */
export async function loadPostgres(
  server: PostgresServer,
  rows: readonly Row[],
  table = "visits",
): Promise<void> {
  const text = (value: string | undefined) =>
    value === undefined ? "NULL" : `convert_from('\\x${hex(value)}', 'UTF8')`;
  const values = rows.map(([user, item]) => `(${text(user)}, ${text(item)})`);
  await server.sql(`CREATE TABLE "${table}" ("user" text, "item" text)`);
  for (let start = 0; start < values.length; ) {
    let end = start + 1;
    for (let length = 0; end < values.length && length < MOST_SENT; end++) length += values[end].length;
    await server.sql(`INSERT INTO "${table}" VALUES ${values.slice(start, end).join(", ")}`);
    start = end;
  }
}

/** A statement is an argument of a program, which the system limits. */
const MOST_SENT = 50_000;

/** A table `visits_shard` on each shard, every second row on the other, and `visits` over both. */
export async function loadCluster(
  shards: readonly ClickhouseServer[],
  rows: readonly Row[],
  table = "visits",
): Promise<void> {
  const field = (value: string | undefined) =>
    value === undefined
      ? "\\N"
      : value.replaceAll("\\", "\\\\").replaceAll("\t", "\\t").replaceAll("\n", "\\n");
  for (const [number, shard] of shards.entries()) {
    await shard.sql(
      `CREATE TABLE ${table}_shard (user Nullable(String), item Nullable(String)) ENGINE = MergeTree ORDER BY tuple()`,
    );
    const mine = rows.filter((_, place) => place % shards.length === number);
    const lines = mine.map(([user, item]) => `${field(user)}\t${field(item)}`);
    await shard.sql(`INSERT INTO ${table}_shard FORMAT TabSeparated\n${lines.join("\n")}\n`);
    await shard.sql(
      `CREATE TABLE ${table} AS ${table}_shard ENGINE = Distributed(${CLUSTER}, default, ${table}_shard, rand())`,
    );
  }
}

function hex(text: string): string {
  return Buffer.from(text, "utf8").toString("hex");
}

/** A table with the columns user and item, in the memory of the workers. */
export async function loadTrino(
  cluster: TrinoCluster,
  rows: readonly Row[],
  table = "visits",
): Promise<void> {
  const text = (value: string | undefined) =>
    value === undefined ? "CAST(NULL AS varchar)" : `from_utf8(X'${hex(value)}')`;
  const values = rows.map(([user, item]) => `(${text(user)}, ${text(item)})`);
  await cluster.sql(`CREATE TABLE ${table} ("user" varchar, item varchar)`);
  for (let start = 0; start < values.length; start += 500)
    await cluster.sql(`INSERT INTO ${table} VALUES ${values.slice(start, start + 500).join(", ")}`);
}
