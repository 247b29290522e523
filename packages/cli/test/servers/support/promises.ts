/**
 * What every source promises, as tests that all of them pass (docs/guide/sources.md): `countsAlike` for whatever has rows, and
 * `keepsPromises` for a server. What is right is computed here from the same rows, never taken from another engine.
 * @module
 */
import { beforeAll, describe, expect, it } from "vitest";
import { seededEntropy } from "winnow-dp/testing";
import {
  candidatesWanted,
  fits,
  listedDomain,
  type QuestionInput,
  readItems,
  readPredicate,
  readQuestion,
  select,
} from "winnow-release";
import { amount } from "../../../../core/test/support/amount.js";
import { itemOf } from "../../../../release/src/question/items.js";
import { openSource, readPublicTable } from "../../../src/sources/open-source.js";
import type { Candidates, ContributionBound, Source } from "../../../src/sources/source.js";
import { expectAdditive, type PairQueries, queryPairs } from "../../sources/query/support/query-pairs.js";
import {
  BOUNDS,
  boundedHere,
  boundedValuesHere,
  byCountAndBytes,
  crowdedRows,
  NAMES_BY_BYTES,
  NUMBERS,
  numericRows,
  type Pair,
  shuffledRows,
} from "../../support/bounded-rows.js";
import { COMPUTED, CONDITIONS, conditionRows, ITEM_MAP } from "../../support/condition-rows.js";
import { winnowHere } from "../../support/in-process.js";
import { folder } from "../../support/winnow.js";
import { BreakingProxy } from "./breaking-proxy.js";
import { collect, countHere, type Row, sorted, TRICKY, trickyRows } from "./histograms.js";
import { expectRefusal } from "./refusals.js";

/** Candidates that have rows, others that have none, some twice, and rows that name none. */
const LISTED = [...TRICKY.slice(0, 20), "absent", "absent too"];
const crowded = crowdedRows();
const newcomer = NAMES_BY_BYTES.map((item): Pair => ["one more", item]);
const numeric = shuffledRows(numericRows());
const more = shuffledRows([...crowded, ...newcomer]);
/** Every fourth name has two users, the others have one. */
const tied = NAMES_BY_BYTES.flatMap((item, i) =>
  (i % 4 === 0 ? ["u", "v"] : ["u"]).map((user): Pair => [user, item]),
);

/** The tables that a source must have, with the columns user and item. */
export const TABLES: Readonly<Record<string, readonly Row[]>> = {
  visits: trickyRows(),
  names: [...LISTED.map((item): Row => ["x", item]), ["y", "a"], ["y", ""], ["y", undefined]],
  crowded,
  more,
  numeric,
  tied,
  conditions: conditionRows(),
};

export interface ServerUnderTest {
  readonly name: string;
  /** Of an account that may read. */
  url(): string;
  /** The same with a password that is wrong. */
  refusedUrl(): string;
  port(): number;
  load(rows: readonly Row[], table: string): Promise<void>;
  /** How many counts of ours run in it now. */
  running(): Promise<number>;
  /** In its SQL, with the columns user and item: a day's work, an error in a row of `visits`, a write to it, days as items. */
  readonly queries: Readonly<Record<"endless" | "failing" | "writing" | "days", string>>;
  /** Queries that need no trust, over texts that make others fail. */
  readonly pairs: PairQueries;
}

const ROLES = { item: "item", user: "user" };
const PAIRS = queryPairs(amount(60, 10_000), "queries on neighbours");
const LARGEST = { kind: "largest", rows: 10 } as const;
/** As long as it takes on a busy machine. */
const PATIENT = { timeout: 120_000, interval: 50 };

