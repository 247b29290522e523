/**
 * One fresh process of the cold benchmark: makes its scores, loads Web Crypto, and prints the processor time in
 * milliseconds of its import and first call, of the import alone, and of its tenth call.
 *
 *     node cold-call.js winnow|float n k
 * @module
 */
import type { Entropy } from "winnow-dp";
import { processorMilliseconds } from "./fresh-process.js";

const [contender, ...sizes] = process.argv.slice(2);
const [n, k] = sizes.map(Number);
const CALLS = 10;

/** Zipf's law, in an order that looks shuffled. */
const scores = new Float64Array(n);
for (let i = 0; i < n; i++) scores[i] = Math.round((15 * n) / (1 + ((i * 7919) % n)));
globalThis.crypto.getRandomValues(new Uint32Array(1));

const times: number[] = [];
processorMilliseconds(); // the first call of this function is cold too
const start = processorMilliseconds();
const select = contender === "winnow" ? await winnow() : await float();
const imported = processorMilliseconds();
for (let call = 0; call < CALLS; call++) {
  const before = call === 0 ? start : processorMilliseconds();
  if (select() !== k) throw new Error("the answer is wrong");
  times.push(processorMilliseconds() - before);
}
console.log(JSON.stringify({ first: times[0], import: imported - start, tenth: times[CALLS - 1] }));

async function winnow(): Promise<() => number> {
  const { topKWithGap } = await import("winnow-dp");
  return () => topKWithGap(scores, { k, epsilon: 1, resolution: "0.1" }).winners.length;
}

/** The rival as it is, with words of a pool like ours. */
async function float(): Promise<() => number> {
  const { floatTopKWithGap } = await import("./rivals/float-top-k-with-gap.js");
  const pool = new Uint32Array(16_384);
  let next = pool.length;
  const word = () => {
    if (next === pool.length) {
      globalThis.crypto.getRandomValues(pool);
      next = 0;
    }
    return pool[next++];
  };
  return () => floatTopKWithGap(scores, k, 2 * k, 0.1, { word } as Entropy).indices.length;
}
