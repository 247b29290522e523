/**
 * Neighbouring pairs for queries: many small data sets in one table, told apart by the first characters of their users, once
 * without and once with the rows of one more person in each, and a table of these persons alone. The persons write what makes
 * a cast, a product or a date fail.
 *
 * A query counts all pairs at once, so that a single row that fails would end the count of all. It treats each person's rows
 * on their own exactly if the counts of the second table are those of the first and the third together.
 * @module
 */
import { expect } from "vitest";
import { uniformBelow } from "winnow-dp/sample";
import { seededEntropy } from "winnow-dp/testing";
import type { Source } from "../../../../src/sources/source.js";

/** A user and an item. */
export type PairRow = readonly [string, string | undefined];

export interface QueryPairs {
  readonly pairs: number;
  readonly tables: Readonly<Record<"pairs_without" | "pairs_with" | "pairs_alone", readonly PairRow[]>>;
}

const PLAIN = ["1", "2", "3", "10", "tea", "Tea", "2026-01-31"];
const HOSTILE = [
  ...["n/a", "", " 1", "1 ", "0", "-0", "00", "1e400", "NaN", "inf", "1.5", "0x1F", "1_000", "+7", "١"],
  ...["9223372036854775807", "-9223372036854775808", "99999999999999999999", "4294967296"],
  ...["2026-02-30", "0000-00-00", "294277-01-01", "infinity", "now", "12:61"],
  ...[
    "'",
    '"',
    "\\",
    "%",
    "_",
    "a%b_c",
    "'; DROP TABLE pairs_with; --",
    "é",
    "e\u0301",
    "İ",
    "ß",
    "🦊",
    "\u202e",
    "x".repeat(300),
  ],
];
/** Digits that tell a pair. */
const DIGITS = 6;

export function queryPairs(pairs: number, seed: string): QueryPairs {
  const entropy = seededEntropy(seed);
  const pick = (texts: readonly string[]) => texts[uniformBelow(texts.length, entropy)];
  const rowsOf = (user: string, texts: readonly string[]): PairRow[] =>
    Array.from({ length: 1 + uniformBelow(3, entropy) }, () => [
      user,
      uniformBelow(20, entropy) === 0 ? undefined : pick(texts),
    ]);
  const [others, persons]: PairRow[][] = [[], []];
  for (let pair = 0; pair < pairs; pair++) {
    const prefix = String(pair).padStart(DIGITS, "0");
    for (let other = uniformBelow(3, entropy); other >= 0; other--)
      others.push(...rowsOf(`${prefix} person ${other}`, uniformBelow(4, entropy) === 0 ? HOSTILE : PLAIN));
    persons.push(...rowsOf(`${prefix} one more`, uniformBelow(8, entropy) === 0 ? PLAIN : HOSTILE));
  }
  const together = [...others, ...persons];
  return { pairs, tables: { pairs_without: others, pairs_with: together, pairs_alone: persons } };
}

/** Expressions over a text `item`, and conditions, in the SQL of an engine. */
export interface PairQueries {
  /** The first characters of the user. */
  readonly prefix: string;
  /** Texts. */
  readonly items: readonly string[];
  readonly conditions: readonly string[];
}

export const TRIED_QUERIES: PairQueries = {
  prefix: 'substr("user", 1, 6)',
  items: [
    "CAST(CAST(item AS integer) AS varchar)",
    "CAST(CAST(item AS bigint) * CAST(item AS bigint) AS varchar)",
    "CAST(7 / CAST(item AS bigint) AS varchar)",
    "CAST(CAST(item AS date) AS varchar)",
    "CASE WHEN CAST(item AS double) > 2 THEN 'more' ELSE item END",
  ],
  conditions: [
    "CAST(item AS bigint) % CAST(item AS bigint) = 0",
    "CAST(item AS decimal(5, 2)) < 100 OR item = 'tea'",
  ],
};

export const POSTGRES_PAIRS: PairQueries = {
  prefix: 'left("user", 6)',
  items: [
    "lower(item) || upper(item)",
    "CASE WHEN item LIKE 'n%' OR item LIKE '%\"%' THEN 'odd' ELSE item END",
    "coalesce(nullif(btrim(item), ''), 'none')",
    "substr(item, 2, 3) || CAST(length(item) AS text)",
    "greatest(item, 'm')",
  ],
  conditions: ["item > '1' AND length(item) < 9", "item NOT IN ('tea', 'n/a') OR item IS NULL"],
};

export const CLICKHOUSE_PAIRS: PairQueries = {
  prefix: "substring(user, 1, 6)",
  items: [
    "CAST(toInt32OrNull(item) AS String)",
    "CAST(toInt64OrNull(item) * toInt64OrNull(item) + 1 AS String)",
    "CAST(toFloat64OrNull(item) AS String)",
    "CAST(toYear(toDateOrNull(item)) AS String)",
    "if(item LIKE 'n%', 'odd', lowerUTF8(item))",
  ],
  conditions: ["toInt64OrNull(item) > 1", "length(item) < 9 AND item != 'tea'"],
};

type CountedSource = Pick<Source, "histogram" | "close">;

/** Counts the three tables with every expression and condition. */
export async function expectAdditive(
  { prefix, items, conditions }: PairQueries,
  { pairs }: QueryPairs,
  open: (query: string) => Promise<CountedSource>,
): Promise<void> {
  const wheres = ["", ...conditions.map((condition) => ` WHERE ${condition}`)];
  const asked = [
    ...items.map((item): [string, string] => [item, ""]),
    ...wheres.map((where): [string, string] => ["item", where]),
    [items[1], wheres[1]] as const,
  ];
  for (const [item, where] of asked) {
    const count = (table: string) =>
      countAll(open, `SELECT "user", ${prefix} || ':' || ${item} AS item FROM ${table}${where}`);
    const [without, together, alone] = [
      await count("pairs_without"),
      await count("pairs_with"),
      await count("pairs_alone"),
    ];
    const expected = new Map(without);
    for (const [name, users] of alone) expected.set(name, (expected.get(name) ?? 0) + users);
    expect(together, `${item}${where}`).toEqual(expected);
    expect(Math.max(...alone.values()), item).toBe(1);
    // A query that no one's rows change would show nothing.
    const changed = new Set([...alone.keys()].map((name) => name.slice(0, DIGITS)));
    expect(changed.size / pairs, `${item}${where}`).toBeGreaterThan(0.02);
  }
}

async function countAll(
  open: (query: string) => Promise<CountedSource>,
  query: string,
): Promise<Map<string, number>> {
  const source = await open(query);
  const counts = new Map<string, number>();
  const candidates = { kind: "largest", rows: 10_000_000 } as const;
  try {
    for await (const { items, users } of source.histogram({ item: "item", user: "user", candidates }))
      for (const [i, item] of items.entries()) counts.set(item, users[i]);
    return counts;
  } finally {
    await source.close();
  }
}
