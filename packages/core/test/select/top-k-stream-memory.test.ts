import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { TopKStream } from "../../src/select/top-k-stream.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

const CANDIDATES = 100_000_000;
const MOST_BYTES = 16 * 1024 * 1024;
setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

describe("a stream of a hundred million candidates", () => {
  it("keeps its memory and finds the largest", () => {
    const stream = new TopKStream({ k: 3, epsilon: 1, monotone: true, entropy: seededEntropy("memory") });
    const before = bytesInUse();
    let largest = 0;
    for (let id = 0; id < CANDIDATES; id++) {
      // Scores from 0 to 999 in an order without structure, but for three giants.
      stream.push(id, id % 33_333_333 === 7 ? 10_000 + id : (id * 48_271) % 1000);
      if (id % 10_000_000 === 0) largest = Math.max(largest, bytesInUse() - before);
    }
    expect(largest).toBeLessThan(MOST_BYTES);
    const { winners } = stream.finish();
    expect(winners.map(({ candidate }) => candidate)).toEqual([66_666_673, 33_333_340, 7]);
  }, 300_000);
});

function bytesInUse(): number {
  collectGarbage(); // when it is collected otherwise is the engine's affair
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
