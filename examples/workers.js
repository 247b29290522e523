/**
 * Every core takes part: `topKParallel` has the law of `topKWithGap`. Up to 200 million scores are put into shared memory, where
 * all threads read them; more come in chunks, and are never there at once. Worth it from about ten million candidates; this
 * one has fewer, to end soon.
 *
 *     node examples/workers.js [candidates] [workers]
 */
import { topKParallel } from "winnow-dp/parallel";

const [candidates = 2_000_000, workers = 2] = process.argv.slice(2).map(Number);
const OPTIONS = { k: 10, epsilon: 1, resolution: 1, monotone: true };
const MOST_SHARED = 200_000_000;
const CHUNK = 1_000_000;

/** Zipf's law, in an order that looks shuffled. */
let rank = 0;

/** @param {Float64Array} scores */
function fill(scores) {
  for (let i = 0; i < scores.length; i++) {
    scores[i] = Math.floor((15 * candidates) / (rank + 1));
    rank += 48_271;
    if (rank >= candidates) rank %= candidates;
  }
  return scores;
}

function* chunks() {
  for (let left = candidates; left > 0; left -= CHUNK) yield fill(new Float64Array(Math.min(left, CHUNK)));
}

const isShared = candidates <= MOST_SHARED;
const scores = isShared ? fill(new Float64Array(new SharedArrayBuffer(8 * candidates))) : chunks();
const start = performance.now();
const { winners } = await topKParallel(scores, { ...OPTIONS, workers });
const milliseconds = Math.round(performance.now() - start);
const megabytes = Math.round(process.memoryUsage.rss() / 1e6);
console.log(`${candidates} candidates, ${workers} workers, ${milliseconds} ms, ${megabytes} MB`);
for (const { candidate, gap } of winners) console.log(`candidate ${candidate} leads the next by ${gap}`);
