/**
 * How much one process of `winnow serve` does over HTTP: answers that are stored already, and new releases, each charged and on disk
 * before it is sent, on a data set that is counted once and selected many times. Beside it stands FastAPI with OpenDP, doing the
 * same release from counts in memory with the same durable insert into SQLite, where that is installed (`PYTHON` names the
 * interpreter).
 *
 * `measureGrowth` looks at ledgers that are long already: what the command line takes to import, verify, list and export them, how
 * long the service takes until it is ready, and what a new release and an old answer cost then. Other programs may run
 * meanwhile, so the time of processors stands beside that of the clock.
 * @module
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openEngine } from "winnow-cli/dist/sources/files/engine.js";
import {
  type ChainHead,
  chain,
  EMPTY_CHAIN,
  ledgerFileLines,
  type NewEntry,
  type ReleaseEntry,
} from "winnow-release";
import { locatePostgres, PostgresServer } from "./postgres-server.js";
import { cpuSecondsOf, measured, type Run } from "./run-winnow.js";

const PROGRAM = fileURLToPath(new URL("../../../packages/cli/bin/winnow.js", import.meta.url));
const RIVAL = fileURLToPath(new URL("../../python/fastapi_release.py", import.meta.url));
const [USERS, ITEMS, K] = [1_000_000, 10_000, 10];
const CLIENTS = 16;
const SECONDS = 8;
const WARM_UP = 5;
const TICK = 20;
/** `WINNOW_CLIENTS` asks for fewer, for a machine that is busy with other things. */
const [MANY_CLIENTS, LONG_TICK] = [Number(process.env.WINNOW_CLIENTS ?? 256), 100];
/** Releases until the code is compiled, and those that are measured at least, however busy the machine is. */
const [WARM, ENOUGH] = [1500, 2500];
const MANY = "1000000";

export interface Load {
  readonly what: string;
  readonly perSecond: number;
  /** Milliseconds from the request to the whole answer. */
  readonly p50: number;
  readonly p99: number;
  /** Processor time of the service for each answer, without its clients. */
  readonly cpuMilliseconds: number;
  /** Processor time of the PostgreSQL server of the ledger, for each answer. */
  readonly serverMilliseconds?: number;
}

