/**
 * Rows generated inside the engines, none of them sent over a network: in PostgreSQL and ClickHouse a table of visits, with
 * Zipf-like items and users at random; in Trino the rows of TPC-H.
 * @module
 */
import { CLUSTER, startCluster } from "./clickhouse-cluster.js";
import { compare, type Engine, type Measured, measureServer } from "./measure-server.js";
import { PostgresServer } from "./postgres-server.js";
import { cpuSecondsOf } from "./run-winnow.js";
import { TrinoCluster } from "./trino-cluster.js";

export interface Size {
  readonly rows: number;
  readonly users: number;
  readonly items: number;
  readonly rounds: number;
}

export async function measurePostgres({ rows, users, items, rounds }: Size): Promise<Measured[]> {
  const server = await PostgresServer.start(["max_wal_size = '4GB'", "autovacuum = off"]);
  try {
    await server.sql(`CREATE UNLOGGED TABLE visits AS
      SELECT 'user ' || floor(random() * ${users})::int AS "user", 'item ' || floor(power(${items}, random()))::int AS item
      FROM generate_series(1, ${rows})`);
    await server.sql("VACUUM ANALYZE visits");
    // All rows come over the wire and are dropped by the server's own client.
    const group = () => server.drain('SELECT item, count(DISTINCT "user") FROM visits GROUP BY item');
    const cpuSeconds = () => cpuSecondsOf(server.pid);
    return await measureServer({ url: server.url(), port: server.port, group, cpuSeconds, items }, rounds);
  } finally {
    await server.stop();
  }
}

export async function measureClickhouse({ rows, users, items, rounds }: Size): Promise<Measured[]> {
  const shards = await startCluster();
  try {
    for (const shard of shards) {
      await shard.sql(
        "CREATE TABLE visits_shard (user String, item String) ENGINE = MergeTree ORDER BY tuple()",
      );
      await shard.sql(
        `CREATE TABLE visits AS visits_shard ENGINE = Distributed(${CLUSTER}, default, visits_shard)`,
      );
      await shard.sql(`INSERT INTO visits_shard
        SELECT concat('user ', toString(rand64(1) % ${users})),
               concat('item ', toString(toUInt32(floor(pow(${items}, rand64(2) / 18446744073709551616.)))))
        FROM system.numbers LIMIT ${rows / shards.length}`);
    }
    const [first] = shards;
    const group = () => first.sql("SELECT item, uniqExact(user) FROM visits GROUP BY item FORMAT Null");
    const cpuSeconds = () => shards.reduce((sum, { pid }) => sum + cpuSecondsOf(pid), 0);
    return await measureServer({ url: first.url(), port: first.port, group, cpuSeconds, items }, rounds);
  } finally {
    await Promise.allSettled(shards.map((shard) => shard.stop()));
  }
}

/**
 * The parts that the most customers have ordered, at a scale factor of TPC-H. A server compiles what it runs often, so each
 * question is asked twice at the smallest scale before anything is measured.
 */
export async function measureTrino(scale: number, rounds: number): Promise<Measured[]> {
  const cluster = await TrinoCluster.start({ isLarge: true });
  try {
    await compare(topParts(cluster, 1), "warm-up", partsAsked(1), 2);
    const question = `scale factor ${scale}, unknown domain`;
    return [await compare(topParts(cluster, scale), question, partsAsked(scale), rounds)];
  } finally {
    await cluster.stop();
  }
}

function topParts(cluster: TrinoCluster, scale: number): Engine {
  return {
    url: cluster.url(`tpch/sf${scale}`),
    port: cluster.port,
    group: () =>
      cluster.sql(`SELECT partkey, count(DISTINCT custkey) AS customers FROM ${orderedAt(scale)}
        GROUP BY partkey ORDER BY customers DESC LIMIT 10`),
    cpuSeconds: () => cluster.pids.map(cpuSecondsOf).reduce((sum, seconds) => sum + seconds),
  };
}

function partsAsked(scale: number): string[] {
  const query = `SELECT partkey, custkey FROM ${orderedAt(scale)}`;
  return ["--query", query, "--item", "partkey", "--user", "custkey", "--delta", "1e-6"];
}

function orderedAt(scale: number): string {
  return `tpch.sf${scale}.lineitem AS l JOIN tpch.sf${scale}.orders AS o ON l.orderkey = o.orderkey`;
}
