/**
 * How much one process of `winnow serve` does over HTTP: answers that are stored already, and new releases, each charged and on disk
 * before it is sent, on a data set that is counted once and selected many times. Beside it stands FastAPI with OpenDP, doing the
 * same release from counts in memory with the same durable insert into SQLite, where that is installed (`PYTHON` names the
 * interpreter). Then new releases on ledgers that are long already.
 * @module
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openEngine } from "winnow-cli/dist/sources/files/engine.js";
import { type ChainRow, chain, ledgerFileLines, type ReleaseEntry } from "winnow-release";

const PROGRAM = fileURLToPath(new URL("../../../packages/cli/bin/winnow.js", import.meta.url));
const RIVAL = fileURLToPath(new URL("../../python/fastapi_release.py", import.meta.url));
const [USERS, ITEMS, K] = [1_000_000, 10_000, 10];
const CLIENTS = 16;
const SECONDS = 8;
const TICK = 20;
const MANY = "1000000";

export interface Load {
  readonly what: string;
  readonly perSecond: number;
  /** Milliseconds from the request to the whole answer. */
  readonly p50: number;
  readonly p99: number;
}

export async function measureService(rows: number, lengths: readonly number[]): Promise<Load[]> {
  const folder = mkdtempSync(join(tmpdir(), "winnow-bench-"));
  try {
    await writeRows(join(folder, "visits.csv"), rows);
    const { key, config } = prepare(folder);
    const loads: Load[] = [];
    const first = await start(folder, config);
    loads.push(await load("stored answers", first.address, key, () => "the-same"));
    loads.push(await load("new releases", first.address, key, fresh("a")));
    await stop(first.process);
    const rival = await startRival(folder);
    if (rival !== undefined) {
      loads.push(await load("FastAPI and OpenDP: stored answers", rival.address, key, () => "the-same"));
      loads.push(await load("FastAPI and OpenDP: new releases", rival.address, key, fresh("b")));
      await stop(rival.process);
    }
    for (const length of lengths) {
      const grown = join(folder, `${length}.ledger`);
      await grow(join(folder, "team.ledger"), grown, length, folder);
      const service = await start(folder, { ...config, ledger: grown });
      loads.push(
        await load(`new releases after ${length} entries`, service.address, key, fresh(`c${length}-`)),
      );
      await stop(service.process);
    }
    return loads;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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

function prepare(folder: string) {
  const ledger = join(folder, "team.ledger");
  winnow(folder, "budget", "init", "visits", "--epsilon", MANY, "--ledger", ledger);
  const config = {
    ledger,
    listen: { port: 0 },
    tick: TICK,
    limits: { requestsPerMinute: 1_000_000, concurrent: 64, waiting: 1000, allWaiting: 1000 },
    datasets: {
      visits: {
        source: "visits.csv",
        item: "item",
        user: "user",
        domain: { kind: "list", file: "items.txt" },
        allow: { kinds: ["top"], k: K, epsilon: "1" },
        maxAge: 86_400,
      },
    },
    analysts: { ann: { caps: { visits: { epsilon: MANY } } } },
  };
  writeFileSync(join(folder, "service.json"), JSON.stringify(config));
  const key = winnow(folder, "serve", "service.json", "--new-key", "ann").trim();
  return { key, config: JSON.parse(readFileSync(join(folder, "service.json"), "utf8")) as typeof config };
}

async function start(folder: string, config: object): Promise<{ address: string; process: ChildProcess }> {
  writeFileSync(join(folder, "service.json"), JSON.stringify(config));
  const child = spawn(process.execPath, [PROGRAM, "serve", "service.json"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [address] = await once(child.stdout!, "data");
  return ready(String(address).trim(), "/ready", child);
}

async function startRival(folder: string): Promise<{ address: string; process: ChildProcess } | undefined> {
  const python = process.env.PYTHON ?? "python3";
  const child = spawn(
    python,
    [RIVAL, join(folder, "visits.csv"), join(folder, "items.txt"), join(folder, "rival.db")],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const first = await Promise.race([once(child.stdout!, "data"), once(child, "exit").then(() => undefined)]);
  if (first === undefined) return undefined; // FastAPI or OpenDP isn't installed
  return ready(String(first[0]).trim(), "/ready", child);
}

async function ready(address: string, path: string, process: ChildProcess) {
  for (;;) {
    const answer = await fetch(new URL(path, address)).catch(() => undefined);
    if (answer?.ok) return { address, process };
    await sleep(100);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill("SIGTERM");
  await once(child, "exit");
}

async function load(what: string, address: string, key: string, next: () => string): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const times: number[] = [];
  await post(agent, address, key, next());
  const began = performance.now();
  const client = async () => {
    while (performance.now() - began < SECONDS * 1000) {
      const from = performance.now();
      await post(agent, address, key, next());
      times.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const seconds = (performance.now() - began) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))]!;
  return { what, perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99) };
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

/** The ledger with copies of its last release up to so many entries. */
async function grow(from: string, to: string, length: number, folder: string): Promise<void> {
  const text = join(folder, "ledger.jsonl");
  const entries = winnow(folder, "budget", "export", "--ledger", from).trimEnd().split("\n").slice(1);
  const { release } = JSON.parse(entries.at(-1)!) as ReleaseEntry;
  const rows: ChainRow[] = [];
  let head = { sequence: 0, hash: "0".repeat(64) };
  const add = (row: ChainRow) => {
    rows.push(row);
    head = { sequence: row.sequence, hash: row.hash };
  };
  const { format: _, sequence: __, previous: ___, ...budget } = JSON.parse(entries[0]!);
  add(await chain(budget, head));
  while (rows.length < length)
    add(await chain({ kind: "release", release: { ...release, id: `ann.grown-${rows.length}` } }, head));
  const file = openSync(text, "w");
  for (const line of ledgerFileLines(head, rows)) writeSync(file, line);
  closeSync(file);
  winnow(folder, "budget", "import", text, "--ledger", to);
}
