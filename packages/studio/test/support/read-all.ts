/**
 * Reads a file the way the worker does, without a browser.
 * @module
 */

import type { RowTotals } from "../../src/reading/data-file.js";
import { openFile } from "../../src/reading/open-file.js";
import { UserCounter } from "../../src/reading/user-counter.js";
import type { Columns, FileShape, ReadAs } from "../../src/worker/api.js";
import { Task } from "../../src/worker/task.js";

export interface AllRead {
  readonly shape: FileShape;
  readonly totals: RowTotals;
  /** Distinct users by item. */
  readonly counts: Readonly<Record<string, number>>;
  /** Of the progress that was told. */
  readonly shares: readonly (number | undefined)[];
}

export async function readAll(
  file: File | "example",
  { item, user }: Columns = { item: "item", user: "user" },
  task: Task = new Task(),
  as?: ReadAs,
): Promise<AllRead> {
  const opened = await openFile(file, as);
  const counter = new UserCounter();
  const shares: (number | undefined)[] = [];
  const totals = await opened.read([item, user], {
    task,
    onProgress: (share) => shares.push(share),
    take: ([item, user]) => counter.add(item!, user!),
  });
  const { items, users } = counter.histogram();
  const counts = Object.fromEntries(items.map((item, index) => [item, users[index]!]));
  return { shape: opened.shape, totals, counts, shares };
}

export function textFile(name: string, ...lines: readonly string[]): File {
  return new File([lines.map((line) => `${line}\n`).join("")], name);
}
