/**
 * Conditions on rows, and rows that are easily compared wrong: days that aren't in the calendar, numbers in other notations, signs
 * that patterns know, cases of other alphabets, and texts whose order depends on the encoding.
 * @module
 */
import type { Row } from "../servers/support/histograms.js";

const ITEMS = [
  ...[
    "2026-10-01",
    "2026-10-01 08:30:00",
    "2026-09-30T23:59:59Z",
    "2026-10-01x",
    "2026-10-1",
    "20261001",
    "2026-13-01",
  ],
  ...[
    "2026-02-29",
    "2024-02-29",
    "2000-02-29",
    "1900-02-29",
    "2026-04-31",
    "0000-01-01",
    "9999-12-31",
    " 2026-10-01",
    "x",
  ],
  ...[
    "7",
    "007",
    "7.0",
    "-7",
    "-0",
    "0.000000000000000001",
    "7e0",
    "+7",
    " 7",
    "7 ",
    "7.",
    ".7",
    "1234567890123456789",
  ],
  ...[
    "999999999999999999.999999999999999999",
    "-999999999999999999.999999999999999999",
    "٧",
    "NaN",
    "Infinity",
    "null",
    "NULL",
  ],
  ...[
    "DE",
    "de",
    "De ",
    "\tDE\t",
    "\u00a0DE",
    "İ",
    "ß",
    "ẞ",
    "É",
    "é",
    "100%",
    "100",
    "a_b",
    "a!b",
    "axb",
    "it's",
    "''",
    "%",
  ],
  ...["\ue000", "\u{1f600}", "\uffee", "z", "Z", "~", "back\\slash", "$1", "^$", "[0-9]", "true", "false"],
  "a".repeat(20_000), // for patterns that make an engine try all places
];

/** Every item with its own users, and rows that have none. */
export function conditionRows(): Row[] {
  const rows = ITEMS.flatMap((item, place): Row[] => [
    [`user ${place}`, item],
    [ITEMS[(place * 7) % ITEMS.length], item],
    [`user ${place % 5}`, item],
  ]);
  return [
    ...rows,
    ["", "x"],
    [undefined, "DE"],
    ["nobody", ""],
    ["nobody", undefined],
    [undefined, undefined],
  ];
}

/** What is counted in a row, in the columns user and item: one text each, or several. */
export const COMPUTED: readonly (readonly string[])[] = [
  ["lower(item)"],
  ["lower(trim(item))"],
  ["date_trunc('month', item)"],
  ["date_trunc('year', trim(item))"],
  ["date_trunc('day', item)"],
  ["item", "lower(item)"],
  ["trim(item)", "date_trunc('month', item)", "date_trunc('year', item)"],
];

/** What replaces items; most have nothing. */
export const ITEM_MAP: readonly (readonly [string, string])[] = [
  ["DE", "Germany's"],
  ["de", "Germany's"],
  ["de ", "\u{1f600}"],
  ["2026-10-01", "DE"],
  ["2026-01-01", "2026"],
  ["é", "É"],
  ["it's", "%"],
  ["İ", "I"],
  ["absent", "x"],
];

/** In the columns user and item. */
export const CONDITIONS = [
  "date(item) >= '2026-10-01'",
  "date(item) < '2026-10-01'",
  "date(item) <> date '2026-10-08' - 7",
  "date(trim(item)) = date '2026-09-01' + interval '1' month",
  "date(item) between '2000-01-01' and '2026-12-31' and not item like '%:%'",
  "not (date(item) > '1950-01-01')",
  "decimal(item) = 7",
  "decimal(item) <> 7",
  "decimal(item) > -0.000000000000000001 and decimal(item) < '0.1'",
  "decimal(trim(item)) in (7, -7, 999999999999999999.999999999999999999)",
  "decimal(item) not in (7, 0)",
  "lower(item) = 'de'",
  "lower(trim(item)) in ('de', 'é', '100%')",
  "item in ('DE', 'it''s', '''''', '%')",
  "item not in ('DE', 'x')",
  "item like '100%'",
  "item like '%e%'",
  "item not like '%0%0%'",
  "item like '%\u{1f600}%' or item like 'a!b' or item like ''",
  "item like '%a%a%a%b' or item like '%a%a%a%c%' or item like 'a%a%a%a'",
  "item > 'z'",
  "item <= 'DE'",
  "item is null",
  "item is not null and user is null",
  "not (item is null or user like 'user %') and (lower(user) >= 'a' or decimal(user) > 0)",
  "user = 'user 1' and item <> 'x' or user = 'DE'",
];
