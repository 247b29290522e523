/**
 * What the page can open. A data file is told by its first bytes (gzip and Parquet have marks of their own) and its
 * name; only its header is read here.
 *
 * The built-in example is generated visitors of a web site. It describes no real person, is the same for everyone, and
 * has the size of a small site, so the first look needs no wait.
 *
 * The public list of candidates has one on each line, or is a release of Winnow's, as JSON or CSV. Text that isn't UTF-8 is
 * refused rather than repaired, because a repair could make one candidate of two. A candidate that is listed twice counts
 * once; empty lines are skipped.
 * @module
 */

import {
  candidatesOf,
  ESCAPED_ITEMS,
  generateVisits,
  ITEMS,
  ListError,
  listHeader,
  Refusal,
  readList,
} from "winnow-release";
import type { ReadAs } from "../worker/api.js";
import { type DataFile, LARGEST_FILE, type Reading, tooLarge, unknownColumn } from "./data-file.js";
import { openParquet } from "./parquet-file.js";
import { formatByName, openDelimited, openJsonLines } from "./text-file.js";

export async function openFile(file: File | "example", as: ReadAs = {}): Promise<DataFile> {
  if (file === "example") return exampleFile();
  if (file.size === 0) throw new Refusal("empty-file", "The file is empty.");
  if (file.size > LARGEST_FILE) throw tooLarge();
  const mark = await firstBytes(file);
  if (mark.startsWith("PAR1")) return openParquet(file);
  if (mark.startsWith("PK\x03\x04") || mark.startsWith("\xd0\xcf\x11\xe0")) throw notRows(file.name);
  const isCompressed = mark.startsWith("\x1f\x8b");
  const name = formatByName(file.name);
  return name === "ndjson"
    ? openJsonLines(file, { name, isCompressed }, as.encoding)
    : openDelimited(file, { name, isCompressed }, as);
}

function notRows(name: string): Refusal {
  return /\.xls[xmb]?$/i.test(name)
    ? new Refusal("spreadsheet", "This is an Excel workbook, and the page reads CSV.")
    : new Refusal("not-text", "This is an archive of files, and the page reads one file of rows.");
}

/** One character for each byte. */
async function firstBytes(file: File): Promise<string> {
  try {
    return String.fromCharCode(...new Uint8Array(await file.slice(0, 4).arrayBuffer()));
  } catch {
    throw new Refusal("broken-file", "The browser cannot read the file any more.");
  }
}

const EXAMPLE_OPTIONS = { rows: 60_000, items: 40, users: 8_000 };
const EXAMPLE_COLUMNS = ["user", "area"];
/** Rows between two checkpoints. */
const EXAMPLE_STRIDE = 2_000;

function exampleFile(): DataFile {
  const shape = {
    name: "example visits",
    format: "generated",
    bytes: 0,
    columns: EXAMPLE_COLUMNS,
    dialect: { format: "generated" },
    guess: {
      item: "area",
      user: "user",
      why: "The example has one row for each visit of a user to an area.",
    },
    candidates: candidatesOf(EXAMPLE_OPTIONS),
  } as const;
  const read = async (names: readonly string[], { task, onProgress, take }: Reading) => {
    for (const name of names) if (!EXAMPLE_COLUMNS.includes(name)) throw unknownColumn(name);
    let rows = 0;
    for (const visit of generateVisits(EXAMPLE_OPTIONS)) {
      const fields: Readonly<Record<string, string>> = { user: visit.user, area: visit.item };
      take(names.map((name) => fields[name]!));
      if (++rows % EXAMPLE_STRIDE > 0) continue;
      onProgress(rows / EXAMPLE_OPTIONS.rows);
      await task.checkpoint();
    }
    return { rows, skipped: 0, skippedBy: { encoding: 0, quotes: 0, fields: 0 } };
  };
  return { shape, read };
}

const LARGEST_LIST = 100_000_000; // bytes

/** Each once, in the order of the list. */
export async function readCandidates(list: File | readonly string[]): Promise<readonly string[]> {
  if (list instanceof File) return candidatesIn(list.name, await textOf(list));
  const names = [...new Set(list)].filter((name) => name !== "");
  if (names.length === 0) throw new Refusal("no-candidates", "The list has no candidate.");
  return names;
}

const DELIMITED = /\.(csv|tsv|tab)$/i;

function candidatesIn(name: string, text: string): readonly string[] {
  try {
    const { columns } = DELIMITED.test(name) ? listHeader(text.split(/[\r\n]/, 1)[0]!) : { columns: [] };
    const isTable = columns.length > 1 || columns.some((column) => [ITEMS, ESCAPED_ITEMS].includes(column));
    return readList(text, { name, column: isTable ? ITEMS : undefined });
  } catch (error) {
    if (error instanceof ListError)
      throw new Refusal("no-candidates", `The list of candidates ${error.message}`);
    throw error;
  }
}

async function textOf(file: File): Promise<string> {
  if (file.size > LARGEST_LIST) throw tooLarge();
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal("not-text", "The list of candidates is not text in UTF-8.");
  }
}
