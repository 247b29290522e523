/**
 * The rows of all batches, one by one, checked: a count that is no whole number ends the selection before anything is
 * released, without a word on which or what.
 * @module
 */
import { WinnowError } from "winnow-dp";
import type { CountedItems } from "./answer.js";

export type Batches = Iterable<CountedItems> | AsyncIterable<CountedItems>;

/** Calls `take` for each row. */
export async function forEachRow(
  batches: Batches,
  take: (item: string, users: number) => void,
): Promise<void> {
  for await (const { items, users } of batches) {
    if (items.length !== users.length) throw badCounts();
    for (let row = 0; row < items.length; row++) {
      const count = users[row];
      if (!Number.isSafeInteger(count) || count < 0) throw badCounts();
      take(items[row], count);
    }
  }
}

function badCounts(): WinnowError {
  return new WinnowError("invalid-score", "the source gave an item without a whole number of users >= 0");
}
