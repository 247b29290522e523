/**
 * Debian's pgbouncer before a PostgreSQL server, in transaction mode: each transaction may meet another connection.
 * @module
 */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { POSTGRES_PASSWORD, type PostgresServer } from "./postgres-server.js";
import { giveToServer, onFreePorts, ServerProcess, serverFolder } from "./server-process.js";

const INSTALLED = "/usr/sbin/pgbouncer";

export function locatePooler(): string | undefined {
  return existsSync(INSTALLED) ? INSTALLED : undefined;
}

export class Pooler {
  readonly #folder: string;
  readonly port: number;
  #process: ServerProcess;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.port = port;
    this.#process = this.#spawn();
  }

  /** Starts one for these accounts of the server, with this many connections to it. */
  static start(server: PostgresServer, accounts: readonly string[], connections: number): Promise<Pooler> {
    return onFreePorts(1, async ([port]) => {
      const folder = await serverFolder("pooler");
      const file = (name: string) => join(folder, name);
      await writeFile(file("users"), accounts.map((name) => `"${name}" "${POSTGRES_PASSWORD}"\n`).join(""));
      await writeFile(
        file("settings"),
        [
          "[databases]",
          `* = host=127.0.0.1 port=${server.port}`,
          "[pgbouncer]",
          "listen_addr = 127.0.0.1",
          `listen_port = ${port}`,
          "unix_socket_dir =",
          "auth_type = plain",
          `auth_file = ${file("users")}`,
          "pool_mode = transaction",
          `default_pool_size = ${connections}`,
          "server_tls_sslmode = disable",
          "ignore_startup_parameters = extra_float_digits",
        ].join("\n"),
      );
      await Promise.all(["users", "settings"].map((name) => giveToServer(file(name))));
      const pooler = new Pooler(folder, port);
      try {
        await pooler.#answers(accounts[0]);
        return pooler;
      } catch (error) {
        await pooler.stop();
        throw error;
      }
    });
  }

  #spawn(): ServerProcess {
    return new ServerProcess(INSTALLED, [join(this.#folder, "settings")], this.#folder);
  }

  #answers(account: string): Promise<void> {
    return this.#process.started(async () => {
      const password = encodeURIComponent(POSTGRES_PASSWORD);
      const client = new pg.Client(`postgres://${account}:${password}@127.0.0.1:${this.port}/postgres`);
      await client.connect();
      await client.end();
      return true;
    });
  }

  /** Dies at once. */
  async crash(): Promise<void> {
    this.#process.kill();
    await this.#process.ended();
  }

  async restart(account: string): Promise<void> {
    this.#process = this.#spawn();
    await this.#answers(account);
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }
}
