/**
 * A team as it is in production: real `winnow serve` processes over one ledger on PostgreSQL or in a file, asked over HTTP by analysts with
 * keys. Only the time grid is short and the limits are wide.
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { builtProgram } from "../../../cli/test/support/built-program.js";
import { AREAS } from "../../../cli/test/support/visits.js";
import { newKey } from "../../src/authenticate.js";

export interface TeamOptions {
  /** Of the ledger: a file, or for the account that charges. */
  readonly ledger: string;
  readonly analysts: number;
  /** Where the rows are: a database on PostgreSQL with a table for each data set, or a file of CSV that all of them have. */
  readonly source: string;
  /** The budgets of the data sets, which are also everyone's caps. */
  readonly budgets: Readonly<Record<string, string>>;
  readonly tick: number;
  /** In seconds; 0 counts for each release. */
  readonly maxAge: number;
  /** A table with a column `country`, about which questions in groups may be asked too, as the data set `GROUPED`. */
  readonly grouped?: string;
}

const WIDE = {
  requestsPerMinute: 1_000_000,
  strangersPerMinute: 1_000_000,
  concurrent: 8,
  waiting: 10_000,
  allWaiting: 100_000,
};

const VISITS = {
  item: "area",
  user: "user",
  domain: { kind: "list", file: "areas.txt" },
  allow: { kinds: ["top"], k: 4, epsilon: "1", weakProtection: true },
};

/** A data set with groups by this column, in one budget with the table without. */
export const GROUPED = "in-groups";
const GROUPS = { by: ["country"], file: "countries.txt", maxGroupsPerUser: 1 };

/** The question that everyone asks. */
export const TOP = (epsilon: string) => ({ kind: "top", k: 2, epsilon });

/** Questions of every form that a pure budget pays for: in order, as a set, and with counts. */
export const FORMS: readonly ((epsilon: string) => object)[] = [
  TOP,
  (epsilon) => ({ ...TOP(epsilon), set: true }),
  (epsilon) => ({ ...TOP(epsilon), counts: true }),
  (epsilon) => ({ ...TOP(epsilon), set: true, counts: true }),
];

/** The same form for the same key, so that a retry asks the same question. */
export function formFor(key: string, epsilon: string): object {
  const number = Number(/\d+$/.exec(key)?.[0] ?? 0);
  return FORMS[number % FORMS.length]!(epsilon);
}

/** The data set that a key asks about, where a team has groups: every fourth, in turn with the forms. */
export function datasetFor(key: string, table: string): string {
  const number = Number(/\d+$/.exec(key)?.[0] ?? 0);
  return Math.floor(number / FORMS.length) % 4 === 3 ? GROUPED : table;
}

/** A release as far as the tests look at it. */
export interface AnsweredRelease {
  readonly id: string;
  readonly answer: unknown;
  readonly ledger: { readonly sequence: number; readonly head: string };
}

/** Of an answer: what the tests look at is checked there. */
export type Json = Readonly<Record<string, never>>;

export interface Reply {
  /** 0 if the connection broke. */
  readonly status: number;
  readonly code: string | undefined;
  readonly release: AnsweredRelease | undefined;
}

/** The operator's folder, the analysts' keys, and the processes. */
export class Team {
  readonly keys: readonly string[];
  readonly #folder = mkdtempSync(join(tmpdir(), "winnow-team-"));
  readonly #processes = new Set<ServiceProcess>();

