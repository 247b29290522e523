/**
 * Reads the whole log and checks everything that can be: the database's own pages, every entry from the first on, the tables
 * and triggers, that no account is overspent, and that what is stored beside the log is what its entries add up to.
 * @module
 */
import { Account } from "./account.js";
import { addTo, type Derived, nothingDerived } from "./derived.js";
import { type KeyEntry, type LedgerEntry, timeOf } from "./entry.js";
import type { ChainReport, Finding, PublishedRelease } from "./hash-chain.js";
import { wrongKeyChange } from "./key-changes.js";
import type { StoredLog } from "./stored-log.js";
import { EMPTY_SUMMARY } from "./summary.js";

/**
 * The result of verifying a whole ledger.
 *
 * @inline
 */
export interface Verification extends ChainReport {
  /** Oddities that don't prove a change. */
  readonly notes: readonly string[];
}

/** Within a transaction. Throws `ledger-broken` if the ledger can't be read, or an account is overspent. */
export async function verifyLog(log: StoredLog, against: readonly PublishedRelease[]): Promise<Verification> {
  await log.checkStore();
  const notes: string[] = [];
  const derived = nothingDerived();
  const keys: KeyEntry[] = [];
  let uncounted: Finding | undefined;
  let last = "";
  const onEntry = (entry: LedgerEntry) => {
    if (uncounted === undefined) uncounted = keyProblem(keys, entry) ?? countInto(derived, entry);
    const time = timeOf(entry);
    if (time < last) notes.push(`Entry ${entry.sequence} has an earlier time than the entry before it.`);
    last = time;
  };
  const report = await log.verify({ against, onEntry });
  const findings = [...report.findings];
  if (findings.length === 0 && uncounted !== undefined) findings.push(uncounted);
  if (findings.length === 0) findings.push(...(await log.verifySchema()));
  if (findings.length === 0) findings.push(...(await log.verifySeen()));
  if (findings.length === 0) {
    await log.refresh();
    for (const dataset of await log.datasets())
      new Account(dataset, (await log.summaryOf(dataset)) ?? EMPTY_SUMMARY); // throws if it is overspent
    findings.push(...(await log.verifyKept(derived)));
  }
  return { ...report, findings, notes };
}

/** Winnow records no such change of keys. */
function keyProblem(keys: KeyEntry[], entry: LedgerEntry): Finding | undefined {
  if (entry.kind !== "key") return undefined;
  const { sequence } = entry;
  const wrong = wrongKeyChange(keys, entry);
  if (wrong !== undefined)
    return {
      kind: "changed",
      sequence,
      sentence: `Entry ${sequence} changes the keys wrongly: ${wrong.message}`,
    };
  keys.push(entry);
  return undefined;
}

/** Winnow didn't write an entry that fits the chain but whose loss can't be read. */
function countInto(derived: Derived, entry: LedgerEntry): Finding | undefined {
  try {
    addTo(derived, entry);
    return undefined;
  } catch {
    const { sequence } = entry;
    return { kind: "changed", sequence, sentence: `Entry ${sequence} has a loss that can't be read.` };
  }
}
