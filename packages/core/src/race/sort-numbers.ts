/**
 * Sorts doubles as integers. Read as an integer of 64 bits with a sign, a double ≥ 0 is the larger the larger it is; those below 0 come
 * first, in the opposite order. The native sort of integers takes a third of the time of that of doubles, whose comparison looks for
 * NaN and for zeros with a sign at each step.
 * @module
 */

/** Sorts numbers in place, the smallest first and −0 before 0, as `sort` does it. None of them is NaN. */
export function sortNumbers<Buffer extends ArrayBufferLike>(
  values: Float64Array<Buffer>,
): Float64Array<Buffer> {
  new BigInt64Array(values.buffer, values.byteOffset, values.length).sort();
  let negatives = 0;
  while (values[negatives] < 0 || 1 / values[negatives] < 0) negatives++; // −0 too
  values.subarray(0, negatives).reverse();
  return values;
}
