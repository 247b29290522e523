/**
 * The rows of a file in groups, such as countries: who has which item in which group. A release draws one key, which chooses the groups
 * of each person and the items within them, so that the groups that are selected and those that are answered are the same people's.
 *
 * A plan shows what one group gets, the middle one by size, because a plan of all groups would be as long as the answer.
 * @module
 */
import { boundGroups } from "winnow-dp";
import { type GroupedRows, groupOfText, type NumberStyle, plainNumber } from "winnow-release";
import { UserCounter } from "../reading/user-counter.js";

export interface GroupLimits {
  /** The public list of groups; without one, all that rows have. */
  readonly groups?: readonly string[] | undefined;
  /** The public list of items; without one, all that rows have. */
  readonly items?: readonly string[] | undefined;
  readonly maxGroupsPerUser: number;
  readonly maxItemsPerUser?: number | undefined;
  /** How many columns a group is made of. Default: one. */
  readonly columns?: number | undefined;
  /** How numbers are written, where only numbers count; then a value counts as often as rows say it. */
  readonly numbers?: NumberStyle | undefined;
}

/** For the curator's eyes only. */
export interface MiddleGroup {
  /** The text of the group. */
  readonly name: string;
  readonly items: readonly string[];
  readonly users: readonly number[];
  /** The counts of the same items after people were cut to `maxItemsPerUser`. */
  readonly bounded?: readonly number[];
  /** The share of the rows in groups that is counted. */
  readonly kept: number;
  /** How many there would be in this group without any limit. */
  readonly all: number;
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
    const { groups, items, columns = 1 } = limits;
    const key = newKey();
    const counts = this.#bounded(limits, key);
    const everyone = () =>
      boundGroups(this.#rows(limits, ANY_ITEM), {
        ...{ groups, maxGroupsPerUser: limits.maxGroupsPerUser, key },
      });
    return {
      ...(groups && { listed: groups.map((group) => groupOfText(group, columns) ?? [group]) }),
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

  /** The counts of each group; those of numbers by their values. */
  #bounded(limits: GroupLimits, key: Uint8Array): Map<string, Map<string, number>> {
    const { groups, maxGroupsPerUser, maxItemsPerUser } = limits;
    const counts = boundGroups(this.#rows(limits), { groups, maxGroupsPerUser, maxItemsPerUser, key });
    if (limits.numbers === undefined) return counts;
    return new Map([...counts].map(([group, copies]) => [group, byValue(copies)]));
  }

  #middleOf({ maxItemsPerUser, ...limits }: GroupLimits): MiddleGroup | undefined {
    const counts = this.#bounded(limits, this.#key);
    const bySize = [...counts]
      .map(([name, items]) => ({ name, items, size: sum(items.values()) }))
      .filter(({ size }) => size > 0)
      .sort((a, b) => a.size - b.size);
    const middle = bySize[Math.floor(bySize.length / 2)];
    if (middle === undefined) return undefined;
    const { name, items } = middle;
    const uncut = this.#bounded({ ...limits, maxGroupsPerUser: MOST }, this.#key);
    const all = sum(uncut.values(), (group) => sum(group.values()));
    const cut =
      maxItemsPerUser === undefined
        ? undefined
        : this.#bounded({ ...limits, maxItemsPerUser }, this.#key).get(name);
    return {
      ...{ name, items: [...items.keys()], users: [...items.values()] },
      ...(cut && { bounded: [...items.keys()].map((item) => cut.get(item) ?? 0) }),
      kept: sum(bySize.map(({ size }) => size)) / Math.max(all, 1),
      all: sum(uncut.get(name)?.values() ?? []),
    };
  }

  /**
   * Each person, group and item once; with one item in place of all, each person and group. Of numbers each row, as its value with the
   * number of the copy before it, which is how equal values of a person are told apart.
   */
  *#rows({ items, numbers }: GroupLimits, instead?: string): Generator<Row, void> {
    const listed = items && new Set(items);
    if (numbers !== undefined) return yield* this.#values(numbers, instead);
    for (const [user, text] of this.#counter.pairs()) {
      const [group, item] = partsOf(text);
      if (listed?.has(item) !== false) yield [user, group, instead ?? item];
    }
  }

  *#values(style: NumberStyle, instead?: string): Generator<Row, void> {
    const copies = new Map<string, number>();
    const isNumber = (text: string) => plainNumber(partsOf(text)[1], style) !== undefined;
    for (const [user, text] of this.#counter.rows(isNumber)) {
      const [group, item] = partsOf(text);
      const value = plainNumber(item, style)!;
      const which = JSON.stringify([user, group, value]);
      const copy = (copies.get(which) ?? 0) + 1;
      copies.set(which, copy);
      yield [user, group, instead ?? `${copy}:${value}`];
    }
  }
}

function partsOf(text: string): readonly [group: string, item: string] {
  const colon = text.indexOf(":");
  const end = colon + 1 + Number(text.slice(0, colon));
  return [text.slice(colon + 1, end), text.slice(end)];
}

/** How often each value is kept, whichever copies of it. */
function byValue(copies: ReadonlyMap<string, number>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [text, users] of copies) {
    const value = text.slice(text.indexOf(":") + 1);
    counts.set(value, (counts.get(value) ?? 0) + users);
  }
  return counts;
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
