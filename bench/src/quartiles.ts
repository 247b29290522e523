/**
 * Median and quartiles of a few measurements.
 * @module
 */

export interface Spread {
  readonly lower: number;
  readonly median: number;
  readonly upper: number;
}

/** The quartiles, interpolated between neighbours. */
export function quartiles(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return { lower: quantile(sorted, 0.25), median: quantile(sorted, 0.5), upper: quantile(sorted, 0.75) };
}

function quantile(sorted: readonly number[], fraction: number): number {
  const position = fraction * (sorted.length - 1);
  const below = Math.floor(position);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
}
