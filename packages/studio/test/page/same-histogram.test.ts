/**
 * The page and the command line count the same file to the same histogram, however hostile its rows are. They share the
 * rules of a line, but not the engine: one is JavaScript in a browser, the other SQL in DuckDB.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Predicate, readPredicate } from "winnow-release";
import type { PrivateView } from "../../src/worker/api.js";
import { asFile, callWorker, IGNORED } from "../support/call-worker.js";
import { csvField, HOSTILE_NAMES } from "../support/hostile-names.js";
import { studioBrowser } from "../support/studio-browser.js";

const studio = studioBrowser();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "winnow-histogram-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Users that a reader might take for one another, and lines that it might read past their end. */
const USERS = [
  "u1",
  "U1",
  "u1 ",
  " u1",
  "17",
  "17.0",
  "1.7e1",
  "9007199254740993",
  "9007199254740992",
  "é",
  "e\u0301",
  "",
];
const ITEMS = [...HOSTILE_NAMES.filter((_, place) => place % 5 === 0), "a", "A", ""];
const PAIRS = ITEMS.flatMap((item, place) =>
  USERS.slice(0, 1 + (place % USERS.length)).map((user) => ({ item, user })),
);

const CSV = Buffer.concat([
  Buffer.from("\uFEFFwhen,user,item\r\n"),
  ...PAIRS.map(({ user, item }, row) =>
    Buffer.from(`${row},${csvField(user)},${csvField(item)}${["\n", "\r\n", "\r"][row % 3]}`),
  ),
  Buffer.from('1,"u1,a\n2,u2,a"\n3,u3"x,a\n4,u4,"a"x\n5,u5\n6,u6,a,a\n\n\n"7","u7","a""b"\n8,u8,\0a\n'),
  Buffer.from([0x39, 0x2c, 0xff, 0x2c, 0x61, 0x0a]), // no UTF-8
  Buffer.from(`10,u10,${"x".repeat(1_048_576)}\n11,u11,a`),
]);

const JSON_LINES = Buffer.from(
  [
    ...PAIRS.map(({ user, item }) => JSON.stringify({ user, item })),
    '{"user":17,"item":"a"}',
    '{"user":17.0,"item":"a"}',
    '{"user":12345678901234567890,"item":"a"}',
    '{"user":"u","item":{"x":1}}',
    '{"user":"u","user":"v","item":"a"}',
    '{"item":"a"}',
    '{"user":null,"item":"a"}',
    '{"user":true,"item":"a"}',
    '["u","a"]',
    '{"user":"u","item":"a"',
    "",
    "not JSON",
  ].join("\n"),
);

const PARQUET = Buffer.from(
  parquetWriteBuffer({
    columnData: [
      { name: "user", data: PAIRS.map(({ user }) => (user === "" ? null : user)), type: "STRING" },
      { name: "item", data: PAIRS.map(({ item }) => item), type: "STRING" },
    ],
    rowGroupSize: 100,
  }),
);

it.each([
  ["rows.csv", CSV, 8],
  ["rows.csv.gz", gzipSync(CSV), 8],
  ["rows.ndjson", JSON_LINES, 4],
  ["rows.parquet", PARQUET, 0],
])("%s", async (name, content, skipped) => {
  const page = await studio.visit();
  await callWorker(page, "open", asFile(name, content));
  const view = await callWorker<PrivateView>(page, "count", { item: "item", user: "user" }, IGNORED);
  const inPage = Object.fromEntries(view.top.map(({ item, users }) => [item, users]));
  const path = join(folder, name);
  await writeFile(path, content);
  const counts = await countByCommandLine(path);
  expect(Object.keys(counts).length).toBeGreaterThan(30);
  expect(inPage).toEqual(counts);
  expect(view.skipped).toBe(skipped);
});

/** Days and prices that are ones, and texts that look like them. */
const DAYS = ["2026-10-01", "2026-10-31T23:59", "2026-10-1", "2026-02-29", "2024-02-29 x", "20261001", ""];
const PRICES = ["12.50", "-3", "007", "1e3", "12,5", "+1", "999999999999999999.999999999999999999", ""];
const WORDS = ["DE", "de", " DE ", "D%", "é", "e\u0301", "\u{1f600}", "\ufb00", "O'Hara", ""];
const FITTING = Buffer.from(
  [
    "user,item,day,price,word",
    ...DAYS.flatMap((day, d) =>
      PRICES.flatMap((price, p) =>
        WORDS.map((word, w) => `u${d}${p}${w},${"abc"[(d + p + w) % 3]},${day},"${price}",${csvField(word)}`),
      ),
    ),
    "u,a,2026-10-01", // not a row
  ].join("\n"),
);
const CONDITIONS = [
  "date(day) >= '2026-10-01'",
  "not date(day) < '2026-10-01'",
  "date(day) = '2026-09-30' + 1 or word is null",
  "decimal(price) between -3 and 12.5",
  "decimal(price) not in (7, 12.5) and price is not null",
  "word <> 'DE'",
  "lower(trim(word)) = 'de'",
  "word like 'D%' and not (word like '%''%')",
  "word > 'DE'",
  "word in ('é', '\u{1f600}', 'O''Hara')",
];

it("rows that fit a condition are the same ones", async () => {
  const page = await studio.visit();
  await callWorker(page, "open", asFile("fitting.csv", FITTING));
  const path = join(folder, "fitting.csv");
  await writeFile(path, FITTING);
  const found: Record<string, number>[] = [];
  for (const where of CONDITIONS) {
    const columns = { item: "item", user: "user", where };
    const view = await callWorker<PrivateView>(page, "count", columns, IGNORED);
    const inPage = Object.fromEntries(view.top.map(({ item, users }) => [item, users]));
    expect(inPage, where).toEqual(await countByCommandLine(path, readPredicate(where)));
    found.push(inPage);
  }
  expect(new Set(found.map((counts) => JSON.stringify(counts))).size).toBe(CONDITIONS.length); // no condition says nothing
});

it.each([
  ["rows.csv", CSV],
  ["rows.ndjson", JSON_LINES],
  ["rows.parquet", PARQUET],
])("rows of hostile names that fit are the same ones: %s", async (name, content) => {
  const page = await studio.visit();
  await callWorker(page, "open", asFile(name, content));
  const path = join(folder, `fitting-${name}`);
  await writeFile(path, content);
  for (const where of [
    "item > 'M' and user <> 'u1'",
    "lower(user) = 'u1' or decimal(user) = 17",
    "not item like '%<%'",
  ]) {
    const view = await callWorker<PrivateView>(page, "count", { item: "item", user: "user", where }, IGNORED);
    const inPage = Object.fromEntries(view.top.map(({ item, users }) => [item, users]));
    expect(inPage, where).toEqual(await countByCommandLine(path, readPredicate(where)));
    expect(view.fitting).toBeGreaterThan(0);
  }
});

interface CommandLineSource {
  histogram(request: object): AsyncIterable<{ items: string[]; users: number[] }>;
  close(): Promise<void>;
}

async function countByCommandLine(path: string, where?: Predicate): Promise<Record<string, number>> {
  const module = new URL("../../../cli/dist/sources/open-source.js", import.meta.url).href;
  const { openSource } = await import(/* @vite-ignore */ module);
  const source: CommandLineSource = await openSource(path);
  try {
    const counts: Record<string, number> = {};
    const candidates = { kind: "largest", rows: 1000 };
    for await (const { items, users } of source.histogram({
      ...{ item: "item", user: "user", candidates, where },
    }))
      for (const [place, item] of items.entries()) counts[item] = users[place]!;
    return counts;
  } finally {
    await source.close();
  }
}
