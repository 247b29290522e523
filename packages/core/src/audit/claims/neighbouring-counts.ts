/**
 * Small histograms, and all that one person can make of them: with one more person any counts grow by 1.
 * @module
 */

/** Every histogram of so many candidates with counts up to `most`. */
export function allHistograms(candidates: number, most: number): number[][] {
  return product(
    Array.from({ length: candidates }, () => Array.from({ length: most + 1 }, (_, count) => count)),
  );
}

/** After one more person, who counts for any set of candidates. */
export function withOneMore(histogram: readonly number[]): number[][] {
  return product(histogram.map((count) => [count, count + 1]));
}

function product(choices: readonly (readonly number[])[]): number[][] {
  return choices.reduce<number[][]>(
    (lists, options) => lists.flatMap((list) => options.map((option) => [...list, option])),
    [[]],
  );
}
