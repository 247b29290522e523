/**
 * Quickselect and quicksort on values that carry their indices along, the largest first.
 * @module
 */

/** From here on down, insertion is quicker than partition. */
const SHORT = 16;

/** Brings the k largest of the first `count` entries to the front and returns the least of these k. */
export function selectLargest(values: Float64Array, indices: Int32Array, count: number, k: number): number {
  let first = 0;
  let last = count - 1;
  while (first < last) {
    const split = partition(values, indices, first, last);
    if (k - 1 <= split) last = split;
    else first = split + 1;
  }
  return values[k - 1];
}

/** Sorts the entries `first` to `last`. */
export function sortDescending(values: Float64Array, indices: Int32Array, first: number, last: number): void {
  if (last - first < SHORT) {
    insertionSort(values, indices, first, last);
    return;
  }
  const split = partition(values, indices, first, last);
  sortDescending(values, indices, first, split);
  sortDescending(values, indices, split + 1, last);
}

/**
 * Moves the larger entries before the smaller ones and returns the last place of the larger: first ≤ split < last.
 * Hoare's scheme; the pivot is the middle of three, so an entry before `last` is at most the pivot and stops `left`.
 */
function partition(values: Float64Array, indices: Int32Array, first: number, last: number): number {
  const pivot = middle(values[first], values[(first + last) >>> 1], values[last]);
  let left = first;
  let right = last;
  for (;;) {
    while (values[left] > pivot) left++;
    while (values[right] < pivot) right--;
    if (left >= right) return right;
    const value = values[left];
    const index = indices[left];
    values[left] = values[right];
    indices[left++] = indices[right];
    values[right] = value;
    indices[right--] = index;
  }
}

function middle(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function insertionSort(values: Float64Array, indices: Int32Array, first: number, last: number): void {
  for (let next = first + 1; next <= last; next++) {
    const value = values[next];
    const index = indices[next];
    let hole = next;
    for (; hole > first && values[hole - 1] < value; hole--) {
      values[hole] = values[hole - 1];
      indices[hole] = indices[hole - 1];
    }
    values[hole] = value;
    indices[hole] = index;
  }
}
