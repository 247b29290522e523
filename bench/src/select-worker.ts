/**
 * A worker thread of the suite "workers": for each message, the candidates that can still win of its part of the scores.
 * @module
 */
import { parentPort } from "node:worker_threads";
import { TopKStream } from "winnow-dp";

/** How many scores are copied from shared memory at once, to be read from there on where nobody else can write. */
const CHUNK = 524_288;

/** What a worker is asked. */
export interface Part {
  readonly scores: Float64Array;
  readonly from: number;
  readonly to: number;
  readonly k: number;
}

const chunk = new Float64Array(CHUNK);

parentPort?.on("message", ({ scores, from, to, k }: Part) => {
  const stream = new TopKStream({ k, epsilon: 1, resolution: "0.1" });
  for (let start = from; start < to; start += CHUNK) {
    const part = scores.subarray(start, Math.min(start + CHUNK, to));
    chunk.set(part);
    stream.pushScores(chunk.subarray(0, part.length), start);
  }
  const state = stream.detach();
  parentPort?.postMessage(state, [state.words.buffer, state.bits.buffer]);
});
