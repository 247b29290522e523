/**
 * Every core takes part: scores in shared memory, a stream in each worker thread over its part of them, and one merge. The
 * law is that of `topKWithGap` over all of them. Worth it from about ten million candidates; this one has fewer, to end soon.
 *
 *     node examples/workers.js [candidates] [workers]
 *
 * Browsers and Deno do the same with their own `Worker` and `postMessage`.
 */
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { TopKStream } from "winnow-dp";

/** The same in every thread, or the streams do not merge. */
const OPTIONS = { k: 10, epsilon: 1, resolution: 1, monotone: true };
/** How many scores are copied from shared memory at once, to be read from there on where nobody else can write. */
const CHUNK = 524_288;

if (isMainThread) await main(Number(process.argv[2] ?? 2e6), Number(process.argv[3] ?? 2));
else takePart(workerData);

/** @param {number} candidates @param {number} workers */
async function main(candidates, workers) {
  const scores = new Float64Array(new SharedArrayBuffer(8 * candidates));
  for (let i = 0; i < candidates; i++)
    scores[i] = Math.floor((15 * candidates) / (((i * 48_271) % candidates) + 1));
  const start = performance.now();
  const share = Math.ceil(candidates / workers);
  const states = await Promise.all(
    Array.from({ length: workers }, (_, i) =>
      stateOf({ scores, from: i * share, to: Math.min((i + 1) * share, candidates) }),
    ),
  );
  const all = new TopKStream(OPTIONS);
  for (const state of states) all.attach(state);
  const { winners } = all.finish();
  console.log(`${candidates} candidates, ${workers} workers, ${Math.round(performance.now() - start)} ms`);
  for (const { candidate, gap } of winners) console.log(`candidate ${candidate} leads the next by ${gap}`);
}

/** @param {Part} part @returns {Promise<import("winnow-dp").StreamState>} */
function stateOf(part) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: part });
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}

/**
 * @typedef {{ scores: Float64Array, from: number, to: number }} Part
 * @param {Part} part
 */
function takePart({ scores, from, to }) {
  const stream = new TopKStream(OPTIONS);
  const chunk = new Float64Array(CHUNK);
  for (let start = from; start < to; start += CHUNK) {
    const part = scores.subarray(start, Math.min(start + CHUNK, to));
    chunk.set(part);
    stream.pushScores(chunk.subarray(0, part.length), start);
  }
  const state = stream.detach();
  parentPort?.postMessage(state, [state.words.buffer, state.bits.buffer]);
}
