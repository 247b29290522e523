/**
 * Tables of visits generated inside the engines: Zipf-like items, users at random, none of it sent over a network.
 * @module
 */
import { CLUSTER, startCluster } from "./clickhouse-cluster.js";
import { type Measured, measureServer } from "./measure-server.js";
import { PostgresServer } from "./postgres-server.js";
import { cpuSecondsOf } from "./run-winnow.js";

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
