/**
 * The rows of a file in groups, such as countries: who has which item in which group. A release draws one key, which chooses the groups
 * of each person and the items within them, so that the groups that are selected and those that are answered are the same people's.
 *
 * A plan shows what one group gets, the middle one by size, because a plan of all groups would be as long as the answer.
 * @module
 */
import { boundGroups } from "winnow-dp";
import type { GroupedRows } from "winnow-release";
import { UserCounter } from "../reading/user-counter.js";

export interface GroupLimits {
  /** The public list of groups; without one, all that rows have. */
  readonly groups?: readonly string[] | undefined;
  /** The public list of items; without one, all that rows have. */
  readonly items?: readonly string[] | undefined;
  readonly maxGroupsPerUser: number;
  readonly maxItemsPerUser?: number | undefined;
}

/** For the curator's eyes only. */
export interface MiddleGroup {
  readonly name: string;
  readonly users: readonly number[];
  /** The counts of the same items after people were cut to `maxItemsPerUser`. */
  readonly bounded?: readonly number[];
  /** The share of the rows in groups that is counted. */
  readonly kept: number;
}

type Row = readonly [user: string, group: string, item: string];

export class GroupedCounter {
  /** A group and an item are one text: the group has its length before it. */
  readonly #counter = new UserCounter();
  readonly #groups = new Set<string>();
  /** For plans only; each release has a new one. */
  readonly #key = newKey();
  #middle: { readonly limits: string; readonly found: MiddleGroup | undefined } | undefined;

  /** One row; one without a group counts for nothing. */
  add(item: string, user: string, group: string): void {
    if (item === "" || user === "" || group === "") return;
    this.#groups.add(group);
    this.#counter.add(`${group.length}:${group}${item}`, user);
  }

  get groups(): number {
    return this.#groups.size;
  }

  /** How many groups of a list have people. */
  matched(list: readonly string[]): number {
    return list.filter((group) => this.#groups.has(group)).length;
  }

  /** For one release. */
  rows(limits: GroupLimits): GroupedRows {
    const { groups, items } = limits;
    const options = { ...limits, key: newKey() };
    const counts = boundGroups(this.#rows(items), options);
    const everyone = () =>
      boundGroups(this.#rows(items, ANY_ITEM), { ...options, items: undefined, maxItemsPerUser: undefined });
    return {
      ...(groups && { listed: groups.map((group) => [group]) }),
      ...(items && { items }),
      people: () => [
        countedItems(new Map([...everyone()].map(([group, all]) => [group, all.get(ANY_ITEM) ?? 0]))),
      ],
      counts: async function* (only) {
        const wanted = only && new Set(only);
        for (const [group, found] of counts)
          if (wanted?.has(group) !== false) yield { group, ...countedItems(found) };
      },
    };
  }

  /** The group that half of the others are larger than; undefined where no group has people. */
  middle(limits: GroupLimits): MiddleGroup | undefined {
    const key = JSON.stringify(limits);
    if (this.#middle?.limits !== key) this.#middle = { limits: key, found: this.#middleOf(limits) };
    return this.#middle.found;
  }

  #middleOf({ maxItemsPerUser, ...limits }: GroupLimits): MiddleGroup | undefined {
    const options = { ...limits, key: this.#key };
    const counts = boundGroups(this.#rows(limits.items), options);
    const bySize = [...counts]
      .map(([name, items]) => ({ name, items, size: sum(items.values()) }))
      .filter(({ size }) => size > 0)
      .sort((a, b) => a.size - b.size);
    const middle = bySize[Math.floor(bySize.length / 2)];
    if (middle === undefined) return undefined;
    const { name, items } = middle;
    const all = sum(
      boundGroups(this.#rows(limits.items), { ...options, maxGroupsPerUser: MOST }).values(),
      (group) => sum(group.values()),
    );
    const cut =
      maxItemsPerUser === undefined
        ? undefined
        : boundGroups(this.#rows(limits.items), { ...options, maxItemsPerUser }).get(name);
    return {
      ...{ name, users: [...items.values()] },
      ...(cut && { bounded: [...items.keys()].map((item) => cut.get(item) ?? 0) }),
      kept: sum(bySize.map(({ size }) => size)) / Math.max(all, 1),
    };
  }

  /** Each person, group and item once; with one item in place of all, each person and group. */
  *#rows(items: readonly string[] | undefined, instead?: string): Generator<Row, void> {
    const listed = items && new Set(items);
    for (const [user, text] of this.#counter.pairs()) {
      const colon = text.indexOf(":");
      const end = colon + 1 + Number(text.slice(0, colon));
      const item = text.slice(end);
      if (listed?.has(item) !== false) yield [user, text.slice(colon + 1, end), instead ?? item];
    }
  }
}

const ANY_ITEM = "any";
/** Beyond the groups that anyone is in. */
const MOST = 1_000_000;

function newKey(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(32));
}

function countedItems(counts: ReadonlyMap<string, number>) {
  return { items: [...counts.keys()], users: [...counts.values()] };
}

function sum<Each = number>(all: Iterable<Each>, sizeOf: (each: Each) => number = Number): number {
  let total = 0;
  for (const each of all) total += sizeOf(each);
  return total;
}
