/**
 * `winnow top` against the engine's own GROUP BY of the same table, taken in turns: the best of their times and processor
 * times, server and client together, our memory, and what crosses the network, which is counted in the last round.
 * @module
 */
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { CountingProxy, through } from "./counting-proxy.js";
import { runWinnow } from "./run-winnow.js";

export interface Measured {
  readonly question: string;
  readonly engineSeconds: number;
  readonly winnowSeconds: number;
  readonly ratio: number;
  readonly engineCpuSeconds: number;
  readonly winnowCpuSeconds: number;
  readonly cpuRatio: number;
  readonly megabytes: number;
  readonly sentKilobytes: number;
  readonly receivedKilobytes: number;
}

export interface Engine {
  readonly url: string;
  readonly port: number;
  /** Runs the engine's own query to its last row. */
  readonly group: () => Promise<unknown>;
  /** Processor time of all the server's processes, including those that have ended. */
  readonly cpuSeconds: () => number;
}

/** With a table `visits`. */
export interface EngineWithVisits extends Engine {
  /** How many items there can be, named `item 0`, `item 1` … */
  readonly items: number;
}

const VISITS = ["--table", "visits", "--item", "item", "--user", "user"];
const ASKED = ["-k", "10", "--epsilon", "1"];

export async function measureServer(engine: EngineWithVisits, rounds: number): Promise<Measured[]> {
  const list = join(tmpdir(), `winnow-scale-items-${process.pid}.txt`);
  await writeFile(list, Array.from({ length: engine.items }, (_, i) => `item ${i}\n`).join(""));
  const questions = {
    "unknown domain, 11 rows come back": ["--delta", "1e-6"],
    [`public list of ${engine.items} items`]: ["--domain", list],
  };
  const results: Measured[] = [];
  try {
    for (const [question, options] of Object.entries(questions))
      results.push(await compare(engine, question, [...VISITS, ...options], rounds));
  } finally {
    await rm(list);
  }
  return results;
}

/** `options` name the rows and the candidates. */
export async function compare(
  engine: Engine,
  question: string,
  options: readonly string[],
  rounds: number,
): Promise<Measured> {
  const proxy = await CountingProxy.start(engine.port);
  const own: Cost[] = [];
  const ours: Cost[] = [];
  let megabytes = 0;
  for (let round = 0; round < rounds; round++) {
    own.push(await costOf(engine.cpuSeconds, async () => void (await engine.group())));
    let client = 0;
    const cost = await costOf(engine.cpuSeconds, async () => {
      const url = round === rounds - 1 ? through(proxy, engine.url) : engine.url;
      const run = await runWinnow(["top", url, ...ASKED, ...options]);
      megabytes = Math.max(megabytes, run.megabytes);
      client = run.cpuSeconds;
    });
    ours.push({ ...cost, cpuSeconds: cost.cpuSeconds + client });
  }
  proxy.stop();
  const [theirBest, ourBest] = [best(own), best(ours)];
  return {
    question,
    engineSeconds: theirBest.seconds,
    winnowSeconds: ourBest.seconds,
    ratio: ourBest.seconds / theirBest.seconds,
    engineCpuSeconds: theirBest.cpuSeconds,
    winnowCpuSeconds: ourBest.cpuSeconds,
    cpuRatio: ourBest.cpuSeconds / theirBest.cpuSeconds,
    megabytes,
    sentKilobytes: proxy.sent / 1000,
    receivedKilobytes: proxy.received / 1000,
  };
}

/** A server's process that has ended is counted when its parent has seen it, in milliseconds. */
const REAPED = 500;

export interface Cost {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** `cpuSeconds` is that of the server's processes so far. */
export async function costOf(cpuSeconds: () => number, work: () => Promise<void>): Promise<Cost> {
  const [start, before] = [performance.now(), cpuSeconds()];
  await work();
  const seconds = (performance.now() - start) / 1000;
  await pause(REAPED);
  return { seconds, cpuSeconds: cpuSeconds() - before };
}

/** Other programs on the machine can only add to a time. */
function best(costs: readonly Cost[]): Cost {
  return {
    seconds: Math.min(...costs.map(({ seconds }) => seconds)),
    cpuSeconds: Math.min(...costs.map(({ cpuSeconds }) => cpuSeconds)),
  };
}
