/**
 * A cluster of two shards with a small table `visits` over both, how to count it, and how to see that nothing of ours still
 * runs.
 * @module
 */
import { expect } from "vitest";
import { type ClickhouseServer, startCluster } from "../../../../../bench/src/scale/clickhouse-cluster.js";
import { openClickhouse } from "../../../src/sources/clickhouse/clickhouse-source.js";
import type { Candidates, SourceOptions } from "../../../src/sources/source.js";
import { collect } from "./histograms.js";
import { loadCluster } from "./load.js";

export type Shards = [ClickhouseServer, ClickhouseServer];

export const LARGEST = { kind: "largest", rows: 10 } as const;
/** As long as it takes on a busy machine. */
const PATIENT = { timeout: 120_000, interval: 50 };
export const ROLES = { item: "item", user: "user" };
/** Days of work, during which the engine looks up between blocks. */
export const ENDLESS =
  "SELECT 'private-row' AS item, concat('secret_statement', toString(number % 10)) AS user FROM system.numbers LIMIT 100000000000000";
/** The same, for which it needs ever more memory. */
export const GROWING =
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

/** How many counts run on each. */
export async function counting(servers: readonly ClickhouseServer[]): Promise<number[]> {
  const ask =
    "SELECT count() FROM system.processes WHERE query LIKE '%winnow_users%' AND query NOT LIKE '%system.processes%'";
  return (await Promise.all(servers.map((server) => server.sql(ask)))).map(Number);
}

/** Waits until the server is in the middle of a count. */
export async function expectCounting(server: ClickhouseServer): Promise<void> {
  await expect.poll(() => counting([server]), PATIENT).not.toEqual([0]);
}

/** On either shard. */
export async function expectNothingRuns(shards: Shards): Promise<void> {
  await expect.poll(() => counting(shards), PATIENT).toEqual([0, 0]);
}
