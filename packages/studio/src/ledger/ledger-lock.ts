/**
 * One tab at a time: a Web Lock that all tabs and workers of this page share. Without such locks two tabs could both see
 * room for the last release, so a browser that has none is refused.
 * @module
 */
import { StudioRefusal } from "../worker/studio-refusal.js";

const NAME = "winnow-ledger";

export async function withLedgerLock<T>(work: () => Promise<T>): Promise<T> {
  const locks: LockManager | undefined = navigator.locks;
  if (locks === undefined)
    throw new StudioRefusal("no-locks", "This browser cannot keep two tabs from spending the same budget.");
  return locks.request(NAME, { mode: "exclusive" }, work);
}
