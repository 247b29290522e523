/**
 * A ledger as text (hash-chain.ts), on its way out of a ledger and into another. Both may hold millions of entries: the text is
 * verified once before any ledger is touched, and once more within the one transaction that appends. So a run holds some
 * hundreds of entries, and a fault in the last line still changes nothing.
 * @module
 */
import { type ChainHead, type ChainRow, EMPTY_CHAIN, type VerifiedRow } from "./hash-chain.js";
import { otherLedger } from "./ledger-refusals.js";
import { ROWS_AT_ONCE, type StoredLog } from "./stored-log.js";

/** A verified text of a ledger. */
export interface LedgerText {
  readonly head: ChainHead;
  /** From the first on, verified again; may be called again. */
  rows(): Iterable<VerifiedRow> | AsyncIterable<VerifiedRow>;
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
    for (const row of rows.slice(known.length)) await log.add(row);
    await log.flush();
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
