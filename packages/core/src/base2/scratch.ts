/**
 * Memory for private numbers during one call: wiped at its end, whatever happens, and kept for the next call. Fresh memory
 * would cost more than all of the arithmetic: a selection among 75,000 outcomes takes half as long with this.
 * @module
 */

/** More than this, a mebibyte, is not kept. */
const MOST_KEPT = 131_072;

let kept: Float64Array | undefined;

/** Runs `use` on an array of `length` numbers, whatever they are, and wipes it. */
export function withScratch<T>(length: number, use: (numbers: Float64Array) => T): T {
  const memory = kept !== undefined && kept.length >= length ? kept : new Float64Array(length);
  kept = undefined; // a call within this one, by a utility that selects in turn, takes other memory
  const numbers = memory.subarray(0, length);
  try {
    return use(numbers);
  } finally {
    numbers.fill(0);
    if (memory.length <= MOST_KEPT) kept = memory;
  }
}
