/**
 * The mean of repeated trials and how far they spread.
 * @module
 */

export interface Spread {
  readonly mean: number;
  readonly deviation: number;
}

/** The mean and the standard deviation of `trials` outcomes. */
export function spreadOf(trials: number, outcome: (trial: number) => number): Spread {
  const outcomes = Array.from({ length: trials }, (_, trial) => outcome(trial));
  const mean = outcomes.reduce((sum, value) => sum + value, 0) / trials;
  const squares = outcomes.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / Math.max(trials - 1, 1)) };
}

/** The part of the true ones that was found. */
export function recall(found: readonly number[], truth: ReadonlySet<number>): number {
  return found.filter((index) => truth.has(index)).length / truth.size;
}

/** The positions of the k largest, the earlier first among equals. */
export function largest(counts: ArrayLike<number>, k: number): Set<number> {
  const order = Array.from(counts, (count, index) => ({ count, index }));
  order.sort((a, b) => b.count - a.count || a.index - b.index);
  return new Set(order.slice(0, k).map(({ index }) => index));
}
