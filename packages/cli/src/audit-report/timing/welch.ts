/**
 * Welch's t: how many standard errors two means are apart, for samples of unequal spread. As is usual for timing leaks, the
 * slowest few of all measurements are left out, whichever world they are from: interruptions by the system would hide a
 * difference of nanoseconds.
 * @module
 */

export interface Comparison {
  /** Measurements of each world that were used. */
  readonly sizes: readonly [number, number];
  readonly means: readonly [number, number];
  /** The second mean less the first, in standard errors. */
  readonly t: number;
  /** The standard error of the difference. */
  readonly standardError: number;
}

/** The share of all measurements, the fastest, that is compared. */
const KEPT = 0.95;

/** Compares two lists of times. */
export function welch(first: readonly number[], second: readonly number[]): Comparison {
  const limit = quantile([...first, ...second], KEPT);
  const worlds = [first, second].map((times) => momentsOf(times.filter((time) => time <= limit)));
  const [one, other] = worlds;
  const standardError = Math.sqrt(one.variance / one.size + other.variance / other.size);
  const difference = other.mean - one.mean;
  return {
    sizes: [one.size, other.size],
    means: [one.mean, other.mean],
    t: difference === 0 ? 0 : difference / standardError,
    standardError,
  };
}

/** The smallest of the values that so large a share does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
}

interface Moments {
  readonly size: number;
  readonly mean: number;
  readonly variance: number;
}

function momentsOf(values: readonly number[]): Moments {
  const size = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / size;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (size - 1);
  return { size, mean, variance };
}
