/**
 * The candidates that can still matter for the top k and its gaps: all whose noisy score on the grid is not below the
 * (k + 1)-th largest. All k + 1 leaders are in it, as each of them has a gap to give or to end, and so is everyone tied
 * with the last of them, who may yet turn out to be above it.
 * @module
 */

/** A candidate and its score with noise, in steps of the grid. */
export interface Noisy<Id = number> {
  readonly id: Id;
  readonly value: bigint;
}

/** The candidates not below the (k + 1)-th largest value, in the order in which they came; all if they are no more. */
export function poolOf<Id>(noisy: readonly Noisy<Id>[], k: number): Noisy<Id>[] {
  const cut = cutOf(noisy, k);
  return noisy.filter(({ value }) => cut === undefined || value >= cut);
}

/** The (k + 1)-th largest value; undefined if there are fewer. */
export function cutOf(noisy: readonly Noisy<unknown>[], k: number): bigint | undefined {
  return [...noisy].sort(byValueDescending)[k]?.value;
}

export function byValueDescending(a: Noisy<unknown>, b: Noisy<unknown>): number {
  return a.value > b.value ? -1 : a.value < b.value ? 1 : 0;
}
