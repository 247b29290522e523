/**
 * `boundContributions`: how many people have each item, after each person was cut to the `maxItemsPerUser` items with the
 * smallest keyed hashes. Which items a person keeps depends on that person's own items and the key alone, so one person
 * more or less doesn't change anyone else's choice, whatever the order of the rows. Privacy rests on that, and on no property of
 * the hash; the secret key makes the choice fair, because no one can arrange to be kept.
 *
 *     SHA-256(key ‖ length of the person in bytes ‖ ":" ‖ person ‖ item), texts as UTF-8
 *
 * The same in SQL: docs/mechanisms/select-partitions.md. A person with few items needs no hash.
 *
 * Cost: memory for the distinct rows; about 2 µs for each item of a person who has too many.
 * Proof: docs/proofs/select-partitions.md, 1.
 * @module
 */

import { anEntropy, type Entropy, withEntropy } from "../entropy.js";
import { invalidData, invalidParameter, type WinnowError } from "../errors.js";
import { byBytes } from "../race/candidates.js";
import { sha256 } from "../sha256.js";
import { integer, iterable, readOptions } from "../validate.js";

/** A person and an item; a row without one of them is skipped. */
export type ContributionRow = readonly [user: string | null | undefined, item: string | null | undefined];

/** How many items a person keeps, and the key that chooses them. */
export interface BoundOptions {
  /** The most items that a person is counted for. */
  readonly maxItemsPerUser: number;
  /** 32 secret bytes, fresh for each release. Default: drawn. */
  readonly key?: Uint8Array | undefined;
  /** Where the key comes from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
}

const KEY_BYTES = 32;
const encoder = /* @__PURE__ */ new TextEncoder();

/**
 * How many people have each item, each person counted for at most `maxItemsPerUser` of them.
 *
 * Which items a person keeps is chosen by a keyed hash: by the person's own items and the key alone. See
 * docs/mechanisms/select-partitions.md.
 *
 * @param rows A person and an item each, in any order; the same row twice counts once.
 * @param options How many items a person keeps.
 *
 * @example
 * ```ts
 * import { boundContributions } from "winnow-dp";
 *
 * const rows = [["u1", "Alster"], ["u1", "Bille"], ["u2", "Alster"], ["u2", "Alster"]] as const;
 * const counts = boundContributions(rows, { maxItemsPerUser: 1 });
 * [...counts.values()].reduce((sum, count) => sum + count, 0); // → 2
 * ```
 */
export function boundContributions(
  rows: Iterable<ContributionRow>,
  options: BoundOptions,
): Map<string, number> {
  const read = readOptions(options, { maxItemsPerUser: integer }, { key: secretKey, entropy: anEntropy });
  const itemsOf = new Map<string, Set<string>>();
  for (const row of iterable("rows", rows)) {
    const [user, item] = [row?.[0], row?.[1]];
    if (user === null || user === undefined || item === null || item === undefined) continue;
    if (typeof user !== "string" || typeof item !== "string") throw invalidRow();
    const items = itemsOf.get(user);
    if (items === undefined) itemsOf.set(user, new Set([item]));
    else items.add(item);
  }
  const key = read.key ?? withEntropy(read.entropy, drawKey);
  const counts = new Map<string, number>();
  for (const [user, items] of itemsOf)
    for (const item of kept(user, items, read.maxItemsPerUser, key))
      counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

function drawKey(entropy: Entropy): Uint8Array {
  return Uint8Array.from({ length: KEY_BYTES }, () => entropy.bits(8));
}

function secretKey(field: string, value: Uint8Array): Uint8Array {
  if (!(value instanceof Uint8Array) || value.length !== KEY_BYTES)
    throw invalidParameter(field, `a Uint8Array of ${KEY_BYTES} bytes`, "another value"); // a key is secret
  return value.slice();
}

/** The refusal of a row, which says nothing about it. */
function invalidRow(): WinnowError {
  return invalidData("rows", "pairs of a person and an item, each a text (or null, which is skipped)");
}

/** The items with the smallest hashes; where hashes are equal, those whose bytes come first. */
function kept(user: string, items: ReadonlySet<string>, most: number, key: Uint8Array): Iterable<string> {
  if (items.size <= most) return items;
  const person = encoder.encode(user);
  const length = encoder.encode(`${person.length}:`);
  return Array.from(items, (item) => ({ item, hash: sha256(key, length, person, encoder.encode(item)) }))
    .sort((a, b) => byHash(a.hash, b.hash) || byBytes(a.item, b.item))
    .slice(0, most)
    .map(({ item }) => item);
}

function byHash(a: Uint32Array, b: Uint32Array): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return 0;
}
