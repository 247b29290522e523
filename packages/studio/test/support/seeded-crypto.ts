/**
 * Randomness that can be repeated, in place of the browser's: a prelude for the worker. A test of a law then gives the same
 * verdict every time. `WINNOW_SEED=text` varies it, as it does for all seeded tests.
 * @module
 */
import { createHash } from "node:crypto";

export function seededCrypto(seed: string): string {
  const hash = createHash("sha256")
    .update(`${seed} ${process.env.WINNOW_SEED ?? ""}`)
    .digest();
  const state = Array.from({ length: 4 }, (_, word) => hash.readUInt32LE(4 * word));
  return `(${replaceRandomValues})(${JSON.stringify(state)});\n`;
}

/** xoshiro128** of Blackman and Vigna. Runs inside the worker, so it must not use anything from around it. */
function replaceRandomValues(state: number[]): void {
  const rotate = (word: number, places: number) => (word << places) | (word >>> (32 - places));
  const next = (): number => {
    const [a, b, c, d] = state as [number, number, number, number];
    const [mixed, last] = [c ^ a, d ^ b];
    state.splice(0, 4, a ^ last, b ^ mixed, mixed ^ (b << 9), rotate(last, 11));
    return Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
  };
  const fill = (words: Uint32Array) => {
    words.set(words.map(next));
    return words;
  };
  crypto.getRandomValues = fill as typeof crypto.getRandomValues;
}
