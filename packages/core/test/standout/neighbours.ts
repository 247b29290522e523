/**
 * Small histograms and all that one individual can make of them. A person counts for any set of candidates.
 * @module
 */

/** Every histogram of so many candidates with counts up to `most`. */
export function allHistograms(candidates: number, most: number): number[][] {
  return product(
    Array.from({ length: candidates }, () => Array.from({ length: most + 1 }, (_, count) => count)),
  );
}

/** After one more person: any counts grow by 1. Read backwards, after one person less. */
export function added(histogram: readonly number[]): number[][] {
  return changes(histogram, [0, 1]);
}

/** After one person became another: any counts grow or fall by 1, unless they would be negative. */
export function replaced(histogram: readonly number[]): number[][] {
  return changes(histogram, [-1, 0, 1]);
}

function changes(histogram: readonly number[], steps: readonly number[]): number[][] {
  return product(histogram.map((count) => steps.map((step) => count + step).filter((moved) => moved >= 0)));
}

function product(choices: readonly (readonly number[])[]): number[][] {
  return choices.reduce<number[][]>(
    (all, options) => all.flatMap((list) => options.map((option) => [...list, option])),
    [[]],
  );
}
