/**
 * A PostgreSQL server with a small table `visits`, how to count it, and how to see that no session of ours is left.
 * @module
 */
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { PostgresServer } from "../../../../../bench/src/scale/postgres-server.js";
import { openPostgres } from "../../../src/sources/postgres.js";
import type { Candidates, SourceOptions } from "../../../src/sources/source.js";
import { collect } from "./histograms.js";

export const LARGEST = { kind: "largest", rows: 10 } as const;
export const SLOW = "SELECT 'private-row' AS item, pg_sleep(60)::text || 'secret_statement' AS \"user\"";

export async function startWithVisits(): Promise<PostgresServer> {
  const server = await PostgresServer.start();
  await server.sql(`
    CREATE TABLE visits ("user" text, item text);
    INSERT INTO visits VALUES ('ann', 'private-row'), ('bob', 'private-row'), ('bob', 'second')`);
  return server;
}

export async function countOf(
  server: PostgresServer,
  options: SourceOptions,
  candidates: Candidates = LARGEST,
): Promise<[string, number][]> {
  return collect(await openPostgres(server.url(), options), candidates);
}

export async function expectNoSession(server: PostgresServer): Promise<void> {
  const ask = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'winnow'";
  for (let turn = 0; (await server.sql(ask)) !== "0"; turn++) {
    expect(turn).toBeLessThan(100);
    await pause(50);
  }
}
