/**
 * The n-th largest of some numbers, by quickselect with the median of three as pivot. It reorders them.
 * @module
 */

/** The n-th largest (n ≥ 1) of the first `count` numbers. */
export function nthLargest(values: Float64Array, count: number, n: number): number {
  const rank = count - n; // in ascending order
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const pivot = medianOfThree(values[low], values[(low + high) >> 1], values[high]);
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (values[j] > pivot) j--;
      if (i > j) break;
      const held = values[i];
      values[i++] = values[j];
      values[j--] = held;
    }
    // Everything up to j is at most the pivot, everything from i on at least; what is between equals it.
    if (rank <= j) high = j;
    else if (rank >= i) low = i;
    else return pivot;
  }
  return values[rank];
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
