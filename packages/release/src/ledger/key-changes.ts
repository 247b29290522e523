/**
 * The keys that sign heads of a ledger, by its own entries: each is in force from the entry that adds it to the one that
 * revokes it. A head of n entries must be signed by a key that is in force after entry n. A key that was revoked never comes back,
 * and all keys of a ledger have one name, which is that of the ledger.
 * @module
 */
import { Refusal } from "../refusal/refusal.js";
import type { KeyEntry } from "./entry.js";

type KeyChange = Pick<KeyEntry, "adds" | "revokes">;

/**
 * The keys in force after the first `size` entries; by default after all. Someone who writes the file with a program of their own can
 * store a change that breaks the rules: it has no effect here, and `wrongKeyChange` finds it.
 */
export function keysInForce(entries: readonly KeyEntry[], size = Number.MAX_SAFE_INTEGER): readonly string[] {
  const keys = new Set<string>();
  const seen: KeyEntry[] = [];
  for (const entry of entries) {
    if (entry.sequence > size) break;
    if (wrongKeyChange(seen, entry) === undefined) {
      if (entry.adds !== undefined) keys.add(entry.adds);
      if (entry.revokes !== undefined) keys.delete(entry.revokes);
      seen.push(entry);
    }
  }
  return [...keys];
}

/** What rule a change breaks after the changes before it, oldest first; undefined if none. */
export function wrongKeyChange(
  before: readonly KeyEntry[],
  { adds, revokes }: KeyChange,
): Refusal | undefined {
  if (adds !== undefined) {
    if (before.some((entry) => entry.revokes === adds))
      return new Refusal("key-not-recorded", "The key was revoked, and a revoked key is never used again.");
    const name = ownerOf(before.find((entry) => entry.adds !== undefined)?.adds ?? adds);
    if (ownerOf(adds) !== name)
      return new Refusal(
        "usage",
        `The keys of this ledger have the name ${JSON.stringify(name)}, and no other.`,
      );
  }
  const isThere = before.some((entry) => entry.adds === revokes);
  if (revokes === undefined || (isThere && !before.some((entry) => entry.revokes === revokes)))
    return undefined;
  return new Refusal("key-not-recorded", "The key to be revoked isn't one that is in force.");
}

/** Whether the change is one; throws if it can't be made. `entries` are all changes before, oldest first. */
export function isKeyChange(entries: readonly KeyEntry[], change: KeyChange): boolean {
  const wrong = wrongKeyChange(entries, change);
  if (wrong !== undefined) throw wrong;
  const { adds, revokes } = change;
  return revokes !== undefined || (adds !== undefined && !keysInForce(entries).includes(adds));
}

function ownerOf(key: string): string {
  return key.split("+", 1)[0]!;
}
