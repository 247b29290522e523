/**
 * How many people have each item, and which values people have, after each person was cut to the bound by a keyed hash. What
 * a person keeps depends on that person's own rows and the key alone, so one person more or less doesn't change anyone
 * else's choice, whatever the order of the rows. Privacy rests on that, and on no property of the hash; the secret key makes
 * the choice fair, because no one can arrange to be kept.
 *
 *     boundContributions   SHA-256(key ‖ length of the person in bytes ‖ ":" ‖ person ‖ item), of each different item
 *     boundValues          SHA-256(key ‖ length of the person in bytes ‖ ":" ‖ person ‖ copy ‖ ":" ‖ value), of each row;
 *                          copy is 1 for the first row of this person with this value, 2 for the second, …
 *
 * Texts are UTF-8, the smallest hashes are kept. The same in SQL: docs/mechanisms/select-partitions.md and
 * docs/mechanisms/quantile.md. A person who has few needs no hash.
 *
 * Cost: memory for the distinct rows; about 2 µs for each item, or each row of values, of a person who has too many.
 * Proof: select-partitions.proof.md, 1; numbers/quantile.proof.md, bounding.
 * @module
 */

import { anEntropy, type Entropy } from "../entropy.js";
import { invalidData, invalidParameter, type WinnowError } from "../errors.js";
import { integer, iterable, readOptions } from "../options.js";
import { byBytes } from "../race/candidates.js";
import { sha256 } from "../sha256.js";
import { withEntropy } from "../system-entropy.js";

/**
 * A person and an item; a row without one of them is skipped.
 *
 * @inline
 */
export type ContributionRow = readonly [user: string | null | undefined, item: string | null | undefined];

/**
 * A person and one of their values; a row without one of them is skipped.
 *
 * @inline
 */
export type ValueRow<Value extends string | number> = readonly [
  user: string | null | undefined,
  value: Value | null | undefined,
];

export interface BoundKey {
  /** 32 secret bytes, fresh for each release. Default: drawn. */
  readonly key?: Uint8Array | undefined;
  /** Where the key comes from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
}

/**
 * How many items a person keeps, and the key that chooses them.
 *
 * @inline
 */
export interface BoundOptions extends BoundKey {
  /** The most items that a person is counted for. */
  readonly maxItemsPerUser: number;
}

/**
 * How many values a person keeps, and the key that chooses them.
 *
 * @inline
 */
export interface BoundValuesOptions extends BoundKey {
  /** The most values that a person keeps, equal ones counted separately. */
  readonly maxValuesPerUser: number;
}

const KEY_BYTES = 32;
const VALUE_TYPES: readonly string[] = ["string", "number"];
export const encoder = /* @__PURE__ */ new TextEncoder();

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
    if (typeof user !== "string" || typeof item !== "string") throw invalidRow("an item, each a text");
    const items = itemsOf.get(user);
    if (items === undefined) itemsOf.set(user, new Set([item]));
    else items.add(item);
  }
  const key = read.key ?? withEntropy(read.entropy, drawKey);
  const counts = new Map<string, number>();
  for (const [user, items] of itemsOf)
    for (const item of keptItems(items, read.maxItemsPerUser, key, () => hashedPerson(user)))
      counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/**
 * How many times each value is kept, each person with at most `maxValuesPerUser` of their rows, chosen at random. A value that
 * someone has often is kept more often: equal values are separate rows. For `quantiles` with as many `maxValuesPerUser`.
 *
 * Which rows a person keeps is chosen by a keyed hash: by the person's own rows and the key alone. See
 * docs/mechanisms/quantile.md.
 *
 * @param rows A person and a value each, in any order; the same row twice counts twice. A number is the decimal that it prints as.
 * @param options How many values a person keeps.
 *
 * @example
 * ```ts
 * import { boundValues } from "winnow-dp";
 *
 * const rows = [["u1", 4], ["u1", 4], ["u1", 5], ["u2", 3]] as const;
 * const values = boundValues(rows, { maxValuesPerUser: 1 });
 * values.get(3); // → 1
 * [...values.values()].reduce((sum, count) => sum + count, 0); // → 2
 * ```
 */
