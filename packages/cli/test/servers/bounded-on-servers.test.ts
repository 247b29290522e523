import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededEntropy } from "winnow-dp/testing";
import { candidatesWanted, readQuestion, select } from "winnow-release";
import { type ClickhouseServer, startCluster } from "../../../../bench/src/scale/clickhouse-cluster.js";
import { PostgresServer } from "../../../../bench/src/scale/postgres-server.js";
import { openSource } from "../../src/sources/open-source.js";
import type { Candidates, ContributionBound, Source } from "../../src/sources/source.js";
import {
  BOUNDS,
  boundedHere,
  byCountAndBytes,
  crowdedRows,
  NAMES_BY_BYTES,
  NUMBERS,
  numericRows,
  type Pair,
  shuffledRows,
} from "../support/bounded-rows.js";
import { collect, countHere, sorted } from "./support/histograms.js";
import { describeOnBoth } from "./support/installed.js";
import { loadCluster, loadPostgres } from "./support/load.js";

const ROLES = { item: "item", user: "user" };

describeOnBoth("In a file, in PostgreSQL and on either shard of a ClickHouse cluster", () => {
  const crowded = crowdedRows();
  const newcomer = NAMES_BY_BYTES.map((item): Pair => ["one more", item]);
  const tables = {
    crowded,
    shuffled: shuffledRows(crowded),
    numeric: shuffledRows(numericRows()),
    more: shuffledRows([...crowded, ...newcomer]),
    tied: NAMES_BY_BYTES.flatMap((item, i): Pair[] =>
      i % 4 === 0
        ? [
            ["u", item],
            ["v", item],
          ]
        : [["u", item]],
    ),
  };
  const file = (table: string) => join(tmpdir(), `winnow-bounded-${process.pid}-${table}.csv`);
  let postgres: PostgresServer;
  let shards: ClickhouseServer[] = [];

  beforeAll(async () => {
    [postgres, shards] = await Promise.all([PostgresServer.start(), startCluster()]);
    const field = (text: string) => `"${text.replaceAll('"', '""')}"`;
    for (const [table, rows] of Object.entries(tables)) {
      const lines = rows.map(([user, item]) => `${field(user)},${field(item)}`);
      await writeFile(file(table), ["user,item", ...lines, ""].join("\n"));
      await loadPostgres(postgres, rows, table);
      await loadCluster(shards, rows, table);
    }
  });

  afterAll(async () => {
    await Promise.allSettled([postgres?.stop(), ...shards.map((shard) => shard.stop())]);
    await Promise.all(Object.keys(tables).map((table) => rm(file(table), { force: true })));
  });

  const openers: Readonly<Record<string, (table: string) => Promise<Source>>> = {
    DuckDB: (table) => openSource(file(table)),
    PostgreSQL: (table) => openSource(postgres.url(), { table }),
    ClickHouse: (table) => openSource(shards[0].url(), { table }),
    "ClickHouse for a read-only account": (table) => openSource(shards[1].url({ user: "reader" }), { table }),
  };

  describe.each(Object.keys(openers))("%s", (engine) => {
    const withTable = async <T>(table: string, ask: (source: Source) => Promise<T>): Promise<T> => {
      const source = await openers[engine](table);
      return ask(source).finally(() => source.close());
    };
    const bounded = (table: string, bound: ContributionBound, candidates: Candidates) =>
      withTable(table, (source) => collect(source, candidates, ROLES, bound));
    const everything: Candidates = { kind: "largest", rows: 10_000 };

    it.each(["crowded", "shuffled", "more"] as const)(
      "keeps exactly the items that the library keeps: %s",
      async (table) => {
        for (const bound of BOUNDS)
          expect(await bounded(table, bound, everything)).toEqual(boundedHere(tables[table], bound));
      },
    );

    it("counts the numbers alone, and words take none of a person's places", async () => {
      const numbers = tables.numeric.filter(([, item]) => NUMBERS.includes(item));
      for (const bound of BOUNDS)
        expect(sorted(await bounded("numeric", bound, { kind: "numbers" }))).toEqual(
          sorted(boundedHere(numbers, bound)),
        );
    });

    it.each(["quantile", "frequencies"] as const)(
      "has the same answer for the same bits: %s",
      async (kind) => {
        const grid = { kind: "grid", lower: -20, upper: 2000 } as const;
        const asked = { kind, epsilon: 2, maxItemsPerUser: 4, unit: "one person" };
        const question = readQuestion(
          kind === "quantile"
            ? { ...asked, domain: grid, quantiles: ["1/2", "9/10"] }
            : { ...asked, domain: { kind: "unknown" } },
        );
        const [, bound] = BOUNDS;
        const numbers = tables.numeric.filter(([, item]) => NUMBERS.includes(item));
        const kept = boundedHere(kind === "quantile" ? numbers : tables.numeric, bound);
        const here =
          kind === "quantile"
            ? { items: kept.map(([item]) => item), users: kept.map(([, users]) => users) }
            : { items: kept.map(([, users]) => `${users}`), users: kept.map(() => 1) };
        const candidates = candidatesWanted(question) as Candidates;
        const answer = await withTable("numeric", (source) =>
          select(question, source.histogram({ ...ROLES, candidates, bound }), {
            entropy: seededEntropy("bits"),
          }),
        );
        expect(answer).toEqual(await select(question, [here], { entropy: seededEntropy("bits") }));
      },
    );

    it.each([
      ["all their items", undefined],
      ["some items", BOUNDS[1]],
    ])("tells how many items have how many people, who count for %s", async (_, bound) => {
      const counts = bound === undefined ? countHere(tables.more) : boundedHere(tables.more, bound);
      const expected = new Map<string, number>();
      for (const [, users] of counts) expected.set(`${users}`, (expected.get(`${users}`) ?? 0) + 1);
      const told = await withTable("more", (source) =>
        collect(source, { kind: "frequencies" }, ROLES, bound),
      );
      expect(sorted(told)).toEqual(sorted([...expected]));
    });

    it("keeps the items of everybody else when a person comes in", async () => {
      const [, bound] = BOUNDS;
      const before = new Map(await bounded("shuffled", bound, everything));
      const after = new Map(await bounded("more", bound, everything));
      const moved = [...after].filter(([item, users]) => users !== (before.get(item) ?? 0));
      expect(sorted(moved.map(([item, users]) => [item, users - (before.get(item) ?? 0)]))).toEqual(
        sorted(boundedHere(newcomer, bound)),
      );
    });

    it("keeps the same items whatever the candidates are", async () => {
      const [, bound] = BOUNDS;
      const all = new Map(boundedHere(crowded, bound));
      const items = [...NAMES_BY_BYTES, "absent"];
      const expected = sorted(items.map((item) => [item, all.get(item) ?? 0]));
      const short: Candidates = { kind: "listed", items };
      expect(sorted(await bounded("crowded", bound, short))).toEqual(expected);
      const long: Candidates = { kind: "listed", items: [...items, "x".repeat(1 << 20)] };
      const counted = await bounded("crowded", bound, long);
      expect(sorted(counted.filter(([item]) => item.length < 9999))).toEqual(expected);
    });

    it("gives the first rows by count and bytes, and no row more leaves it", async () => {
      const order = byCountAndBytes(countHere(tables.tied));
      expect(order.filter(([, users]) => users === 1).map(([item]) => item)).toEqual(
        NAMES_BY_BYTES.filter((_, i) => i % 4 > 0),
      );
      await withTable("tied", async (source) => {
        for (let rows = 1; rows <= order.length + 1; rows++) {
          expect(await collect(source, { kind: "largest", rows })).toEqual(order.slice(0, rows));
          expect(source.rowsDelivered()).toBe(Math.min(rows, order.length));
        }
        await collect(source, { kind: "largest", rows: 7 }, ROLES, BOUNDS[2]);
        expect(source.rowsDelivered()).toBe(7);
      });
    });
  });

  it("one person who is written in several ways is bounded as one, whatever comes first, in PostgreSQL", async () => {
    const rows = ["(1, 'a')", "(1.00, 'b')", "(1.0, 'c')", "(2.0, 'a')"];
    const [bound] = BOUNDS;
    const expected = boundedHere(
      [
        ["1", "a"],
        ["1", "b"],
        ["1", "c"],
        ["2.0", "a"],
      ],
      bound,
    );
    for (const values of [rows, [...rows].reverse()]) {
      const query = `SELECT * FROM (VALUES ${values.join(", ")}) AS rows ("user", item)`;
      const source = await openSource(postgres.url(), { query });
      expect(await collect(source, { kind: "largest", rows: 9 }, ROLES, bound)).toEqual(expected);
    }
  });

  it.each([
    [
      "PostgreSQL",
      (query: string) => openSource(postgres.url(), { query }),
      "now()::date AS item, 'u'::text",
    ],
    ["ClickHouse", (query: string) => openSource(shards[0].url(), { query }), "today() AS item, 'u'"],
  ])("a column whose type has no numbers is refused: %s", async (_, open, columns) => {
    const source = await open(`SELECT ${columns} AS "user"`);
    const asked = collect(source, { kind: "numbers" }, ROLES, BOUNDS[0]).finally(() => source.close());
    await expect(asked).rejects.toThrow(/The column "item" must hold numbers, .* type is [dD]ate/);
  });

  it("a column's collation moves no tie, in PostgreSQL", async () => {
    const query = `SELECT "user" COLLATE "en-x-icu" AS "user", item COLLATE "en-x-icu" AS item FROM tied`;
    const source = await openSource(postgres.url(), { query });
    const order = byCountAndBytes(countHere(tables.tied));
    expect(await collect(source, { kind: "largest", rows: 12 })).toEqual(order.slice(0, 12));
    expect(await collect(source, { kind: "largest", rows: 12 }, ROLES, BOUNDS[2])).toEqual(
      order.slice(0, 12),
    );
  });
});
