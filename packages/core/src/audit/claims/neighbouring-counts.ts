/**
 * Small histograms, and all that one individual can make of them. Who joins adds 1 to any counts; who is replaced, as a teacher
 * is, moves any of them by 1 in either direction.
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

/** After one of so many voters, each with a yes or no to every candidate, was replaced. */
export function withOneReplaced(histogram: readonly number[], voters: number): number[][] {
  return product(
    histogram.map((count) => [count - 1, count, count + 1].filter((moved) => moved >= 0 && moved <= voters)),
  );
}

/** Every histogram of so many voters with one vote each. */
export function allElections(candidates: number, voters: number): number[][] {
  return allHistograms(candidates, voters).filter((histogram) => sum(histogram) === voters);
}

/** After one voter's only vote went from one candidate to another. */
export function withOneVoteMoved(histogram: readonly number[]): number[][] {
  return withOneReplaced(histogram, sum(histogram)).filter(
    (moved) =>
      sum(moved) === sum(histogram) && moved.filter((count, i) => count !== histogram[i]).length === 2,
  );
}

/** After one more voter gave a vote to one candidate. */
export function withOneVoteMore(histogram: readonly number[]): number[][] {
  return withOneMore(histogram).filter((more) => sum(more) === sum(histogram) + 1);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function product(choices: readonly (readonly number[])[]): number[][] {
  return choices.reduce<number[][]>(
    (lists, options) => lists.flatMap((list) => options.map((option) => [...list, option])),
    [[]],
  );
}