export function boundValues<Value extends string | number>(
  rows: Iterable<ValueRow<Value>>,
  options: BoundValuesOptions,
): Map<Value, number> {
  const read = readOptions(options, { maxValuesPerUser: integer }, { key: secretKey, entropy: anEntropy });
  const valuesOf = new Map<string, Map<Value, number>>();
  for (const row of iterable("rows", rows)) {
    const user = row?.[0];
    const value = row?.[1];
    if (user === null || user === undefined || value === null || value === undefined) continue;
    if (typeof user !== "string" || !VALUE_TYPES.includes(typeof value))
      throw invalidRow("a value, a text and a text or a number");
    const values = valuesOf.get(user);
    if (values === undefined) valuesOf.set(user, new Map([[value, 1]]));
    else values.set(value, (values.get(value) ?? 0) + 1);
  }
  const key = read.key ?? withEntropy(read.entropy, drawKey);
  const counts = new Map<Value, number>();
  for (const [user, values] of valuesOf)
    for (const [value, copies] of keptValues(user, values, read.maxValuesPerUser, key))
      counts.set(value, (counts.get(value) ?? 0) + copies);
  return counts;
}

export function drawKey(entropy: Entropy): Uint8Array {
  return Uint8Array.from({ length: KEY_BYTES }, () => entropy.bits(8));
}

export function secretKey(field: string, value: Uint8Array): Uint8Array {
  if (!(value instanceof Uint8Array) || value.length !== KEY_BYTES)
    throw invalidParameter(field, `a Uint8Array of ${KEY_BYTES} bytes`, "another value"); // a key is secret
  return value.slice();
}

/** The refusal of a row, which says nothing about it. */
function invalidRow(other: string): WinnowError {
  return invalidData("rows", `pairs of a person and ${other} (or null, which is skipped)`);
}

/** The items with the smallest hashes of what comes before and the item; where hashes are equal, those whose bytes come first. */
export function keptItems(
  items: ReadonlySet<string>,
  most: number,
  key: Uint8Array,
  before: () => readonly Uint8Array[],
): Iterable<string> {
  if (items.size <= most) return items;
  const start = before();
  const hashed = Array.from(items, (item) => ({ item, hash: sha256(key, ...start, encoder.encode(item)) }));
  return hashed
    .sort((a, b) => byHash(a.hash, b.hash) || byBytes(a.item, b.item))
    .slice(0, most)
    .map(({ item }) => item);
}

/** How many copies of each value have the smallest hashes. One value, or few rows, need no choice. */
function keptValues<Value extends string | number>(
  user: string,
  values: ReadonlyMap<Value, number>,
  most: number,
  key: Uint8Array,
): Iterable<readonly [Value, number]> {
  let rows = 0;
  for (const copies of values.values()) rows += copies;
  if (rows <= most) return values;
  if (values.size === 1) return Array.from(values, ([value]) => [value, most] as const);
  const person = hashedPerson(user);
  const hashed: { readonly value: Value; readonly copy: number; readonly hash: Uint32Array }[] = [];
  for (const [value, copies] of values) {
    const written = encoder.encode(String(value));
    for (let copy = 1; copy <= copies; copy++)
      hashed.push({ value, copy, hash: sha256(key, ...person, encoder.encode(`${copy}:`), written) });
  }
  const first = (a: Value, b: Value) => byBytes(String(a), String(b));
  hashed.sort((a, b) => byHash(a.hash, b.hash) || first(a.value, b.value) || a.copy - b.copy);
  const kept = new Map<Value, number>();
  for (const { value } of hashed.slice(0, most)) kept.set(value, (kept.get(value) ?? 0) + 1);
  return kept;
}

/** A text so that no other text and what follows look alike. */
export function hashedPerson(user: string): readonly [length: Uint8Array, person: Uint8Array] {
  const person = encoder.encode(user);
  return [encoder.encode(`${person.length}:`), person];
}

export function byHash(a: Uint32Array, b: Uint32Array): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return 0;
}
