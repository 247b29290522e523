/**
 * A ledger as text (winnow-release, hash-chain.ts), on its way out of a ledger and into another. Both may hold millions of
 * entries: Winnow reads the file line by line, once to verify it before any ledger is touched, and once more, verified again, within
 * the one transaction that appends. So a run holds some hundreds of entries, and a fault in the last line still changes nothing.
 * A pipe can be read once only, and is kept in memory.
 * @module
 */
import { closeSync, createReadStream, openSync, readSync, statSync } from "node:fs";
import { type ChainHead, type ChainRow, EMPTY_CHAIN, ledgerFileRows, type VerifiedRow } from "winnow-release";
import { fileRefusal } from "../refusal.js";
import { ledgerRefusal } from "./connection.js";
import { otherLedger } from "./ledger-refusals.js";
import { ROWS_AT_ONCE, type StoredLog } from "./stored-log.js";

/** A verified text of a ledger. */
export interface LedgerText {
  readonly head: ChainHead;
  /** From the first on, verified again; may be called again. */
  rows(): Iterable<VerifiedRow> | AsyncIterable<VerifiedRow>;
}

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

/**
 * Appends the entries that a longer copy of the ledger has beyond it, and returns their number. Throws `other-ledger` for an
 * older copy and for a different ledger. Within a transaction that writes; `name` is that of the ledger.
 */
export async function appendText(log: StoredLog, name: string, text: LedgerText): Promise<number> {
  const { head } = log;
  const { sequence, hash } = text.head;
  if (sequence < head.sequence) {
    const isPart = sequence === 0 || (await log.hashAt(sequence)) === hash;
    throw otherLedger(name, isPart ? "behind" : "other");
  }
  for await (const rows of batches(text.rows())) {
    const known = rows.filter(({ row }) => row.sequence <= head.sequence);
    const last = known.at(-1)?.row;
    // The chain before it is the same if its hash is; a server also sees that the transaction goes on.
    if (last !== undefined && (await log.hashAt(last.sequence)) !== last.hash)
      throw otherLedger(name, "other");
    await log.append(rows.slice(known.length));
  }
  return sequence - head.sequence;
}

/** All rows up to an entry, in pages: no transaction is open while they are used, and the log only grows. */
export async function* rowsUpTo(
  head: ChainHead,
  pageAfter: (last: ChainHead) => Promise<readonly ChainRow[]>,
): AsyncGenerator<ChainRow, void> {
  for (let last = EMPTY_CHAIN; last.sequence < head.sequence; ) {
    const page = await pageAfter(last);
    yield* page;
    last = page.at(-1)!;
  }
}

async function* batches(rows: ReturnType<LedgerText["rows"]>): AsyncGenerator<VerifiedRow[], void> {
  let batch: VerifiedRow[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < ROWS_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
