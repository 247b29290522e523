/**
 * A cluster of two shards with a small table `visits` over both, how to count it, and how to see that nothing of ours still
 * runs.
 * @module
 */
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { type ClickhouseServer, startCluster } from "../../../../../bench/src/scale/clickhouse-cluster.js";
import { openClickhouse } from "../../../src/sources/clickhouse.js";
import type { Candidates, SourceOptions } from "../../../src/sources/source.js";
import { collect } from "./histograms.js";
import { loadCluster } from "./load.js";

export type Shards = [ClickhouseServer, ClickhouseServer];

export const LARGEST = { kind: "largest", rows: 10 } as const;
export const ROLES = { item: "item", user: "user" };
/** Hours of work, of which the engine looks up between blocks. */
export const SLOW =
  "SELECT toString(number) AS item, concat('secret_statement', toString(number)) AS user FROM system.numbers LIMIT 100000000000";

export async function startWithVisits(): Promise<Shards> {
  const shards = await startCluster();
  await loadCluster(shards, [
    ["ann", "private-row"],
    ["ann", "private-row"], // on the other shard
    ["bob", "private-row"],
    ["bob", "second"],
  ]);
  return shards;
}

export async function countAt(
  url: string,
  options: SourceOptions,
  candidates: Candidates = LARGEST,
): Promise<[string, number][]> {
  const source = await openClickhouse(url, options);
  try {
    return await collect(source, candidates);
  } finally {
    await source.close();
  }
}

/** On either shard. */
export async function expectNothingRuns(shards: Shards): Promise<void> {
  const ask =
    "SELECT count() FROM system.processes WHERE query LIKE '%winnow_users%' AND query NOT LIKE '%system.processes%'";
  const running = async () => (await Promise.all(shards.map((shard) => shard.sql(ask)))).map(Number);
  for (let turn = 0; (await running()).some((queries) => queries > 0); turn++) {
    expect(turn).toBeLessThan(200);
    await pause(50);
  }
}
