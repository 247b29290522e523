/**
 * The rows of a program as a source of counts: the program counts, and what it counted beyond what was wanted is left out here, as the
 * sources of the command line do it.
 * @module
 */
import { type CountedItems, columnsOf, NUMBER_PATTERN, type RowFacts } from "winnow-release";
import type { Batch, Candidates, HistogramRequest } from "../../cli/src/sources/source.js";

/** What the program counts. Keys are hexadecimal digits, secret, and fresh for each release but that of the panel. */
export interface Wanted {
  readonly candidates: Candidates;
  readonly itemsPerUser?: number | undefined;
  readonly key?: string | undefined;
  /** One or two columns and the cuts in them; absent if all rows are one group. */
  readonly groups?: WantedGroups | undefined;
  readonly where?: HistogramRequest["where"];
  readonly panel?: HistogramRequest["panel"];
  /** The items of a row, where they aren't one column as it is: then the item is a name for them. */
  readonly computed?: HistogramRequest["computed"];
  /** The columns beside the item's and the person's: those of the groups, then those of the condition, then those of the items. */
  readonly also: readonly string[];
}

type WantedGroups = Omit<NonNullable<HistogramRequest["groups"]>, "key"> & { readonly key: string };

/** Items with how many users each has; perhaps more than were wanted. */
export interface Counted {
  readonly items: readonly string[];
  readonly users: ArrayLike<number | bigint>;
  /** In groups: their texts, and how many of the items are those of each, in order. */
  readonly groups?: readonly string[] | undefined;
  readonly sizes?: readonly number[] | undefined;
  readonly facts?: RowFacts | undefined;
}

export class ProgramRows {
  readonly #count: (wanted: Wanted) => Counted;
  #facts: RowFacts = {};

  constructor(count: (wanted: Wanted) => Counted) {
    this.#count = count;
  }

  async *histogram(request: HistogramRequest): AsyncGenerator<Batch> {
    const { candidates, groups } = request;
    const counted = this.#count(wantedOf(request));
    this.#facts = factsOf(request, counted);
    if (groups === undefined || candidates.kind === "groups") yield delivered(candidates, counted);
    else yield* inGroups(candidates, counted);
  }

  /** Facts about the rows that were counted last, for the curator only. */
  get facts(): RowFacts {
    return this.#facts;
  }
}

function wantedOf({ candidates, bound, groups, where, panel, computed }: HistogramRequest): Wanted {
  const conditions = where === undefined ? [] : columnsOf(where);
  const made = (computed?.parts ?? []).map(({ column }) => column);
  return {
    ...{ candidates, where, panel, computed, also: [...(groups?.by ?? []), ...conditions, ...made] },
    ...(bound !== undefined && { itemsPerUser: bound.itemsPerUser, key: hexadecimal(bound.key) }),
    ...(groups !== undefined && { groups: { ...groups, key: hexadecimal(groups.key) } }),
  };
}

function hexadecimal(key: Uint8Array): string {
  return Buffer.from(key).toString("hex");
}

/** Items of each group that have users, those of a list among them. */
function* inGroups(candidates: Candidates, { items, users, groups = [], sizes = [] }: Counted) {
  const all = Array.from(users, Number);
  const listed = candidates.kind === "listed" ? new Set(candidates.items as Iterable<string>) : undefined;
  let from = 0;
  for (const [place, group] of groups.entries()) {
    const to = from + (sizes[place] ?? 0);
    const part = { items: items.slice(from, to), users: all.slice(from, to) };
    const batch =
      listed === undefined
        ? delivered(candidates, part)
        : kept(part, (item, many) => many > 0 && listed.has(item));
    if (batch.items.length > 0) yield { group, ...batch };
    from = to;
  }
}

const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,15})$/;
const IS_NUMBER = new RegExp(NUMBER_PATTERN);

/** Keeps the wanted part of the counts: the program may have counted more. */
export function delivered(
  wanted: Candidates,
  { items, users: given }: Pick<Counted, "items" | "users">,
): CountedItems {
  const users = Array.from(given, Number);
  switch (wanted.kind) {
    case "listed": {
      const counted = new Map(items.map((item, place) => [item, users[place]!]));
      const listed = [...new Set(wanted.items as Iterable<string>)];
      return { items: listed, users: listed.map((item) => counted.get(item) ?? 0) };
    }
    case "integers":
      return kept(
        { items, users },
        (item, many) => many > 0 && WHOLE_NUMBER.test(item) && BigInt(item) < BigInt(wanted.below),
      );
    case "numbers":
      return kept({ items, users }, (item, many) => many > 0 && IS_NUMBER.test(item));
    case "groups":
      return kept({ items, users }, (_, many) => many > 0);
    case "frequencies": {
      const many = new Map<number, number>();
      for (const each of users) if (each > 0) many.set(each, (many.get(each) ?? 0) + 1);
      return { items: [...many.keys()].map(String), users: [...many.values()] };
    }
    case "largest": {
      const places = users.flatMap((many, place) => (many > 0 ? [place] : []));
      places.sort((a, b) => users[b]! - users[a]! || Buffer.compare(bytesOf(items[a]!), bytesOf(items[b]!)));
      const first = places.slice(0, wanted.rows);
      return { items: first.map((place) => items[place]!), users: first.map((place) => users[place]!) };
    }
  }
}

function kept(
  { items, users }: CountedItems,
  isKept: (item: string, users: number) => boolean,
): CountedItems {
  const places = items.flatMap((item, place) => (isKept(item, users[place] ?? 0) ? [place] : []));
  return { items: places.map((place) => items[place]!), users: places.map((place) => users[place]!) };
}

/** How many values weren't numbers is known here where all rows are one group, the rest to the program. */
function factsOf({ candidates, groups }: HistogramRequest, { items, facts = {} }: Counted): RowFacts {
  if (candidates.kind !== "numbers" || groups !== undefined) return facts;
  return { ...facts, skippedValues: items.filter((item) => !IS_NUMBER.test(item)).length };
}

/** Names are compared as UTF-8. */
function bytesOf(item: string): Buffer {
  return Buffer.from(item, "utf8");
}
