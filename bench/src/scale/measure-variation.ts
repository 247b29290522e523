/**
 * What `winnow top` costs by the number of users, candidates, winners and shards: one table of two million rows in each
 * engine, with a column for each number of users and of items, so that a question chooses its size by its columns.
 * @module
 */
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLUSTER, startCluster } from "./clickhouse-cluster.js";
import { CountingProxy, through } from "./counting-proxy.js";
import { costOf } from "./measure-server.js";
import { PostgresServer } from "./postgres-server.js";
import { cpuSecondsOf, runWinnow } from "./run-winnow.js";

const ROWS = 2_000_000;
const USERS = [1e4, 1e5, 1e6];
const ITEMS = [1e3, 1e5];

interface Asked {
  readonly users: number;
  readonly candidates: number;
  readonly k: number;
}

const BASE: Asked = { users: 1e5, candidates: 1e5, k: 10 };
/** One number is changed at a time. */
const VARIED: readonly Asked[] = [
  BASE,
  { ...BASE, users: 1e4 },
  { ...BASE, users: 1e6 },
  { ...BASE, candidates: 1e3 },
  { ...BASE, k: 1000 },
];

export interface Varied extends Asked {
  readonly engine: string;
  readonly shards: number;
  readonly seconds: number;
  readonly serverCpuSeconds: number;
  readonly ourCpuSeconds: number;
  readonly megabytes: number;
  readonly receivedKilobytes: number;
}

export async function varyPostgres(): Promise<Varied[]> {
  const server = await PostgresServer.start(["max_wal_size = '4GB'", "autovacuum = off"]);
  const columns = [
    ...USERS.map((users) => `'user ' || floor(random() * ${users})::int AS user_${users}`),
    ...ITEMS.map((items) => `'item ' || floor(power(${items}, random()))::int AS item_${items}`),
  ];
  try {
    await server.sql(
      `CREATE UNLOGGED TABLE visits AS SELECT ${columns.join(", ")} FROM generate_series(1, ${ROWS})`,
    );
    await server.sql("VACUUM ANALYZE visits");
    const engine = { engine: "PostgreSQL", shards: 1, table: "visits", url: server.url(), port: server.port };
    return await inTurn(VARIED, engine, () => cpuSecondsOf(server.pid));
  } finally {
    await server.stop();
  }
}

export async function varyClickhouse(): Promise<Varied[]> {
  const shards = await startCluster();
  const [first] = shards;
  // Each number draws from a sequence of its own.
  const columns = [
    ...USERS.map((users, i) => `concat('user ', toString(rand64(${i}) % ${users})) AS user_${users}`),
    ...ITEMS.map((items, i) => {
      const share = `rand64(${USERS.length + i}) / 18446744073709551616.`;
      return `concat('item ', toString(toUInt32(floor(pow(${items}, ${share}))))) AS item_${items}`;
    }),
  ];
  const rows = `SELECT ${columns.join(", ")} FROM (SELECT number FROM system.numbers LIMIT ${ROWS / shards.length})`;
  try {
    for (const shard of shards) {
      await shard.sql(`CREATE TABLE visits_shard ENGINE = MergeTree ORDER BY tuple() AS ${rows}`);
      await shard.sql(
        `CREATE TABLE visits AS visits_shard ENGINE = Distributed(${CLUSTER}, default, visits_shard)`,
      );
    }
    await first.sql("CREATE TABLE all_visits ENGINE = MergeTree ORDER BY tuple() AS SELECT * FROM visits");
    const engine = { engine: "ClickHouse", url: first.url(), port: first.port };
    const cpuSeconds = () => shards.reduce((sum, { pid }) => sum + cpuSecondsOf(pid), 0);
    return [
      ...(await inTurn([BASE], { ...engine, shards: 1, table: "all_visits" }, cpuSeconds)),
      ...(await inTurn(VARIED, { ...engine, shards: shards.length, table: "visits" }, cpuSeconds)),
    ];
  } finally {
    await Promise.allSettled(shards.map((shard) => shard.stop()));
  }
}

interface Engine {
  readonly engine: string;
  readonly shards: number;
  readonly table: string;
  readonly url: string;
  readonly port: number;
}

async function inTurn(
  questions: readonly Asked[],
  engine: Engine,
  cpuSeconds: () => number,
): Promise<Varied[]> {
  const results: Varied[] = [];
  for (const asked of questions) results.push(await ask(asked, engine, cpuSeconds));
  return results;
}

/** Over a public list: all counts come back, through the proxy that counts their bytes. */
async function ask(
  asked: Asked,
  { engine, shards, table, url, port }: Engine,
  cpuSeconds: () => number,
): Promise<Varied> {
  const { users, candidates, k } = asked;
  const list = join(tmpdir(), `winnow-scale-items-${process.pid}.txt`);
  await writeFile(list, Array.from({ length: candidates }, (_, i) => `item ${i}\n`).join(""));
  const proxy = await CountingProxy.start(port);
  try {
    let run = { cpuSeconds: 0, megabytes: 0 };
    const columns = ["--table", table, "--item", `item_${candidates}`, "--user", `user_${users}`];
    const question = [...columns, "-k", String(k), "--epsilon", "1", "--domain", list];
    const cost = await costOf(cpuSeconds, async () => {
      run = await runWinnow(["top", through(proxy, url), ...question]);
    });
    return {
      engine,
      shards,
      ...asked,
      seconds: cost.seconds,
      serverCpuSeconds: cost.cpuSeconds,
      ourCpuSeconds: run.cpuSeconds,
      megabytes: run.megabytes,
      receivedKilobytes: proxy.received / 1000,
    };
  } finally {
    proxy.stop();
    await rm(list);
  }
}
