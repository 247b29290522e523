/**
 * How long something takes here and now. Figures are for comparison within one run; machines differ, and so do moments.
 * @module
 */

/** The median milliseconds of `runs` runs, after one that warms up. */
export function medianTime(runs: number, work: (run: number) => unknown): number {
  work(-1);
  const times = Array.from({ length: runs }, (_, run) => {
    const start = performance.now();
    work(run);
    return performance.now() - start;
  });
  return median(times);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

/** Three significant digits. */
export function milliseconds(time: number): string {
  return Number(time.toPrecision(3)).toString();
}
