/**
 * The built-in example: generated visitors of a web site. It is about nobody, the same for everyone, and of the size of a
 * small site, so that the first look costs no wait.
 * @module
 */
import { candidatesOf, generateVisits } from "winnow-release";
import type { Columns } from "../worker/api.js";
import { type DataFile, type Reading, unknownColumn } from "./data-file.js";

const OPTIONS = { rows: 60_000, items: 40, users: 8_000 };
const COLUMNS = ["user", "area"];
/** Rows between two checkpoints. */
const STRIDE = 2_000;

export function exampleFile(): DataFile {
  const shape = {
    name: "example visits",
    format: "generated",
    bytes: 0,
    columns: COLUMNS,
    dialect: { format: "generated" },
    guess: {
      item: "area",
      user: "user",
      why: "The example has one row for each visit of a user to an area.",
    },
    candidates: candidatesOf(OPTIONS),
  } as const;
  const read = async ({ item, user }: Columns, { task, onProgress, take }: Reading) => {
    for (const name of [item, user]) if (!COLUMNS.includes(name)) throw unknownColumn(name);
    let rows = 0;
    for (const visit of generateVisits(OPTIONS)) {
      const fields: Readonly<Record<string, string>> = { user: visit.user, area: visit.item };
      take(fields[item]!, fields[user]!);
      if (++rows % STRIDE > 0) continue;
      onProgress(rows / OPTIONS.rows);
      await task.checkpoint();
    }
    return { rows, skipped: 0 };
  };
  return { shape, read };
}
