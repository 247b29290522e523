/**
 * Values stored beside the log of a ledger and derived from it alone, by key: a key is JSON, which every database can store.
 *
 * | table      | key                       | value                                             |
 * | ---------- | ------------------------- | ------------------------------------------------- |
 * | `accounts` | `"visits"`                | the summary of the data set's account             |
 * |            | `["visits","alice"]`      | the summary of an analyst's share of it           |
 * | `releases` | `"june"`                  | the number of the entry with the release          |
 * |            | `"\u0000june"`            | the number of the entry with its reservation      |
 * |            | `["alice","0…017"]`       | 17, the number of an entry with a release to them |
 * |            | `"\u00010…017"`           | 17, the number of an entry with a key of the ledger |
 *
 * The numbers in the last kind have 16 digits, so the order of the keys is the order of the entries and the newest releases
 * of an analyst are read without the others. A ledger whose entries name no analyst has the first and the third and fourth
 * kind only.
 * @module
 */
import { analystOf, type DatasetEntry, datasetOf, hasDataset, type LedgerEntry } from "./entry.js";
import { type AccountSummary, EMPTY_SUMMARY, summarise, summariseShare } from "./summary.js";

/** By key. */
export interface Derived {
  /** A data set before the shares in it, in the order of their first entries. */
  readonly accounts: Map<string, AccountSummary>;
  readonly places: Map<string, number>;
}

export function nothingDerived(): Derived {
  return { accounts: new Map(), places: new Map() };
}

/** Counts an entry, read in the order of the log; throws if its loss cannot be read. */
export function addTo({ accounts, places }: Derived, entry: LedgerEntry): void {
  if (hasDataset(entry)) {
    const key = accountKey(datasetOf(entry));
    accounts.set(key, summarise(accounts.get(key) ?? EMPTY_SUMMARY, entry));
    const shares = entry.kind === "budget" ? sharesIn(accounts.keys(), entry.dataset) : shareOf(entry);
    for (const share of shares)
      accounts.set(share, summariseShare(accounts.get(share) ?? EMPTY_SUMMARY, entry));
  }
  for (const place of placesOf(entry)) if (!places.has(place)) places.set(place, entry.sequence);
}

export function accountKey(dataset: string, analyst?: string): string {
  return JSON.stringify(analyst === undefined ? dataset : [dataset, analyst]);
}

/** The key of the share that a release or a reservation is part of, if it names an analyst. */
export function shareOf(entry: DatasetEntry): string[] {
  const analyst = analystOf(entry);
  return analyst === undefined ? [] : [accountKey(datasetOf(entry), analyst)];
}

/** The shares in the account of a data set, of these keys. */
export function sharesIn(keys: Iterable<string>, dataset: string): string[] {
  const start = `[${JSON.stringify(dataset)},`;
  return [...keys].filter((key) => key.startsWith(start));
}

/** The keys that an entry is found by. */
export function placesOf(entry: LedgerEntry): string[] {
  if (entry.kind === "budget") return [];
  if (entry.kind === "key") return [keyPlace(entry.sequence)];
  if (entry.kind === "reservation") return [reservationKey(entry.id)];
  const { id, analyst } = entry.release;
  return [releaseKey(id), ...(analyst === undefined ? [] : [ownKey(analyst, entry.sequence)])];
}

export function releaseKey(id: string): string {
  return JSON.stringify(id);
}

/** An id has no control characters. */
export function reservationKey(id: string): string {
  return JSON.stringify(`\0${id}`);
}

/** Key of an entry with a key, ordered by entry number. */
export function keyPlace(sequence: number): string {
  return JSON.stringify(`\u0001${padded(sequence)}`);
}

function padded(sequence: number): string {
  return String(sequence).padStart(16, "0");
}

/** Key of an analyst's release, ordered by entry number. */
export function ownKey(analyst: string, sequence: number): string {
  return JSON.stringify([analyst, padded(sequence)]);
}
