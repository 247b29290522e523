/**
 * The rows that a source counted, one at a time. A count that isn't a whole number stops the selection before anything is
 * released; the error doesn't say which or what.
 * @module
 */
import { WinnowError } from "winnow-dp";
import type { Batches } from "../question/answer.js";
import { sizeOf } from "../question/domain.js";
import type { Question } from "../question/question.js";
import { compareNames } from "./names.js";

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

export function badCounts(): WinnowError {
  return new WinnowError("invalid-score", "the source gave an item without a whole number of users >= 0");
}

/** Every row, as it came. */
export async function allRows(batches: Batches): Promise<[item: string, users: number][]> {
  const rows: [string, number][] = [];
  await forEachRow(batches, (item, users) => rows.push([item, users]));
  return rows;
}

/** Every candidate of the public list, by name. */
export async function everyCandidate(question: Question, batches: Batches) {
  const rows = await allRows(batches);
  checkComplete(rows.length, question);
  rows.sort(([a], [b]) => compareNames(a, b));
  return { items: rows.map(([item]) => item), users: rows.map(([, users]) => users) };
}

/** How many came instead is not said: a source that does this wrong might tell something about its rows. */
export function checkComplete(candidates: number, { domain }: Question): void {
  if (candidates === sizeOf(domain)) return;
  throw new WinnowError("invalid-score", "the source did not give every candidate of the public list once");
}

/** The number that is written so, if it is from 0 and below the bound. */
export function wholeNumber(text: string, below: number): number | undefined {
  const number = Number(text);
  const isOne = String(number) === text && Number.isInteger(number) && number >= 0 && number < below;
  return isOne ? number : undefined;
}