export function countsAlike(open: (table: string) => Promise<Source>): void {
  const withTable = async <T>(table: string, ask: (source: Source) => Promise<T>): Promise<T> => {
    const source = await open(table);
    return ask(source).finally(() => source.close());
  };
  const count = (table: string, candidates: Candidates, bound?: ContributionBound) =>
    withTable(table, (source) => collect(source, candidates, ROLES, bound));
  const expected = countHere(TABLES.visits);
  const usersOf = (items: readonly string[]) =>
    sorted(items.map((item): [string, number] => [item, expected.get(item) ?? 0]));

  it("has the columns of the table", async () => {
    expect(await withTable("visits", async ({ columns }) => columns)).toEqual(["user", "item"]);
  });

  it("counts exactly for a list with names that have no row, short or long, each name once", async () => {
    const listed = [...TRICKY, "absent", "it''s", "tab\\there"];
    expect(usersOf(listed).filter(([, users]) => users > 0)).toHaveLength(TRICKY.length);
    await withTable("visits", async (source) => {
      for (const items of [listed, [...listed, "x".repeat(1 << 20)]])
        expect(sorted(await collect(source, { kind: "listed", items }))).toEqual(usersOf(items));
      const twice = ["a", "b", "a", "b"];
      expect(sorted(await collect(source, { kind: "listed", items: twice }))).toEqual(usersOf(["a", "b"]));
    });
  });

  it("gives the largest first, equal ones by their bytes, and not a row more leaves it", async () => {
    for (const table of ["visits", "tied"])
      await withTable(table, async (source) => {
        const order = byCountAndBytes(countHere(TABLES[table]));
        for (const rows of [1, 9, order.length - 1, 1000]) {
          expect(await collect(source, { kind: "largest", rows })).toEqual(order.slice(0, rows));
          expect(source.rowsDelivered()).toBe(Math.min(rows, order.length));
        }
      });
  });

  it("gives the whole numbers below a bound, as they are usually written", async () => {
    const whole = (below: number) =>
      [...expected].filter(([item]) => /^(0|[1-9]\d{0,15})$/.test(item) && Number(item) < below);
    expect(whole(18)).toEqual([["17", 1]]);
    await withTable("visits", async (source) => {
      for (const below of [17, 18, Number.MAX_SAFE_INTEGER])
        expect(sorted(await collect(source, { kind: "integers", below }))).toEqual(sorted(whole(below)));
    });
  });

  it.each(["crowded", "more"])(
    "keeps exactly the items of a person that the library keeps: %s",
    async (table) => {
      for (const bound of BOUNDS)
        expect(await count(table, { kind: "largest", rows: 10_000 }, bound)).toEqual(
          boundedHere(TABLES[table] as readonly Pair[], bound),
        );
    },
  );

  it.each(CONDITIONS)(
    "counts only rows that fit, and those that can't be read fit no comparison: %s",
    async (text) => {
      const where = readPredicate(text);
      const rows = TABLES.conditions.filter(([user, item]) =>
        fits(where, (column) => (column === "user" ? user : item)),
      );
      await withTable("conditions", async (source) => {
        const all = { kind: "largest", rows: 10_000 } as const;
        expect(sorted(await collect(source, all, ROLES, undefined, where))).toEqual(sorted(countHere(rows)));
      });
    },
  );

  it.each(
    COMPUTED.flatMap((texts) =>
      [undefined, ITEM_MAP].map((map) => [texts.join(" and "), texts, map] as const),
    ),
  )("counts what is computed from a row, alike: %s", async (_, texts, map) => {
    const parts = readItems(texts);
    const renamed = map && new Map(map);
    const where = readPredicate("not lower(item) = 'x'");
    const read = (user: string | undefined, item: string | undefined) => (column: string) =>
      column === "user" ? user : item;
    const rows = TABLES.conditions
      .filter(([user, item]) => fits(where, read(user, item)))
      .flatMap(([user, item]): Row[] =>
        parts.map((part) => {
          const made = itemOf(part, read(user, item));
          return [user, made === undefined ? undefined : renamed === undefined ? made : renamed.get(made)];
        }),
      );
    await withTable("conditions", async (source) => {
      const all = { kind: "largest", rows: 10_000 } as const;
      const roles = { ...ROLES, item: "made", computed: { parts, map } };
      const found = sorted(await collect(source, all, roles, undefined, where));
      expect(found).toEqual(sorted(countHere(rows)));
      expect(found.length).toBeGreaterThan(map === undefined ? 4 : 0);
      const [, bound] = BOUNDS;
      const pairs = rows.filter((row): row is Pair => !!row[0] && !!row[1]);
      expect(sorted(await collect(source, all, roles, bound, where))).toEqual(
        sorted(boundedHere(pairs, bound)),
      );
    });
  });

  it("refuses a condition on a column that isn't there", async () => {
    const where = readPredicate("country = 'DE'");
    await withTable("visits", async (source) =>
      expectRefusal(collect(source, LARGEST, ROLES, undefined, where), "unknown-column"),
    );
  });

  it("keeps the items of everybody else when a person comes in", async () => {
    const [, bound] = BOUNDS;
    const all: Candidates = { kind: "largest", rows: 10_000 };
    const before = new Map(await count("crowded", all, bound));
    const after = await count("more", all, bound);
    const added = after.map(([item, users]): [string, number] => [item, users - (before.get(item) ?? 0)]);
    expect(sorted(added.filter(([, users]) => users !== 0))).toEqual(sorted(boundedHere(newcomer, bound)));
  });

  it("keeps the same items of a person whatever the candidates are", async () => {
    const [, bound] = BOUNDS;
    const kept = new Map(boundedHere(crowded, bound));
    for (const items of [
      [...NAMES_BY_BYTES, "absent"],
      [...NAMES_BY_BYTES, "x".repeat(1 << 20)],
    ])
      expect(sorted(await count("crowded", { kind: "listed", items }, bound))).toEqual(
        sorted(items.map((item) => [item, kept.get(item) ?? 0])),
      );
  });

  const numbers = numeric.filter(([, item]) => NUMBERS.includes(item));

  it("keeps exactly the values of a person that the library keeps, and words take none of their places", async () => {
    for (const bound of BOUNDS)
      expect(sorted(await count("numeric", { kind: "numbers" }, bound))).toEqual(
        sorted(boundedValuesHere(numbers, bound)),
      );
  });

  it.each([
    ["all their items", undefined],
    ["some items", BOUNDS[1]],
  ])("tells how many items have how many people, who count for %s", async (_, bound) => {
    const counts = bound === undefined ? countHere(more) : boundedHere(more, bound);
    const frequencies = new Map<string, number>();
    for (const [, users] of counts) frequencies.set(`${users}`, (frequencies.get(`${users}`) ?? 0) + 1);
    expect(sorted(await count("more", { kind: "frequencies" }, bound))).toEqual(sorted(frequencies));
  });

  const unknown = { kind: "unknown" } as const;
  const base = { epsilon: 2, unit: "one person" };
  const bounded = { ...base, maxItemsPerUser: 4 };
  const inOrder = byCountAndBytes(expected);
  const releases: [string, string, QuestionInput, [string, number][]][] = [
    ["unknown domain", "visits", { ...base, kind: "top", k: 3, domain: unknown, delta: "1/100" }, inOrder],
    [
      "quantiles",
      "numeric",
      {
        ...bounded,
        kind: "quantile",
        domain: { kind: "grid", lower: -20, upper: 2000 },
        quantiles: ["1/2", "9/10"],
      },
      boundedValuesHere(numbers, BOUNDS[1]),
    ],
    [
      "frequencies",
      "numeric",
      { ...bounded, kind: "frequencies", domain: unknown },
      boundedHere(numeric, BOUNDS[1]).map(([, users]): [string, number] => [`${users}`, 1]),
    ],
  ];
  it.each(releases)("makes the same release with equal bits: %s", async (_, table, asked, pairs) => {
    const question = readQuestion(asked);
    const bound = "maxItemsPerUser" in asked ? BOUNDS[1] : undefined;
    const candidates = candidatesWanted(question) as Candidates;
    const released = await withTable(table, (source) =>
      select(question, source.histogram({ ...ROLES, candidates, bound }), { entropy: seededEntropy("bits") }),
    );
    expect(released).toEqual(await select(question, [batchOf(pairs)], { entropy: seededEntropy("bits") }));
  });

  it("makes the same release with equal bits: a public list", async () => {
    const question = readQuestion({ ...base, kind: "top", k: 3, domain: await listedDomain(LISTED) });
    const release = (pairs: [string, number][]) =>
      select(question, [batchOf(pairs)], { entropy: seededEntropy("bits") });
    const counted = sorted(await count("visits", { kind: "listed", items: LISTED }));
    expect(await release(counted)).toEqual(await release(usersOf(LISTED)));
  });
}

