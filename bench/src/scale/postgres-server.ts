/**
 * Debian's PostgreSQL with an empty database of its own, reached over loopback with a password, with TLS or without. The
 * files need not survive a crash, so nothing waits for the disk.
 * @module
 */
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { makeCertificate } from "./certificate.js";
import { childrenOf, cpuSecondsOf } from "./run-winnow.js";
import { giveToServer, onFreePorts, runAsServer, ServerProcess, serverFolder } from "./server-process.js";

const INSTALLED = "/usr/lib/postgresql";
const MOST_RESTARTS = 100;
/** In milliseconds. */
const BETWEEN_RESTARTS = 200;
const BETWEEN_LOOKS = 20;
export const POSTGRES_PASSWORD = "a secret of postgres";

/** The folder of the newest installed version's programs, or undefined. */
export function locatePostgres(): string | undefined {
  if (!existsSync(INSTALLED)) return undefined;
  const versions = readdirSync(INSTALLED).sort((a, b) => Number(b) - Number(a));
  return versions
    .map((version) => join(INSTALLED, version, "bin"))
    .find((bin) => existsSync(join(bin, "initdb")));
}

export class PostgresServer {
  /** The path of the server's certificate, for clients that should trust it. */
  readonly certificate: string;
  readonly #bin: string;
  readonly #folder: string;
  readonly port: number;
  #process: ServerProcess;

  private constructor(bin: string, folder: string, port: number, certificate: string) {
    this.#bin = bin;
    this.#folder = folder;
    this.port = port;
    this.certificate = certificate;
    this.#process = this.#spawn();
  }

  /** Starts a new one; `settings` are lines of its configuration. */
  static start(settings: readonly string[] = []): Promise<PostgresServer> {
    return onFreePorts(1, ([port]) => PostgresServer.#startOn(port, settings));
  }

  static async #startOn(port: number, settings: readonly string[]): Promise<PostgresServer> {
    const bin = locatePostgres();
    if (bin === undefined) throw new Error("PostgreSQL is not installed");
    const folder = await serverFolder("postgres");
    const { certificate, key } = await makeCertificate(folder);
    const passwordFile = join(folder, "password");
    await writeFile(passwordFile, POSTGRES_PASSWORD);
    await Promise.all([certificate, key, passwordFile].map(giveToServer));
    const data = join(folder, "data");
    const initial = ["--username=winnow", "--auth=scram-sha-256", `--pwfile=${passwordFile}`];
    await runAsServer(
      join(bin, "initdb"),
      ["-D", data, ...initial, "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"],
      folder,
    );
    const lines = [
      `port = ${port}`,
      "listen_addresses = '127.0.0.1'",
      "unix_socket_directories = ''",
      "fsync = off",
      "ssl = on",
      `ssl_cert_file = '${certificate}'`,
      `ssl_key_file = '${key}'`,
      ...settings,
    ];
    await writeFile(join(data, "postgresql.auto.conf"), `${lines.join("\n")}\n`);
    const server = new PostgresServer(bin, folder, port, certificate);
    try {
      await server.#answers();
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /**
   * A standby of another server, which follows it by streaming. If it is synchronous, each commit there waits until the standby has it.
   */
  static standbyOf(primary: PostgresServer, { isSynchronous = false } = {}): Promise<PostgresServer> {
    return onFreePorts(1, async ([port]) => {
      const folder = await serverFolder("standby");
      const data = join(folder, "data");
      const address = `host=127.0.0.1 port=${primary.port} user=winnow password='${POSTGRES_PASSWORD}' sslmode=disable`;
      const copy = ["--pgdata", data, "--write-recovery-conf", "--checkpoint=fast", "--no-sync"];
      await runAsServer(join(primary.#bin, "pg_basebackup"), [...copy, `--dbname=${address}`], folder);
      await appendFile(join(data, "postgresql.auto.conf"), `\nport = ${port}\n`);
      const standby = new PostgresServer(primary.#bin, folder, port, primary.certificate);
      try {
        await standby.#answers();
        if (isSynchronous) {
          await primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'");
          await primary.sql("SELECT pg_reload_conf()");
        }
        return standby;
      } catch (error) {
        await standby.stop();
        throw error;
      }
    });
  }

  /** Processor time of all its processes. */
  get cpuSeconds(): number {
    return [this.pid, ...childrenOf(this.pid)].reduce((sum: number, pid) => sum + cpuSecondsOf(pid), 0);
  }

  /** A standby hears nothing more of its primary. */
  async stopFollowing(): Promise<void> {
    await this.sql("ALTER SYSTEM SET primary_conninfo = ''");
    await this.sql("SELECT pg_reload_conf()");
    while ((await this.sql("SELECT count(*) FROM pg_stat_wal_receiver")) !== "0") await pause(BETWEEN_LOOKS);
  }

  /** A standby becomes a server that takes writes. */
  async promote(): Promise<void> {
    if ((await this.sql("SELECT pg_promote()")) !== "t") throw new Error("the standby was not promoted");
  }

  /** All its processes stop where they are, as if the machine did; the returned function lets them go on. */
  freeze(): () => void {
    const postmaster = this.pid;
    if (postmaster === undefined) throw new Error("the server has not started");
    const all = [postmaster, ...childrenOf(postmaster)];
    for (const pid of all) process.kill(pid, "SIGSTOP");
    return () => {
      for (const pid of all) process.kill(pid, "SIGCONT");
    };
  }

  #spawn(): ServerProcess {
    return new ServerProcess(join(this.#bin, "postgres"), ["-D", join(this.#folder, "data")], this.#folder);
  }

  #answers(): Promise<void> {
    return this.#process.started(async () => (await this.sql("SELECT 1")) === "1");
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** For the source: with the password of the account, or another. */
  url(password = POSTGRES_PASSWORD, user = "winnow"): string {
    return `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${this.port}/postgres`;
  }

  /** Runs statements with the server's own client, and gives what it prints. */
  async sql(statements: string): Promise<string> {
    const flags = ["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1"];
    const { stdout } = await promisify(execFile)(
      join(this.#bin, "psql"),
      [...flags, `--dbname=${this.url()}?sslmode=disable`, `--command=${statements}`],
      { env: { PATH: process.env.PATH }, maxBuffer: 1 << 26 },
    );
    return stdout.trim();
  }

  /** Runs a query to its last row, which the server's own client takes and drops. */
  async drain(query: string): Promise<void> {
    await this.sql(`\\copy (${query}) TO /dev/null`);
  }

  /** Dies at once. */
  async crash(): Promise<void> {
    this.#process.kill();
    await this.#process.ended();
  }

  /** Starts again after a crash, at the same address: as soon as the sessions of the crashed one have ended, which it awaits. */
  async restart(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      this.#process = this.#spawn();
      try {
        return await this.#answers();
      } catch (error) {
        if (attempt === MOST_RESTARTS) throw error;
        await this.crash();
        await pause(BETWEEN_RESTARTS);
      }
    }
  }

  /** Without waiting for its sessions. */
  stop(): Promise<void> {
    return this.#process.stop("SIGINT");
  }
}
