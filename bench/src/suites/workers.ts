/**
 * Every core: scores in shared memory, a stream in each of two worker threads over its half, one merge; against the best scan
 * without noise on one core. Threads are started beforehand. Time is time on the clock, so let nothing else run; with
 * less than a core for each thread the ratio says nothing.
 *
 *     npm run bench -- workers
 * @module
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type StreamState, TopKStream } from "winnow-dp";
import { quartiles } from "../quartiles.js";
import type { Outcome } from "../race.js";
import { scanTopK } from "../rivals/scan-top-k.js";
import type { Part } from "../select-worker.js";
import type { Suite, Work } from "../suite.js";

const [ROUNDS, QUICK_ROUNDS, WARM_UP] = [15, 5, 3];
const WORKERS = 2;
const K = 100;

export const workers: Suite = { name: "workers", works: [work(1e6), work(1e7), work(1e8, 0.65)] };

function work(n: number, goal?: number): Work {
  return {
    name: `TopKStream in ${WORKERS} workers, Zipf, n = ${n.toLocaleString("en")}, k = ${K}`,
    measure: async (isQuick) => measure(n, goal, isQuick ? QUICK_ROUNDS : ROUNDS),
  };
}

async function measure(n: number, goal: number | undefined, rounds: number): Promise<Outcome> {
  const scores = new Float64Array(new SharedArrayBuffer(8 * n));
  for (let i = 0; i < n; i++) scores[i] = Math.round((15 * n) / (((i * 48_271) % n) + 1));
  const url = new URL("../select-worker.js", import.meta.url);
  const threads = Array.from({ length: WORKERS }, () => new Worker(url));
  try {
    const times: number[][] = [];
    for (let round = -WARM_UP; round < rounds; round++) {
      const start = performance.now();
      await select(threads, scores);
      const middle = performance.now();
      if (scanTopK(scores, K).length !== K) throw new Error("the answer is wrong");
      const end = performance.now();
      if (round >= 0) times.push([middle - start, end - middle]);
    }
    const time = (name: string, which: number) => {
      const { median } = quartiles(times.map((round) => round[which]));
      return { name, nanoseconds: (median * 1e6) / n, milliseconds: median, bytes: Number.NaN };
    };
    const ratio = quartiles(times.map(([ours, theirs]) => ours / theirs));
    return {
      unit: "candidate",
      subject: time("TopKStream", 0),
      rivals: [{ ...time("scan without noise, one core", 1), goal, ratio }],
    };
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
}

/** The winners of all parts. */
async function select(threads: readonly Worker[], scores: Float64Array): Promise<void> {
  const share = Math.ceil(scores.length / threads.length);
  const states = await Promise.all(
    threads.map(async (thread, i) => {
      const part: Part = { scores, from: i * share, to: Math.min((i + 1) * share, scores.length), k: K };
      thread.postMessage(part);
      const [state] = await once(thread, "message");
      return state as StreamState;
    }),
  );
  const all = new TopKStream({ k: K, epsilon: 1, resolution: "0.1" });
  for (const state of states) all.attach(state);
  if (all.finish().winners.length !== K) throw new Error("the answer is wrong");
}