function batchOf(pairs: readonly (readonly [string, number])[]) {
  return { items: pairs.map(([item]) => item), users: pairs.map(([, users]) => users) };
}

export function keepsPromises(server: ServerUnderTest): void {
  describe(`keeps the promises of a source: ${server.name}`, () => {
    const { queries } = server;
    const open = (options: Parameters<typeof openSource>[1], url = server.url()) => openSource(url, options);
    const count = async (options: Parameters<typeof openSource>[1], roles = ROLES, url?: string) => {
      const source = await open(options, url);
      return collect(source, LARGEST, roles).finally(() => source.close());
    };
    const expectNothingRuns = () => expect.poll(() => server.running(), PATIENT).toBe(0);

    beforeAll(async () => {
      for (const [table, rows] of Object.entries(TABLES)) await server.load(rows, table);
    });

    countsAlike((table) => open({ table }));

    it("reads the names of a public table each once, and joins them in the engine", async () => {
      const names = { table: "names", column: "item" };
      const read = await readPublicTable(server.url(), names, { table: "visits" }, undefined);
      expect(read.sort()).toEqual([...LISTED].sort());
      const source = await open({ table: "visits" });
      const joined = await collect(source, { kind: "listed", items: LISTED, table: names });
      const counts = countHere(TABLES.visits);
      expect(sorted(joined)).toEqual(sorted(LISTED.map((item) => [item, counts.get(item) ?? 0])));
      for (const items of [LISTED.slice(1), [...LISTED, "more"]])
        await expectRefusal(collect(source, { kind: "listed", items, table: names }), "server-failed");
      await source.close();
    });

    it.each([
      ["a table that isn't there", { table: "visitors" }, "unknown-table"],
      [
        "a query that isn't one",
        { trustQuery: true, query: "SELECT FROM WHERE secret_statement" },
        "bad-query",
      ],
      [
        "a query with an unknown column",
        { trustQuery: true, query: "SELECT secret_statement FROM visits" },
        "bad-query",
      ],
      ["a statement that writes", { trustQuery: true, query: queries.writing }, "bad-query"],
      ["both a table and a query", { table: "visits", query: "SELECT 1" }, "usage"],
      ["neither", {}, "usage"],
    ] as const)("refuses %s, and says nothing of the engine's text", async (_, options, code) => {
      await expectRefusal(count(options), code);
    });

    it("refuses wrong columns, a wrong password, and a server that isn't there", async () => {
      await expectRefusal(count({ table: "visits" }, { item: "user", user: "user" }), "usage");
      await expectRefusal(count({ table: "visits" }, { item: "items", user: "user" }), "unknown-column");
      const days = await open({ trustQuery: true, query: queries.days });
      await expectRefusal(collect(days, { kind: "numbers" }), "unknown-column");
      await days.close();
      await expectRefusal(count({ table: "visits" }, ROLES, server.refusedUrl()), "server-refused");
      const nowhere = server.url().replace(/:\d+\//, ":1/");
      await expectRefusal(count({ table: "visits" }, ROLES, nowhere), "server-unreachable");
    });

    it("tells an error in a row from a refusal, without the row", async () => {
      await expectRefusal(count({ trustQuery: true, query: queries.failing }), "server-failed");
    });

    it(`counts what one more person adds to a query, and loses no one else's rows, on ${PAIRS.pairs} pairs`, async () => {
      for (const [table, rows] of Object.entries(PAIRS.tables)) await server.load(rows, table);
      await expectAdditive(server.pairs, PAIRS, (query) => open({ query }));
    });

    it("refuses a query across people, unless it is trusted", async () => {
      const query = `SELECT "user", item FROM visits LIMIT 1`;
      await expectRefusal(count({ query }), "untrusted-query");
      expect(await count({ query, trustQuery: true })).toHaveLength(1);
    });

    it("ends the work of the engine at the time limit", async () => {
      await expectRefusal(
        count({ trustQuery: true, query: queries.endless, timeLimit: 1500 }),
        "source-limit",
      );
      await expectNothingRuns();
    });

    it("ends the work of the engine when the run is interrupted, with the signal's reason", async () => {
      const source = await open({ trustQuery: true, query: queries.endless });
      const reason = new Error("enough");
      for (const isEarly of [true, false]) {
        const stop = new AbortController();
        const request = { ...ROLES, candidates: LARGEST, signal: stop.signal };
        const stopped = expect(source.histogram(request)[Symbol.asyncIterator]().next()).rejects.toBe(reason);
        if (!isEarly) await expect.poll(() => server.running(), PATIENT).toBeGreaterThan(0);
        stop.abort(reason);
        await stopped;
        await expectNothingRuns();
      }
      await source.close();
    });

    it("starts again when the connection breaks before the charge, and charges once", async () => {
      const here = folder({ "items.txt": `${LISTED.join("\n")}\n` });
      expect((await winnowHere(here, ["budget", "init", "clinic", "--epsilon", "1"])).exit).toBe(0);
      const asked = ["--table", "visits", "--item", "item", "--user", "user", "-k", "1", "--epsilon", "1"];
      const proxy = await BreakingProxy.start(server.port(), async () => {});
      const [broken, again] = [proxy.through(server.url()), server.url()].map(
        (url) => () =>
          winnowHere(here, ["top", url, ...asked, "--dataset", "clinic", "--domain", "items.txt"]),
      );
      const { exit, stderr } = await broken();
      proxy.stop();
      expect(exit, stderr).toBe(0);
      expect((await again()).exit).toBe(3);
    });
  });
}
