/**
 * A ledger as a file that travels between the page, the command line and a drawer: JSON Lines in UTF-8. The first line
 * says how many entries follow and which hash the last one has, so a file that was cut off is noticed; every other line
 * is the canonical text of one entry, exactly as it is stored and hashed. Nothing in it is private.
 *
 *     {"entries":2,"format":"winnow-ledger-file/1","head":"5e1c…"}
 *     {"budget":{…},"dataset":"visits","format":"winnow-ledger/1","kind":"budget","previous":"0000…","sequence":1,…}
 *     {"format":"winnow-ledger/1","kind":"release","previous":"8a41…","release":{…},"sequence":2}
 *
 * A copy is a second ledger: charge one of them and restore the other from it, never both. `compareChains` tells how two
 * relate before one takes the place of the other.
 * @module
 */
import { canonicalJson, type LedgerEntry, LedgerError, readEntry } from "./entry.js";
import {
  type ChainHead,
  type ChainRow,
  checkHead,
  checkLink,
  EMPTY_CHAIN,
  type Finding,
  hashText,
} from "./hash-chain.js";

export const LEDGER_FILE_FORMAT = "winnow-ledger-file/1";

/** The lines of the file, each with its line feed. `head` is the last of the rows. */
export function* ledgerFileLines(head: ChainHead, rows: Iterable<ChainRow>): Generator<string, void> {
  yield `${canonicalJson({ format: LEDGER_FILE_FORMAT, entries: head.sequence, head: head.hash })}\n`;
  for (const { text } of rows) yield `${text}\n`;
}

/** The rows of a file, verified from the first to the last. Throws a `ledger-broken` that says what is wrong. */
export async function readLedgerFile(lines: Lines): Promise<readonly ChainRow[]> {
  const rows: ChainRow[] = [];
  for await (const { row } of ledgerFileRows(lines)) rows.push(row);
  return rows;
}

type Lines = Iterable<string> | AsyncIterable<string>;

/** A row that follows the one before it, and the entry in its text. */
export interface VerifiedRow {
  readonly row: ChainRow;
  readonly entry: LedgerEntry;
}

/**
 * The rows of a file one by one, each verified to follow the one before; at the end, that none is missing. Throws as
 * `readLedgerFile` does, and holds one row.
 */
export async function* ledgerFileRows(lines: Lines): AsyncGenerator<VerifiedRow, void> {
  let head: ChainHead | undefined;
  let last = EMPTY_CHAIN;
  for await (const text of lines) {
    if (text === "") continue;
    if (head === undefined) {
      head = readHead(text);
      continue;
    }
    const entry = readEntry(text);
    const { sequence } = entry;
    refuse(checkLink(sequence, entry, last));
    const row = { sequence, text, hash: await hashText(text) };
    yield { row, entry };
    last = row;
  }
  if (head === undefined) throw notAFile();
  refuse(checkHead(last, head));
}

function refuse([finding]: readonly Finding[]): void {
  if (finding !== undefined) throw new LedgerError("ledger-broken", finding.sentence);
}

function readHead(line: string): ChainHead {
  let parsed: { format?: unknown; entries?: unknown; head?: unknown } | null;
  try {
    parsed = JSON.parse(line);
  } catch {
    throw notAFile();
  }
  const { format, entries, head } = parsed ?? {};
  if (format !== LEDGER_FILE_FORMAT || !Number.isSafeInteger(entries) || typeof head !== "string")
    throw notAFile();
  return entries === 0 ? EMPTY_CHAIN : { sequence: entries as number, hash: head };
}

function notAFile(): LedgerError {
  return new LedgerError("ledger-broken", `The file is not a ledger of the format ${LEDGER_FILE_FORMAT}.`);
}

/** How a ledger relates to another: equal to it, longer by some entries, an older copy of it, or about something else. */
export type ChainRelation = "same" | "ahead" | "behind" | "other";

/** How rows that start at the first entry relate to a ledger that ends at `head`; `hashAt` gives the hashes of its entries. */
export function compareChains(
  rows: readonly ChainRow[],
  head: ChainHead,
  hashAt: (sequence: number) => string | undefined,
): ChainRelation {
  const last = rows.at(-1) ?? EMPTY_CHAIN;
  if (last.sequence < head.sequence) {
    const isPart = last.sequence === 0 || hashAt(last.sequence) === last.hash;
    return isPart ? "behind" : "other";
  }
  if (head.sequence > 0 && rows[head.sequence - 1].hash !== head.hash) return "other";
  return last.sequence === head.sequence ? "same" : "ahead";
}
