/**
 * The chain: every entry names the SHA-256 of the text of the one before it, so that none can be changed, removed or moved
 * without changing all that follow. Hashing is asynchronous (Web Crypto): a storage whose transactions do not wait, such
 * as IndexedDB, chains the entry first and then appends it only if the head is still the one it was chained to.
 * @module
 */
import { entryText, LEDGER_FORMAT, type NewEntry } from "./entry.js";

/** The last link: the number of the last entry and its hash. */
export interface ChainHead {
  readonly sequence: number;
  readonly hash: string;
}

/** An entry as it is stored. */
export interface ChainRow extends ChainHead {
  /** The canonical text of the entry. */
  readonly text: string;
}

/** The head of a ledger without entries. */
export const EMPTY_CHAIN: ChainHead = Object.freeze({ sequence: 0, hash: "0".repeat(64) });

/** The SHA-256 of the UTF-8 text, in hexadecimal. */
export async function hashText(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The row that follows the head. */
export async function chain(entry: NewEntry, head: ChainHead): Promise<ChainRow> {
  const sequence = head.sequence + 1;
  const text = entryText({ ...entry, format: LEDGER_FORMAT, sequence, previous: head.hash });
  return { sequence, text, hash: await hashText(text) };
}
