/**
 * Sorts doubles as integers. Read as an integer of 64 bits with a sign, a double ≥ 0 is the larger the larger it is, and so is one
 * below 0 once its other 63 bits are turned over. The native sort of integers takes a third of the time of that of doubles, whose
 * comparison looks for NaN and for zeros with a sign at each step.
 * @module
 */

/** Sorts numbers in place, the smallest first and −0 before 0, as `sort` does it. None of them is NaN. */
export function sortNumbers<Buffer extends ArrayBufferLike>(
  values: Float64Array<Buffer>,
): Float64Array<Buffer> {
  const { buffer, byteOffset, length } = values;
  const halves = new Int32Array(buffer, byteOffset, 2 * length); // the last 32 digits of each, then its first
  turnNegatives(halves);
  new BigInt64Array(buffer, byteOffset, length).sort();
  turnNegatives(halves);
  return values;
}

/** All bits but the sign of those that have one; done twice, they are as they were. */
function turnNegatives(halves: Int32Array): void {
  for (let first = 1; first < halves.length; first += 2) {
    if (halves[first] >= 0) continue;
    halves[first] ^= 0x7fff_ffff;
    halves[first - 1] = ~halves[first - 1];
  }
}
