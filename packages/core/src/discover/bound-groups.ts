/**
 * How many people have each item in each group, after each person was cut to at most g groups, and in each of them to at most m
 * items, by one keyed hash:
 *
 *     groups   SHA-256(key ‖ ⟨person⟩ ‖ "g" ‖ group)
 *     items    SHA-256(key ‖ ⟨person⟩ ‖ "i" ‖ ⟨group⟩ ‖ item)             ⟨x⟩ = length of x in bytes ‖ ":" ‖ x
 *
 * The smallest hashes are kept. What a person keeps depends on that person's own rows and the key alone. One key serves all groups of
 * a release: a key for each group would let a person into more than g of them.
 *
 * Cost: memory for the distinct rows; about 2 µs for each group and item of a person who has too many.
 * Proof: top-k-in-groups.proof.md, 3.
 * @module
 */

import { distinctNames } from "../accounting/in-groups.js";
import { anEntropy } from "../entropy.js";
import { invalidData } from "../errors.js";
import { integer, iterable, readOptions } from "../options.js";
import { withEntropy } from "../system-entropy.js";
import {
  type BoundKey,
  drawKey,
  encoder,
  hashedPerson,
  keptItems,
  secretKey,
} from "./bound-contributions.js";

/**
 * A person, a group and an item; a row without one of them is skipped.
 *
 * @inline
 */
export type GroupRow = readonly [
  user: string | null | undefined,
  group: string | null | undefined,
  item: string | null | undefined,
];

/**
 * Which groups and items count, how many of them a person keeps, and the key that chooses.
 *
 * @inline
 */
export type BoundGroupsOptions = BoundKey & {
  /** The public list of groups; rows of others are skipped. Default: all groups that rows have, which are then private. */
  readonly groups?: ArrayLike<string> | undefined;
  /** The public list of items; rows of others are skipped. Default: all items that rows have, which are then private. */
  readonly items?: ArrayLike<string> | undefined;
  /** The most groups that a person is counted in. */
  readonly maxGroupsPerUser: number;
  /** The most items that a person is counted for in each group. Default: all of them. */
  readonly maxItemsPerUser?: number | undefined;
};

const OPTIONS = {
  groups: distinctNames,
  items: distinctNames,
  maxItemsPerUser: integer,
  key: secretKey,
  entropy: anEntropy,
};

/**
 * How many people have each item in each group, each person counted in at most `maxGroupsPerUser` groups.
 *
 * @param rows A person, a group and an item each, in any order; the same row twice counts once.
 * @param options Which groups and items count, and how many of them a person keeps.
 * @returns By group, the count of each item: all listed groups in the order of the list, also empty ones.
 *
 * @example
 * ```ts
 * import { boundGroups } from "winnow-dp";
 *
 * const rows = [["u1", "DE", "Alster"], ["u1", "FR", "Seine"], ["u2", "DE", "Alster"]] as const;
 * const counts = boundGroups(rows, { groups: ["DE", "FR", "IT"], maxGroupsPerUser: 2 });
 * counts.get("DE")?.get("Alster"); // → 2
 * counts.get("IT")?.size; // → 0
 * ```
 */
export function boundGroups(
  rows: Iterable<GroupRow>,
  options: BoundGroupsOptions,
): Map<string, Map<string, number>> {
  const read = readOptions(options, { maxGroupsPerUser: integer }, OPTIONS);
  const listed = read.groups === undefined ? undefined : new Set(read.groups as readonly string[]);
  const items = read.items === undefined ? undefined : new Set(read.items as readonly string[]);
  const groupsOf = new Map<string, Map<string, Set<string>>>();
  for (const row of iterable("rows", rows)) {
    const [user, group, item] = [row?.[0], row?.[1], row?.[2]];
    if ([user, group, item].some((part) => part === null || part === undefined)) continue;
    if (typeof user !== "string" || typeof group !== "string" || typeof item !== "string")
      throw invalidData("rows", "a person, a group and an item, each a text (or null, which is skipped)");
    if (listed?.has(group) === false || items?.has(item) === false) continue;
    const groups = groupsOf.get(user) ?? new Map<string, Set<string>>();
    groupsOf.set(user, groups.set(group, (groups.get(group) ?? new Set()).add(item)));
  }
  const key = read.key ?? withEntropy(read.entropy, drawKey);
  const counts = new Map<string, Map<string, number>>([...(listed ?? [])].map((group) => [group, new Map()]));
  const text = (letter: string) => encoder.encode(letter);
  for (const [user, groups] of groupsOf) {
    const before = () => [...hashedPerson(user), text("g")];
    for (const group of keptItems(new Set(groups.keys()), read.maxGroupsPerUser, key, before)) {
      const within = () => [...hashedPerson(user), text("i"), ...hashedPerson(group)];
      const count = counts.get(group) ?? new Map<string, number>();
      counts.set(group, count);
      const held = groups.get(group) as ReadonlySet<string>;
      for (const item of keptItems(held, read.maxItemsPerUser ?? Infinity, key, within))
        count.set(item, (count.get(item) ?? 0) + 1);
    }
  }
  return counts;
}
