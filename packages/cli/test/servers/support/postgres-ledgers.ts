/**
 * A PostgreSQL server with as many ledgers as a test needs, each in a database of its own, and two accounts: the owner, who
 * made them, and `charger`, who may only charge them.
 * @module
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import {
  locatePostgres,
  POSTGRES_PASSWORD,
  PostgresServer,
} from "../../../../../bench/src/scale/postgres-server.js";
import { makeServerLedger } from "../../../src/ledger/open-ledger.js";
import type { Keeping } from "../../ledger/support/sql-laws.js";
import { temporaryFolder } from "../../ledger/support/temporary-folder.js";

export const CHARGER = "charger";
const ROLE = "winnow_charger";
const TEMPLATE = "template_ledger";

export class LedgerServer implements Keeping {
  readonly server: PostgresServer;
  #ledgers = 0;

  private constructor(server: PostgresServer) {
    this.server = server;
  }

  static async start(): Promise<LedgerServer> {
    const ledgers = new LedgerServer(await PostgresServer.start(["max_connections = 60"]));
    await ledgers.run("postgres", `CREATE DATABASE ${TEMPLATE}`);
    await makeServerLedger(ledgers.at(TEMPLATE), ROLE);
    await ledgers.run(
      "postgres",
      `CREATE ROLE ${CHARGER} LOGIN PASSWORD '${POSTGRES_PASSWORD}' IN ROLE ${ROLE}`,
    );
    return ledgers;
  }

  /** The address of a database, for the owner or another account. */
  at(database: string, user = "winnow"): string {
    return this.server.url(POSTGRES_PASSWORD, user).replace(/\/postgres$/, `/${database}`);
  }

  /** The same ledger for the account that charges. */
  asCharger(location: string): string {
    return location.replace("//winnow:", `//${CHARGER}:`);
  }

  async fresh(): Promise<string> {
    const database = `ledger_${this.#ledgers++}`;
    await this.run("postgres", `CREATE DATABASE ${database} TEMPLATE ${TEMPLATE}`);
    return this.at(database);
  }

  sql(location: string, statements: string): Promise<unknown[][]> {
    return this.#at(location, `SET search_path = winnow_ledger, pg_catalog; ${inPostgres(statements)}`);
  }

  async tamper(location: string, statements: string): Promise<void> {
    await this.sql(location, `SET session_replication_role = replica; ${statements}`);
  }

  async lock(location: string): Promise<() => Promise<void>> {
    const client = new pg.Client(location);
    await client.connect();
    await client.query("BEGIN; SELECT winnow_ledger.take_turn()");
    return () => client.end();
  }

  /** Takes a dump now, and returns how to put it back: into the same database, under the runs that use it. */
  async dump(location: string): Promise<() => Promise<void>> {
    const run = async (program: string, ...options: string[]) => {
      const at = [...options, `--dbname=${location}?sslmode=disable`];
      const command = join(locatePostgres() ?? "", program);
      return (await promisify(execFile)(command, at, { env: { PATH: process.env.PATH } })).stdout;
    };
    const file = join(temporaryFolder(), "dump.sql");
    await run("pg_dump", "--schema=winnow_ledger", `--file=${file}`);
    return async () => {
      await this.#at(location, "DROP SCHEMA winnow_ledger CASCADE");
      await run("psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", `--file=${file}`);
    };
  }

  /** Statements in a database, as its owner; the rows of the last one. */
  run(database: string, statements: string): Promise<unknown[][]> {
    return this.#at(this.at(database), statements);
  }

  async #at(location: string, statements: string): Promise<unknown[][]> {
    const client = new pg.Client(location);
    await client.connect();
    try {
      return [await client.query<unknown[]>({ text: statements, rowMode: "array" })].flat().at(-1)!.rows;
    } finally {
      await client.end();
    }
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}

/** PostgreSQL wants to know whose trigger it is. */
function inPostgres(statements: string): string {
  return statements.replace(/DROP TRIGGER (\w+)/g, "DROP TRIGGER $1 ON log");
}
