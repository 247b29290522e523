/**
 * A PostgreSQL server with a small table `visits`, how to count it, and how to see that no session of ours is left.
 * @module
 */
import { expect } from "vitest";
import { PostgresServer } from "../../../../../bench/src/scale/postgres-server.js";
import { openPostgres } from "../../../src/sources/postgres/postgres-source.js";
import type { Candidates, SourceOptions } from "../../../src/sources/source.js";
import { collect } from "./histograms.js";

export const LARGEST = { kind: "largest", rows: 10 } as const;
/** As long as it takes on a busy machine. */
const PATIENT = { timeout: 120_000, interval: 50 };
/** A day of work. */
export const ENDLESS =
  "SELECT 'private-row' AS item, pg_sleep(86400)::text || 'secret_statement' AS \"user\"";

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

/** How many counts run. */
export async function counting(server: PostgresServer): Promise<number> {
  const ask = `SELECT count(*) FROM pg_stat_activity
    WHERE application_name = 'winnow' AND state = 'active' AND query LIKE '%count(DISTINCT%'`;
  return Number(await server.sql(ask));
}

/** Waits until the server is in the middle of a count. */
export async function expectCounting(server: PostgresServer): Promise<void> {
  await expect.poll(() => counting(server), PATIENT).toBe(1);
}

export async function expectNoSession(server: PostgresServer): Promise<void> {
  const ask = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'winnow'";
  await expect.poll(() => server.sql(ask), PATIENT).toBe("0");
}