  constructor({ ledger, analysts, source, budgets, tick, maxAge, grouped }: TeamOptions) {
    const made = Array.from({ length: analysts }, () => newKey());
    this.keys = made.map(({ key }) => key);
    const caps: Record<string, object> = Object.fromEntries(
      Object.entries(budgets).map(([name, epsilon]) => [name, { epsilon }]),
    );
    const isFile = source.endsWith(".csv");
    const datasets: Record<string, object> = Object.fromEntries(
      Object.keys(budgets).map((table) => [table, { ...VISITS, source, ...(!isFile && { table }), maxAge }]),
    );
    if (grouped !== undefined) {
      caps[GROUPED] = { epsilon: budgets[grouped] };
      datasets[GROUPED] = { ...datasets[grouped], account: grouped, groups: GROUPS };
    }
    const config = {
      ledger,
      tick,
      listen: { port: 0 },
      limits: WIDE,
      stop: { grace: 3 },
      datasets,
      analysts: Object.fromEntries(made.map(({ hash }, at) => [analystName(at), { keys: [hash], caps }])),
    };
    writeFileSync(join(this.#folder, "areas.txt"), AREAS);
    writeFileSync(join(this.#folder, "countries.txt"), "DE\nFR\nUS\n");
    writeFileSync(join(this.#folder, "service.json"), JSON.stringify(config));
  }

  /** One more process of the service, when it is ready. */
  async start(): Promise<ServiceProcess> {
    const process = new ServiceProcess(join(this.#folder, "service.json"));
    this.#processes.add(process);
    await process.ready();
    return process;
  }

  /** Ends all processes. */
  async stop(): Promise<void> {
    await Promise.all([...this.#processes].map((process) => process.kill()));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export function analystName(at: number): string {
  return `analyst-${at}`;
}

export class ServiceProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #address: Promise<string>;
  /** What it wrote to standard error. */
  log = "";

  constructor(config: string) {
    this.#child = spawn(process.execPath, [builtProgram(), "serve", config], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NO_COLOR: "1" },
    });
    this.#ended = once(this.#child, "close");
    this.#child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      this.log += text;
    });
    const lines = createInterface(this.#child.stdout!);
    this.#address = Promise.race([
      once(lines, "line").then(([line]) => String(line)),
      this.#ended.then(() => Promise.reject(new Error(`the service has ended: ${this.log}`))),
    ]);
    this.#address.catch(() => {}); // `ready` reports it
  }

  /** Resolves when it has counted and reaches the ledger. */
  async ready(): Promise<void> {
    const address = await this.#address;
    while (this.#child.exitCode === null && this.#child.signalCode === null) {
      const response = await fetch(new URL("/ready", address)).catch(() => undefined);
      await response?.arrayBuffer();
      if (response?.status === 200) return;
      await sleep(20);
    }
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** In bytes, of the whole process; on Linux. */
  get memory(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
    return 1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
  }

  /** Asks anything. Never rejects: a connection that breaks has the status 0. */
  async ask(path: string, analystKey: string, body?: object): Promise<{ status: number; body: Json }> {
    try {
      const response = await fetch(new URL(path, await this.#address), {
        method: body === undefined ? "GET" : "POST",
        headers: { authorization: `Bearer ${analystKey}`, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    } catch {
      return { status: 0, body: {} };
    }
  }

  /** Asks for a release. Never rejects: a connection that breaks is an outcome too. */
  async release(dataset: string, analystKey: string, idempotencyKey: string, ask: object): Promise<Reply> {
    try {
      const response = await fetch(new URL(`/v1/datasets/${dataset}/releases`, await this.#address), {
        method: "POST",
        headers: {
          authorization: `Bearer ${analystKey}`,
          "content-type": "application/json",
          "idempotency-key": idempotencyKey,
        },
        body: JSON.stringify(ask),
      });
      const body = await response.json();
      const { status, ok } = response;
      return { status, code: ok ? undefined : body.code, release: ok ? body : undefined };
    } catch {
      return { status: 0, code: undefined, release: undefined };
    }
  }

  /** Ends as it does when the machine shuts down. Returns its exit code once the process is gone. */
  async terminate(): Promise<number | null> {
    this.#child.kill("SIGTERM");
    await this.#ended;
    return this.#child.exitCode;
  }

  /** Dies at once, as by a power cut. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }
}
