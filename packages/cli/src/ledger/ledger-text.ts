/**
 * A ledger in a text file (winnow-release, hash-chain.ts), read line by line: once to verify it before any ledger is touched, and
 * once more, verified again, within the one transaction that appends. A pipe can be read once only, and is kept in memory.
 * @module
 */
import { closeSync, createReadStream, openSync, readSync, statSync } from "node:fs";
import { EMPTY_CHAIN, type LedgerText, ledgerFileRows, type VerifiedRow } from "winnow-release";
import { fileRefusal } from "../refusal.js";
import { ledgerRefusal } from "./sqlite-refusal.js";

/** The first bytes of a ledger in text form, as the page and `budget export` write it. */
const TEXT_START = Buffer.from('{"entries":');

export function isLedgerText(file: string): boolean {
  try {
    const handle = openSync(file, "r");
    try {
      const start = Buffer.alloc(TEXT_START.length);
      readSync(handle, start, 0, start.length, 0);
      return start.equals(TEXT_START);
    } finally {
      closeSync(handle);
    }
  } catch {
    return false; // opening it reports what is wrong
  }
}

/** Verifies a ledger in text form, from the first line to the last. */
export async function readLedgerText(path: string): Promise<LedgerText> {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  const kept: VerifiedRow[] = [];
  let head = EMPTY_CHAIN;
  for await (const verified of rowsIn(path)) {
    head = { sequence: verified.row.sequence, hash: verified.row.hash };
    if (!isFile) kept.push(verified);
  }
  return { head, rows: () => (isFile ? rowsIn(path) : kept) };
}

async function* rowsIn(path: string): AsyncGenerator<VerifiedRow, void> {
  try {
    yield* ledgerFileRows(linesOf(createReadStream(path, "utf8")));
  } catch (error) {
    throw error instanceof Error && "syscall" in error
      ? fileRefusal("The ledger file", path, error)
      : ledgerRefusal(path, error);
  }
}

/** Lines end with LF or CR LF and nothing else: a name may hold the separators that Node's readline also takes for ends. */
async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string, void> {
  let pending: string[] = [];
  for await (const chunk of chunks) {
    const [first = "", ...rest] = chunk.split("\n");
    pending.push(first);
    for (const line of rest) {
      yield pending.join("").replace(/\r$/, "");
      pending = [line];
    }
  }
  yield pending.join("").replace(/\r$/, "");
}
