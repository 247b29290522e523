/**
 * How many bytes a piece of work allocates, on V8's heap and in array buffers.
 *
 * The difference of two readings is spoiled by a collection in between, so several are taken and the median
 * of those that did not fall counts; what reading itself allocates is subtracted. Entropy fetches its pool
 * anew when the script has yielded, therefore all is done in one synchronous stretch after warming up.
 * @module
 */
import { quartiles } from "./quartiles.js";

const READINGS = 9;
const WARM_UP = 3;

/** Bytes allocated by one run. */
export function bytesPerRun(run: () => void): number {
  for (let i = 0; i < WARM_UP; i++) run();
  return Math.max(0, growth(run) - growth(() => {}));
}

function growth(run: () => void): number {
  const readings: number[] = [];
  for (let i = 0; i < READINGS; i++) {
    const before = bytesInUse();
    run();
    const grown = bytesInUse() - before;
    if (grown >= 0) readings.push(grown);
  }
  return readings.length === 0 ? Number.NaN : quartiles(readings).median;
}

function bytesInUse(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
