/**
 * A file of rows, whatever its format: what its header says, and its rows one after the other.
 * @module
 */
import type { Columns, FileShape, OnProgress, SkippedLines } from "../worker/api.js";
import { StudioRefusal } from "../worker/studio-refusal.js";
import type { Task } from "../worker/task.js";

export interface DataFile {
  readonly shape: FileShape;
  /** Reads all rows from the first to the last. */
  read(columns: Columns, reading: Reading): Promise<RowTotals>;
}

export interface Reading {
  readonly task: Task;
  readonly onProgress: OnProgress;
  /** Called for each row; an empty text stands for a value that is not there. */
  take(item: string, user: string): void;
}

/** For the curator's eyes. */
export interface RowTotals {
  readonly rows: number;
  readonly skipped: number;
  readonly skippedBy: SkippedLines;
}

/** Checked before anything is read, because the page holds the counts in memory. */
export const LARGEST_FILE = 1_000_000_000;

export function tooLarge(): StudioRefusal {
  return new StudioRefusal("too-large", "The file is larger than the 1 GB that the page reads.");
}

export function unknownColumn(name: string): StudioRefusal {
  return new StudioRefusal("unknown-column", `The file has no column ${JSON.stringify(name)}.`);
}

export function brokenFile(): StudioRefusal {
  return new StudioRefusal("broken-file", "The file is damaged or ends too early.");
}
