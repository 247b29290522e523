import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ClickhouseServer } from "../../../../bench/src/scale/clickhouse-cluster.js";
import { CountingProxy, through } from "../../../../bench/src/scale/counting-proxy.js";
import { openClickhouse } from "../../src/sources/clickhouse/clickhouse-source.js";
import type { Candidates, SourceOptions } from "../../src/sources/source.js";
import {
  countAt,
  expectNothingRuns,
  GROWING,
  LARGEST,
  ROLES,
  type Shards,
  startWithVisits,
} from "./support/clickhouse-visits.js";
import { collect, sorted } from "./support/histograms.js";
import { describeOnClickhouse } from "./support/installed.js";
import { expectRefusal } from "./support/refusals.js";

describeOnClickhouse("ClickHouse as a source", () => {
  let shards: Shards;
  let first: ClickhouseServer;

  beforeAll(async () => {
    shards = await startWithVisits();
    [first] = shards;
  });
  afterAll(async () => {
    await Promise.allSettled(shards?.map((shard) => shard.stop()) ?? []);
  });

  const count = (options: SourceOptions, candidates?: Candidates, url = first.url()) =>
    countAt(url, options, candidates);

  describe("reads", () => {
    it("a cluster, where a user on two shards is one", async () => {
      for (const shard of shards)
        expect(await count({ table: "visits" }, LARGEST, shard.url())).toEqual([
          ["private-row", 2],
          ["second", 1],
        ]);
      expect(await count({ table: "default.visits" })).toHaveLength(2);
      expect(await count({ trustQuery: true, query: "SELECT * FROM visits;" })).toHaveLength(2);
    });

    it("users who are digests, with zeros in them, each as one", async () => {
      await first.sql("CREATE TABLE digests (item String, user FixedString(4)) ENGINE = Memory");
      await first.sql(`INSERT INTO digests SELECT 'private-row', toFixedString(unhex(arrayJoin(
        ['00010203', '00020304', '61006200', '61006300', '61000000', '00000000'])), 4)`);
      expect(await count({ table: "digests" })).toEqual([["private-row", 5]]); // four zeros are nobody
    });

    it("names that need quotes, and columns of many types by their text", async () => {
      await first.sql(
        "CREATE TABLE `od``d` (`us er` UInt32, `it\\`em` Date, number Int8, float Float64, fixed FixedString(4), maybe Nullable(Int32)) ENGINE = Memory",
      );
      await first.sql(
        "INSERT INTO `od``d` VALUES (1, '2024-02-29', -5, 0.5, 'ab', 7), (2, '2024-02-29', -5, 0.5, 'ab', NULL), (2, '2024-03-01', 6, -1, 'abcd', 0)",
      );
      const source = await openClickhouse(first.url(), { table: '"od`d"' });
      expect(source.columns).toEqual(["us er", "it`em", "number", "float", "fixed", "maybe"]);
      expect(source.dialect).toEqual({ engine: "clickhouse", read: "table", encoding: "UTF8" });
      const of = (item: string) => collect(source, LARGEST, { item, user: "us er" });
      expect(await of("it`em")).toEqual([
        ["2024-02-29", 2],
        ["2024-03-01", 1],
      ]);
      expect(await of("number")).toEqual([
        ["-5", 2],
        ["6", 1],
      ]);
      expect(await of("float")).toEqual([
        ["0.5", 2],
        ["-1", 1],
      ]);
      expect(await of("fixed")).toEqual([
        ["ab", 2],
        ["abcd", 1],
      ]);
      expect(await of("maybe")).toEqual([
        ["0", 1],
        ["7", 1],
      ]);
      const whole = await collect(source, { kind: "integers", below: 7 }, { item: "maybe", user: "us er" });
      expect(whole).toEqual([["0", 1]]);
      const listed = { kind: "listed", items: ["6", "-5", "7"] } as const;
      expect(sorted(await collect(source, listed, { item: "number", user: "maybe" }))).toEqual([
        ["-5", 1],
        ["6", 1],
        ["7", 0],
      ]);
      await source.close();
    });

    it("names that are no text as nobody's, also among the largest", async () => {
      const bad = ["ff", "c0af", "eda080"].map(
        (hex) =>
          `SELECT unhex('${hex}') AS item, toString(number) AS user FROM (SELECT number FROM system.numbers LIMIT 9)`,
      );
      const good = ["b", "a"].map(
        (item) =>
          `SELECT '${item}' AS item, toString(number) AS user FROM (SELECT number FROM system.numbers LIMIT 3)`,
      );
      const source = await openClickhouse(first.url(), {
        trustQuery: true,
        query: [...bad, ...good].join(" UNION ALL "),
      });
      expect(await collect(source, { kind: "largest", rows: 1 })).toEqual([["a", 3]]);
      expect(await collect(source, { kind: "largest", rows: 4 })).toEqual([
        ["a", 3],
        ["b", 3],
      ]);
      expect(source.skippedLines()).toBe(3);
      expect(await collect(source, { kind: "listed", items: ["a", "\ufffd", "x".repeat(1 << 20)] })).toEqual(
        expect.arrayContaining([
          ["a", 3],
          ["\ufffd", 0],
        ]),
      );
      await source.close();
    });

    it("a histogram of many blocks, and stops where the reader stops", async () => {
      const query =
        "SELECT toString(number) AS item, 'u' AS user FROM (SELECT number FROM system.numbers LIMIT 300000)";
      const pairs = await count({ trustQuery: true, query }, { kind: "integers", below: 1_000_000 });
      expect(new Set(pairs.map(([item]) => item)).size).toBe(300_000);
      const source = await openClickhouse(first.url(), {
        trustQuery: true,
        query: GROWING.replace("100000000000", "1000000"),
      });
      for await (const { items } of source.histogram({
        ...ROLES,
        candidates: { kind: "integers", below: 1e9 },
      })) {
        expect(items.length).toBeGreaterThan(0);
        break;
      }
      await expectNothingRuns(shards);
      await source.close();
    });

    it("with an account whose settings are fixed, but not if they allow partial counts", async () => {
      expect(await count({ table: "visits" }, LARGEST, first.url({ user: "reader" }))).toHaveLength(2);
      const listed = { kind: "listed", items: ["second", "absent"] } as const;
      const long = { kind: "listed", items: ["second", "x".repeat(40_000)] } as const;
      for (const candidates of [listed, long])
        expect(await count({ table: "visits" }, candidates, first.url({ user: "reader" }))).toHaveLength(2);
      expect(await count({ table: "visits" }, LARGEST, first.url({ user: "careful" }))).toHaveLength(2);
      await expectRefusal(
        count({ table: "visits" }, LARGEST, first.url({ user: "hasty" })),
        "server-refused",
      );
    });

    it("no faster than the reader takes it", async () => {
      const query =
        "SELECT concat(toString(number), toString(range(200))) AS item, 'u' AS user FROM (SELECT number FROM system.numbers LIMIT 100000)";
      const proxy = await CountingProxy.start(first.port);
      const source = await openClickhouse(through(proxy, first.url()), { trustQuery: true, query });
      const candidates = { kind: "listed", items: ["x".repeat(1 << 20), "y"] } as const;
      for await (const { items } of source.histogram({ ...ROLES, candidates })) {
        expect(items).toEqual([]);
        await pause(1000); // time enough for all 69 MB
        break;
      }
      expect(proxy.received).toBeLessThan(30e6);
      await source.close();
      proxy.stop();
    });

    it("how far a count is", async () => {
      const shares: (number | undefined)[] = [];
      await first.sql(
        "CREATE TABLE many ENGINE = Memory AS SELECT toString(number) AS item, toString(number % 1000) AS user FROM (SELECT number FROM system.numbers LIMIT 100000)",
      );
      const query = "SELECT item, user FROM many WHERE sleepEachRow(0.00002) = 0";
      const source = await openClickhouse(first.url(), { trustQuery: true, query });
      const onProgress = (share: number | undefined) => shares.push(share);
      // Two seconds or more; on a busy machine it may be over before it is asked how far it is.
      while (shares.length === 0)
        for await (const _ of source.histogram({ ...ROLES, candidates: LARGEST, onProgress }));
      for (const share of shares)
        if (share !== undefined) expect(share).toSatisfy((value: number) => value >= 0 && value <= 1);
      await source.close();
    });
  });

  describe("only reads:", () => {
    it.each([
      ["a statement that writes", "INSERT INTO visits_shard VALUES ('x', 'y')"],
      ["a statement that writes within", "SELECT * FROM (INSERT INTO visits_shard VALUES ('x', 'y'))"],
      ["a second statement", "SELECT 1); DROP TABLE visits_shard; --"],
      ["settings of the query's own", "SELECT item, user FROM visits SETTINGS readonly = 0"],
      ["settings within", "SELECT * FROM (SELECT * FROM visits settings skip_unavailable_shards=1)"],
    ])("%s is refused", async (_, query) => {
      for (const user of ["winnow", "careful", "reader"])
        await expectRefusal(count({ trustQuery: true, query }, LARGEST, first.url({ user })), "bad-query");
      expect(await first.sql("SELECT count() FROM visits")).toBe("4");
    });
  });

  it("speaks TLS with a certificate that it is told to trust, and with no other", async () => {
    const url = first.url({ tls: true });
    await expectRefusal(openClickhouse(url, { table: "visits" }), "server-refused");
    const trusted = `${url}?ca=${encodeURIComponent(first.certificate)}`;
    expect(await count({ table: "visits" }, LARGEST, trusted)).toHaveLength(2);
  });
});