/** FastAPI runs in a process of its own too. */
export async function measureService(rows: number): Promise<Load[]> {
  const folder = mkdtempSync(join(tmpdir(), "winnow-bench-"));
  try {
    await writeRows(join(folder, "visits.csv"), rows);
    const { key, config } = prepare(folder);
    const loads: Load[] = [];
    const first = await start(folder, config);
    loads.push(await load("stored answers", first, key, () => "the-same"));
    loads.push(await load("new releases", first, key, fresh("a")));
    await stop(first.process);
    const rival = await startRival(folder);
    if (rival !== undefined) {
      loads.push(await load("FastAPI and OpenDP: stored answers", rival, key, () => "the-same"));
      loads.push(await load("FastAPI and OpenDP: new releases", rival, key, fresh("b")));
      await stop(rival.process);
    }
    return loads;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Many clients at once, each with a new question, over a ledger in a file and on a PostgreSQL server whose commits wait for the disk; and
 * beside them FastAPI with OpenDP, on the same items in one run.
 */
export async function measureLoad(): Promise<Load[]> {
  const folder = mkdtempSync(join(tmpdir(), "winnow-bench-"));
  const loads: Load[] = [];
  try {
    await writeRows(join(folder, "visits.csv"), 10 * ITEMS);
    const prepared = prepare(folder);
    const busy = { clients: MANY_CLIENTS, seconds: SECONDS };
    const measure = async (what: string, ledger: string, server?: PostgresServer) => {
      const config = { ...prepared.config, ledger, tick: LONG_TICK };
      const service = await start(folder, {
        ...config,
        limits: { ...config.limits, concurrent: MANY_CLIENTS, allConcurrent: MANY_CLIENTS },
      });
      await load(what, service, prepared.key, fresh("w"), { ...busy, seconds: WARM_UP, least: WARM });
      const measured = { ...busy, least: ENOUGH, ...(server && { server }) };
      loads.push(await load(what, service, prepared.key, fresh("m"), measured));
      await stop(service.process);
    };
    await measure("new releases, SQLite", prepared.config.ledger);
    if (locatePostgres() !== undefined) {
      const server = await PostgresServer.start(["fsync = on"]);
      winnow(
        folder,
        "budget",
        "init",
        "visits",
        "--epsilon",
        MANY,
        "--server",
        "--ledger",
        server.url(),
        "--yes",
      );
      await measure("new releases, PostgreSQL", server.url(), server);
      await server.stop();
    }
    const rival = await startRival(folder);
    if (rival !== undefined) {
      await load("", rival, prepared.key, fresh("w"), { seconds: 0, least: CLIENTS });
      loads.push(await load("FastAPI and OpenDP: new releases", rival, prepared.key, fresh("m"), busy));
      await stop(rival.process);
    }
    return loads;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function measureGrowth(lengths: readonly number[]): Promise<(Run | Load)[]> {
  const folder = mkdtempSync(join(tmpdir(), "winnow-bench-"));
  try {
    await writeRows(join(folder, "visits.csv"), ITEMS);
    const { key, config } = prepare(folder);
    const first = await start(folder, config);
    await load("one release", first, key, fresh("a"), { seconds: 0 });
    await stop(first.process);
    const all: (Run | Load)[] = [];
    for (const length of lengths) all.push(...(await measureLength(folder, config, key, length)));
    return all;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureLength(folder: string, config: Config, key: string, length: number) {
  const [text, ledger] = [join(folder, "grown.jsonl"), join(folder, "grown.ledger")];
  await grow(join(folder, "team.ledger"), text, length, folder);
  const runs: (Run | Load)[] = [];
  const run = async (what: string, ...args: string[]) =>
    runs.push({ what: `${length} entries: ${what}`, ...(await measured([...args, "--ledger", ledger])) });
  await run("import", "budget", "import", text);
  rmSync(text);
  const service = await start(folder, { ...config, ledger });
  const { seconds, cpuSeconds } = service;
  runs.push({ what: `${length} entries: ready`, seconds, cpuSeconds, megabytes: 0, childMegabytes: 0 });
  const some = () => `grown-${1 + Math.floor(Math.random() * (length - 1))}`;
  runs.push(await load(`${length} entries: new releases`, service, key, fresh("b")));
  runs.push(await load(`${length} entries: old answers`, service, key, some));
  const [before, began] = [cpuSecondsOf(service.process.pid), performance.now()];
  const head = await fetch(new URL("/v1/ledger/head", service.address), {
    headers: { authorization: `Bearer ${key}` },
  });
  if (!head.ok) throw new Error(`${head.status}`);
  await head.arrayBuffer();
  runs.push({
    what: `${length} entries: first head`,
    seconds: (performance.now() - began) / 1000,
    cpuSeconds: cpuSecondsOf(service.process.pid) - before,
    megabytes: 0,
    childMegabytes: 0,
  });
  await stop(service.process);
  await run("verify", "budget", "verify");
  await run("export", "budget", "export", "--output", text);
  rmSync(text);
  await run("log --json", "budget", "log", "--json");
  for (const suffix of ["", "-wal", "-shm"]) rmSync(ledger + suffix, { force: true });
  return runs;
}

function fresh(prefix: string): () => string {
  let asked = 0;
  return () => `${prefix}${asked++}`;
}

/** Few items that many have, and the list of all items. */
async function writeRows(path: string, rows: number): Promise<void> {
  const engine = await openEngine({ folder: tmpdir() });
  try {
    await engine.connection.run(`COPY (SELECT 'u' || (hash(i) % ${USERS}) AS "user",
        'item-' || floor(${ITEMS} * pow((hash(i * 31 + 7) % 1000000) / 1e6, 3))::INTEGER AS item
      FROM range(${rows}) t(i)) TO '${path}' (FORMAT csv, HEADER true)`);
  } finally {
    engine.close();
  }
  const list = Array.from({ length: ITEMS }, (_, i) => `item-${i}`);
  writeFileSync(path.replace("visits.csv", "items.txt"), list.join("\n"));
}

function winnow(folder: string, ...args: string[]): string {
  return execFileSync(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

type Config = ReturnType<typeof prepare>["config"];

function prepare(folder: string) {
  const ledger = join(folder, "team.ledger");
  winnow(folder, "budget", "init", "visits", "--epsilon", MANY, "--ledger", ledger, "--yes");
  const config = {
    ledger,
    listen: { port: 0 },
    tick: TICK,
    limits: {
      requestsPerMinute: 1_000_000,
      concurrent: 64,
      waiting: 1000,
      allWaiting: 1000,
      connectionsPerAddress: 1000,
      time: 3600,
    },
    datasets: {
      visits: {
        source: "visits.csv",
        item: "item",
        user: "user",
        domain: { kind: "list", file: "items.txt" },
        allow: { kinds: ["top"], k: K, epsilon: "1", weakProtection: true },
        maxAge: 86_400,
      },
    },
    analysts: { ann: { caps: { visits: { epsilon: MANY } } } },
  };
  writeFileSync(join(folder, "service.json"), JSON.stringify(config));
  const key = winnow(folder, "serve", "service.json", "--new-key", "ann").trim();
  return { key, config: JSON.parse(readFileSync(join(folder, "service.json"), "utf8")) as typeof config };
}

interface Started {
  readonly address: string;
  readonly process: ChildProcess;
  /** Until it was ready: by the clock, and of processors. */
  readonly seconds: number;
  readonly cpuSeconds: number;
}

async function start(folder: string, config: object): Promise<Started> {
  writeFileSync(join(folder, "service.json"), JSON.stringify(config));
  const began = performance.now();
  const child = spawn(process.execPath, [PROGRAM, "serve", "service.json"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [address] = await once(child.stdout!, "data");
  return ready(String(address).trim(), "/ready", child, began);
}

async function startRival(folder: string): Promise<Started | undefined> {
  const python = process.env.PYTHON ?? "python3";
  const began = performance.now();
  const child = spawn(
    python,
    [RIVAL, join(folder, "visits.csv"), join(folder, "items.txt"), join(folder, "rival.db")],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const first = await Promise.race([once(child.stdout!, "data"), once(child, "exit").then(() => undefined)]);
  if (first === undefined) return undefined; // FastAPI or OpenDP isn't installed
  return ready(String(first[0]).trim(), "/ready", child, began);
}

async function ready(address: string, path: string, process: ChildProcess, began: number): Promise<Started> {
  for (;;) {
    const answer = await fetch(new URL(path, address)).catch(() => undefined);
    if (answer?.ok) {
      const seconds = (performance.now() - began) / 1000;
      return { address, process, seconds, cpuSeconds: cpuSecondsOf(process.pid) };
    }
    await sleep(20);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill("SIGTERM");
  await once(child, "exit");
}

interface LoadOptions {
  readonly clients?: number;
  readonly seconds?: number;
  /** Goes on until this many are answered, at least. */
  readonly least?: number;
  /** The server of the ledger. */
  readonly server?: PostgresServer;
}

async function load(
  what: string,
  { address, process }: Started,
  key: string,
  next: () => string,
  { clients = CLIENTS, seconds = SECONDS, least = 0, server }: LoadOptions = {},
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const times: number[] = [];
  await post(agent, address, key, next());
  const [began, before, beforeOnServer] = [performance.now(), cpuSecondsOf(process.pid), server?.cpuSeconds];
  const client = async () => {
    while (performance.now() - began < seconds * 1000 || times.length < least) {
      const from = performance.now();
      await post(agent, address, key, next());
      times.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const took = (performance.now() - began) / 1000;
  const cpuMilliseconds = (1000 * (cpuSecondsOf(process.pid) - before)) / times.length;
  const serverMilliseconds = server && (1000 * (server.cpuSeconds - (beforeOnServer ?? 0))) / times.length;
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))]!;
  return {
    what,
    perSecond: times.length / took,
    p50: at(0.5),
    p99: at(0.99),
    cpuMilliseconds,
    ...(server && { serverMilliseconds }),
  };
}

const BODY = JSON.stringify({ kind: "top", k: K, epsilon: "1/2", mechanism: "top-k" });

function post(agent: Agent, address: string, key: string, idempotencyKey: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL("/v1/datasets/visits/releases", address),
      {
        agent,
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "content-length": Buffer.byteLength(BODY),
          "idempotency-key": idempotencyKey,
        },
      },
      (response) => {
        let text = "";
        response.on("data", (chunk) => (text += chunk));
        response.on("end", () =>
          response.statusCode === 200 || response.statusCode === 201
            ? resolve()
            : reject(new Error(`${response.statusCode}: ${text}`)),
        );
      },
    );
    sent.on("error", reject);
    sent.end(BODY);
  });
}

/** Writes the text of the ledger with copies of its last release, `length` entries in all. */
async function grow(from: string, to: string, length: number, folder: string): Promise<void> {
  const entries = winnow(folder, "budget", "export", "--ledger", from).trimEnd().split("\n").slice(1);
  const { release } = JSON.parse(entries.at(-1)!) as ReleaseEntry;
  const { format: _, sequence: __, previous: ___, ...budget } = JSON.parse(entries[0]!);
  const file = await open(to, "w");
  const room = [...ledgerFileLines({ ...EMPTY_CHAIN, sequence: length }, [])][0]!.length;
  await file.write(`${" ".repeat(room - 1)}\n`);
  let head: ChainHead = EMPTY_CHAIN;
  let pending = "";
  for (let count = 0; count < length; count++) {
    const entry: NewEntry =
      count === 0 ? budget : { kind: "release", release: { ...release, id: `ann.grown-${count}` } };
    const row = await chain(entry, head);
    head = { sequence: row.sequence, hash: row.hash };
    pending += `${row.text}\n`;
    if (pending.length < 2 ** 20 && count < length - 1) continue;
    await file.write(pending);
    pending = "";
  }
  await file.write([...ledgerFileLines(head, [])][0]!, 0); // its hash is known only now
  await file.close();
}
