/**
 * A file of rows, whatever its format: what its header says, and its rows one after the other.
 * @module
 */
import { Refusal } from "winnow-release";
import type { FileShape, OnProgress, SkippedLines } from "../worker/api.js";
import type { Task } from "../worker/task.js";

export interface DataFile {
  readonly shape: FileShape;
  /** Reads all rows from the first to the last; of each, the columns of these names. */
  read(names: readonly string[], reading: Reading): Promise<RowTotals>;
}

export interface Reading {
  readonly task: Task;
  readonly onProgress: OnProgress;
  /** Called for each row with its texts, one for each name; an empty text stands for a value that is not there. */
  take(texts: readonly string[]): void;
}

/** For the curator's eyes. */
export interface RowTotals {
  readonly rows: number;
  readonly skipped: number;
  readonly skippedBy: SkippedLines;
}

/** Checked before anything is read, because the page holds the counts in memory. */
export const LARGEST_FILE = 1_000_000_000;

export function tooLarge(): Refusal {
  return new Refusal("too-large", "The file is larger than the 1 GB that the page reads.");
}

export function unknownColumn(name: string): Refusal {
  return new Refusal("unknown-column", `The file has no column ${JSON.stringify(name)}.`);
}

export function brokenFile(): Refusal {
  return new Refusal(
    "broken-file",
    "The file is damaged, ends too early, or was changed after you chose it.",
  );
}
