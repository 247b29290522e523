/**
 * Every core: `topKParallel` over scores in shared memory in two worker threads, against the best scan without noise on one
 * core. Threads are started beforehand and kept. Time is time on the clock, so let nothing else run; with less than a core
 * for each thread the ratio says nothing. So what it would be with two free cores is measured too, as one thread's share:
 * the processor time of the whole process, divided by the number of threads.
 *
 *     npm run bench -- workers
 * @module
 */
import { Worker } from "node:worker_threads";
import { topKParallel, type WorkerThread } from "winnow-dp/parallel";
import { processorMilliseconds } from "../fresh-process.js";
import { quartiles } from "../quartiles.js";
import type { Outcome } from "../race.js";
import { scanTopK } from "../rivals/scan-top-k.js";
import type { Suite, Work } from "../suite.js";

const [ROUNDS, QUICK_ROUNDS, WARM_UP] = [15, 5, 3];
const WORKERS = 2;
const K = 100;

export const workers: Suite = { name: "workers", works: [work(1e6), work(1e7), work(1e8, 0.65)] };

function work(n: number, goal?: number): Work {
  return {
    name: `topKParallel in ${WORKERS} workers, Zipf, n = ${n.toLocaleString("en")}, k = ${K}`,
    measure: async (isQuick) => measure(n, goal, isQuick ? QUICK_ROUNDS : ROUNDS),
  };
}

async function measure(n: number, goal: number | undefined, rounds: number): Promise<Outcome> {
  const scores = new Float64Array(new SharedArrayBuffer(8 * n));
  for (let i = 0; i < n; i++) scores[i] = Math.round((15 * n) / (((i * 48_271) % n) + 1));
  const url = new URL(import.meta.resolve("winnow-dp/parallel-worker"));
  const threads = Array.from({ length: WORKERS }, () => new Worker(url));
  try {
    const times: number[][] = [];
    for (let round = -WARM_UP; round < rounds; round++) {
      const [start, startOfWork] = [performance.now(), processorMilliseconds()];
      await select(threads, scores);
      const [middle, middleOfWork] = [performance.now(), processorMilliseconds()];
      if (scanTopK(scores, K).length !== K) throw new Error("the answer is wrong");
      const [end, endOfWork] = [performance.now(), processorMilliseconds()];
      const share = (middleOfWork - startOfWork) / WORKERS;
      if (round >= 0) times.push([middle - start, end - middle, share, endOfWork - middleOfWork]);
    }
    const time = (name: string, which: number) => {
      const { median } = quartiles(times.map((round) => round[which]));
      return { name, nanoseconds: (median * 1e6) / n, milliseconds: median, bytes: Number.NaN };
    };
    const ratio = (ours: number, theirs: number) =>
      quartiles(times.map((round) => round[ours] / round[theirs]));
    return {
      unit: "candidate",
      subject: time("topKParallel", 0),
      rivals: [
        { ...time("scan without noise, one core", 1), goal, ratio: ratio(0, 1) },
        { ...time("the same by a thread's share of processor time", 3), ratio: ratio(2, 3) },
      ],
    };
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
}

/** The winners, by threads that are kept. */
async function select(threads: readonly Worker[], scores: Float64Array): Promise<void> {
  let next = 0;
  const startWorker = (): WorkerThread => {
    const thread = threads[next++];
    return {
      postMessage: (message, transfer) => thread.postMessage(message, transfer),
      terminate: () => {},
      on: (type: string, listener: () => void) => thread.on(type, listener),
      off: (type: string, listener: () => void) => thread.off(type, listener),
    } as WorkerThread;
  };
  const options = { k: K, epsilon: 1, resolution: "0.1", workers: WORKERS, startWorker };
  if ((await topKParallel(scores, options)).winners.length !== K) throw new Error("the answer is wrong");
}
