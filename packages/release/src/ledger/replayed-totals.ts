/**
 * The totals of all accounts, replayed from the entries by a process that runs for long. It reads the whole log once, verified
 * from the first entry on, and then each new entry. So the totals that are stored beside the log are never taken on trust:
 * those that differ from the entries are refused.
 * @module
 */

import { Refusal } from "../refusal/refusal.js";
import { canonicalJson } from "./canonical-json.js";
import { addTo, type Derived, nothingDerived } from "./derived.js";
import { type ChainHead, EMPTY_CHAIN, verifyChain } from "./hash-chain.js";
import type { Store } from "./store.js";
import type { AccountSummary } from "./summary.js";

const ROWS_AT_ONCE = 1000;

export class ReplayedTotals {
  readonly #derived: Derived = nothingDerived();
  #head: ChainHead = EMPTY_CHAIN;

  /** Counts the entries up to the head, which follow those that were counted before. Within a transaction. */
  async advance(store: Store, head: ChainHead): Promise<void> {
    while (this.#head.sequence < head.sequence) {
      const rows = await newRows(store, this.#head.sequence, head.sequence);
      const isLast = rows.length === 0 || rows.at(-1)!.sequence === head.sequence;
      const report = await verifyChain(rows, {
        after: this.#head,
        head: isLast ? head : undefined,
        onEntry: (entry) => {
          addTo(this.#derived, entry);
          this.#derived.places.clear(); // only the totals are kept, which don't grow with the log
        },
      });
      const [finding] = report.findings;
      if (finding !== undefined) throw new Refusal("ledger-broken", finding.sentence);
      this.#head = report.head;
    }
  }

  /** Throws unless the stored summary is that of the entries up to this head. */
  check(key: string, stored: AccountSummary | undefined, head: ChainHead): void {
    if (head.sequence !== this.#head.sequence) return;
    const own = this.#derived.accounts.get(key);
    if ((own && canonicalJson(own)) !== (stored && canonicalJson(stored)))
      throw new Refusal("ledger-broken", "The stored totals differ from the totals of the entries.");
  }
}

/** The last entry is at hand, and mostly it is the only new one. */
async function newRows(store: Store, after: number, last: number) {
  const row = after + 1 === last ? await store.row(last) : undefined;
  return row === undefined ? store.rowsAfter(after, Math.min(ROWS_AT_ONCE, last - after)) : [row];
}
