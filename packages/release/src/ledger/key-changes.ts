/**
 * The keys that sign heads of a ledger, by its own entries: each is in force from the entry that adds it to the one that
 * revokes it. A head of n entries must be signed by a key that is in force after entry n. A key that was revoked never comes back,
 * and all keys of a ledger have one name, which is that of the ledger.
 * @module
 */
import { Refusal } from "../refusal/refusal.js";
import type { KeyEntry } from "./entry.js";

type KeyChange = Pick<KeyEntry, "adds" | "revokes">;

/** The keys in force after the first `size` entries; by default after all. */
export function keysInForce(entries: readonly KeyEntry[], size = Number.MAX_SAFE_INTEGER): readonly string[] {
  const keys = new Set<string>();
  for (const { sequence, adds, revokes } of entries) {
    if (sequence > size) break;
    if (adds !== undefined) keys.add(adds);
    if (revokes !== undefined) keys.delete(revokes);
  }
  return [...keys];
}

/** Whether the change is one; throws if it can't be made. `entries` are all changes before, oldest first. */
export function isKeyChange(entries: readonly KeyEntry[], { adds, revokes }: KeyChange): boolean {
  const inForce = keysInForce(entries);
  if (adds !== undefined) {
    if (entries.some((entry) => entry.revokes === adds))
      throw new Refusal("key-not-recorded", "The key was revoked, and a revoked key is never used again.");
    const name = ownerOf(entries.find((entry) => entry.adds !== undefined)?.adds ?? adds);
    if (ownerOf(adds) !== name)
      throw new Refusal(
        "usage",
        `The keys of this ledger have the name ${JSON.stringify(name)}, and no other.`,
      );
  }
  if (revokes !== undefined && !inForce.includes(revokes))
    throw new Refusal("key-not-recorded", "The key to be revoked isn't one that is in force.");
  return revokes !== undefined || (adds !== undefined && !inForce.includes(adds));
}

function ownerOf(key: string): string {
  return key.split("+", 1)[0]!;
}
