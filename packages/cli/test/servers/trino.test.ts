import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CountingProxy, through } from "../../../../bench/src/scale/counting-proxy.js";
import { TrinoCluster } from "../../../../bench/src/scale/trino-cluster.js";
import { openSource, readPublicTable } from "../../src/sources/open-source.js";
import { CountFailed, retryLostConnections } from "../../src/sources/server-retry.js";
import type { Candidates, SourceOptions } from "../../src/sources/source.js";
import {
  BOUNDS,
  boundedHere,
  crowdedRows,
  NUMBERS,
  numericRows,
  shuffledRows,
} from "../support/bounded-rows.js";
import { winnowHere } from "../support/in-process.js";
import { folder } from "../support/winnow.js";
import { collect, countHere, type Row, sorted, TRICKY, trickyRows } from "./support/histograms.js";
import { describeOnTrino } from "./support/installed.js";
import { loadTrino } from "./support/load.js";
import { expectNothingSecret, expectRefusal } from "./support/refusals.js";

const LARGEST = { kind: "largest", rows: 10 } as const;
const ROLES = { item: "item", user: "user" };
const VISITS: Row[] = [
  ["ann", "private-row"],
  ["ann", "private-row"],
  ["bob", "private-row"],
  ["bob", "second"],
];
/** Hours of work in little memory. */
const ENDLESS = `SELECT 'private-row' AS item, concat('secret_statement', CAST(orderkey % 10 AS varchar)) AS "user"
  FROM tpch.sf100000.lineitem`;
/** 60,175 items. */
const MANY = `SELECT concat(CAST(orderkey AS varchar), '-', CAST(linenumber AS varchar)) AS item, 'u' AS "user"
  FROM tpch.tiny.lineitem`;
/** As long as it takes on a busy machine. */
const PATIENT = { timeout: 120_000, interval: 100 };

describeOnTrino("Trino as a source", () => {
  const tables = { crowded: crowdedRows(), numeric: shuffledRows(numericRows()) };
  let cluster: TrinoCluster;

  async function load(): Promise<void> {
    await loadTrino(cluster, VISITS);
    await loadTrino(cluster, trickyRows(), "tricky");
    for (const [table, rows] of Object.entries(tables)) await loadTrino(cluster, rows, table);
  }

  beforeAll(async () => {
    cluster = await TrinoCluster.start({ hasWorker: true });
    await load();
  });
  afterAll(() => cluster?.stop());

  const count = async (
    options: SourceOptions,
    candidates: Candidates = LARGEST,
    url = cluster.url(),
    roles = ROLES,
  ) => collect(await openSource(url, options), candidates, roles);

  const running = () =>
    cluster.sql("SELECT count(*) FROM system.runtime.queries WHERE state = 'RUNNING' AND source = 'winnow'");
  const expectCounting = () => expect.poll(running, PATIENT).not.toEqual([[0]]);
  const expectNothingRuns = () => expect.poll(running, PATIENT).toEqual([[0]]);

  describe("reads", () => {
    it("a table by its name or in full, and a query", async () => {
      const pairs = [
        ["private-row", 2],
        ["second", 1],
      ];
      expect(await count({ table: "visits" })).toEqual(pairs);
      expect(await count({ table: 'memory."default".visits' }, LARGEST, cluster.url(""))).toEqual(pairs);
      expect(await count({ query: "SELECT * FROM visits;" })).toEqual(pairs);
    });

    it("columns of many types by their text, padded ones without the padding, equal users as one", async () => {
      const query = `SELECT * FROM (VALUES
          (1, DATE '2024-02-29', DOUBLE '0', CAST('ab' AS char(4)), DECIMAL '1.50', TIMESTAMP '2024-01-01 00:00:00 UTC'),
          (2, DATE '2024-02-29', DOUBLE '-0', CAST('ab ' AS char(4)), DECIMAL '1.50', TIMESTAMP '2024-01-01 01:00:00 +01:00'),
          (NULL, DATE '2024-03-01', nan(), CAST('' AS char(4)), DECIMAL '2.00', NULL))
        AS t (n, day, x, padded, price, moment)`;
      const of = (item: string, user: string) => count({ query }, LARGEST, cluster.url(), { item, user });
      expect(await of("day", "n")).toEqual([["2024-02-29", 2]]);
      expect(await of("padded", "n")).toEqual([["ab", 2]]);
      expect(await of("price", "day")).toEqual([
        ["1.50", 1],
        ["2.00", 1],
      ]);
      expect(await of("day", "x")).toEqual([
        ["2024-02-29", 1],
        ["2024-03-01", 1],
      ]);
      expect(await of("moment", "n")).toEqual([["2024-01-01 00:00:00 UTC", 2]]);
      expect(await of("day", "moment")).toEqual([["2024-02-29", 1]]);
      expect(
        await count({ query }, { kind: "numbers" }, cluster.url(), { item: "price", user: "n" }),
      ).toEqual([["1.50", 2]]);
    });

    it("names that are not text as no one's, also in a frequency list", async () => {
      const query = `SELECT from_utf8(X'61') AS item, 'u' AS "user" UNION ALL SELECT CAST(X'ff' AS varchar), 'v'`;
      await expectRefusal(count({ query }), "bad-query"); // Trino itself makes no such text
      const replaced = `SELECT from_utf8(X'ff') AS item, 'u' AS "user"`;
      expect(await count({ query: replaced })).toEqual([["\ufffd", 1]]);
      expect(await count({ query: replaced }, { kind: "frequencies" })).toEqual([["1", 1]]);
    });

    it("the names of a public table each once, and joins them in the engine", async () => {
      const names = { table: "tricky", column: "item" };
      const counts = countHere(trickyRows());
      expect((await readPublicTable(cluster.url(), names, { table: "visits" }, undefined)).sort()).toEqual(
        [...TRICKY].sort(),
      );
      const listed = { kind: "listed", items: TRICKY, table: names } as const;
      expect(sorted(await count({ query: "SELECT * FROM tricky" }, listed))).toEqual(
        sorted(TRICKY.map((item) => [item, counts.get(item) ?? 0])),
      );
    });

    it("a list that is too long to be sent along, and a histogram of many pages", async () => {
      const items = ["private-row", "absent", "x".repeat(1 << 18)];
      expect(sorted(await count({ table: "visits" }, { kind: "listed", items }))).toEqual(
        sorted([
          ["private-row", 2],
          ["absent", 0],
          [items[2], 0],
        ]),
      );
      const pairs = await count({ query: MANY }, { kind: "largest", rows: 100_000 });
      expect(new Set(pairs.map(([item]) => item)).size).toBe(60_175);
    });
  });

  describe("with a limit on the items of a person", () => {
    it("keeps exactly the items that the library keeps", async () => {
      const source = await openSource(cluster.url(), { table: "crowded" });
      for (const bound of BOUNDS)
        expect(await collect(source, { kind: "largest", rows: 10_000 }, ROLES, bound)).toEqual(
          boundedHere(tables.crowded, bound),
        );
    });

    it("counts the numbers alone, and words take none of a person's places", async () => {
      const source = await openSource(cluster.url(), { table: "numeric" });
      const numbers = tables.numeric.filter(([, item]) => NUMBERS.includes(item));
      const [, bound] = BOUNDS;
      expect(sorted(await collect(source, { kind: "numbers" }, ROLES, bound))).toEqual(
        sorted(boundedHere(numbers, bound)),
      );
    });
  });

  describe("refuses", () => {
    it.each([
      ["unknown-table", { table: "nowhere" }],
      ["server-refused", { table: "nowhere.visits" }],
      ["server-refused", { table: "nowhere.nowhere.visits" }],
      ["bad-query", { query: "SELECT secret_statement FROM visits" }],
      ["bad-query", { query: "SELECT * FROM visits WHERE secret_statement(item)" }],
      ["bad-query", { query: "SELECT item AS i, item AS i FROM visits) WHERE (true" }],
      ["bad-query", { query: "SELECT 1); DROP TABLE visits; --" }],
      ["bad-query", { query: "INSERT INTO visits VALUES ('a', 'b')" }],
      ["server-failed", { query: `SELECT CAST(item AS integer) AS item, "user" FROM visits` }],
      ["server-failed", { query: `SELECT CAST(fail('private-row') AS varchar) AS item, "user" FROM visits` }],
    ] as const)("with %s and nothing of the engine's text: %o", async (code, options) => {
      const refusal = await expectRefusal(count(options), code);
      expect(refusal instanceof CountFailed).toBe(code === "server-failed");
      expect(await count({ table: "visits" })).toHaveLength(2);
    });

    it("columns of lists, and numbers where there are none", async () => {
      const query = `SELECT array[1] AS item, "user" FROM visits`;
      await expectRefusal(count({ query }), "unknown-column");
      const dates = `SELECT DATE '2024-01-01' AS item, "user" FROM visits`;
      await expectRefusal(count({ query: dates }, { kind: "numbers" }), "unknown-column");
    });

    it("a password or a token that is wrong, and a certificate that no one vouched for", async () => {
      const trusted = (url: string, more = "") =>
        `${url}?ca=${encodeURIComponent(cluster.certificate)}${more}`;
      const wrong = trusted(cluster.secureUrl("wrong password"));
      await expectRefusal(count({ table: "visits" }, LARGEST, wrong), "server-refused");
      const place = folder({});
      const withToken = (seconds: number) => {
        const path = join(place.path, `token-${seconds}`);
        writeFileSync(path, `${cluster.token(seconds)}\n`);
        return trusted(cluster.secureUrl(), `&token-file=${encodeURIComponent(path)}`);
      };
      expect(await count({ table: "visits" }, LARGEST, withToken(600))).toHaveLength(2);
      const untrusted = withToken(600).replace(/ca=[^&]*&/, "");
      const { message } = await expectRefusal(
        count({ table: "visits" }, LARGEST, untrusted),
        "server-refused",
      );
      expect(message).toContain("certificate");
      await expectRefusal(count({ table: "visits" }, LARGEST, withToken(-600)), "server-refused");
    });

    it("session properties that Trino doesn't have, and uses those that it has", async () => {
      const session = (text: string) => `${cluster.url()}?session=${encodeURIComponent(text)}`;
      expect(
        await count({ table: "visits" }, LARGEST, session("join_distribution_type:BROADCAST")),
      ).toHaveLength(2);
      await expectRefusal(count({ table: "visits" }, LARGEST, session("no_such_thing:1")), "usage");
      await expectRefusal(count({ table: "visits" }, LARGEST, session("nonsense")), "usage");
    });
  });

  describe("ends the work of the engine", () => {
    it("at the time limit and at the memory limit", async () => {
      await expectRefusal(count({ query: ENDLESS, timeLimit: 3000 }), "source-limit");
      const growing = ENDLESS.replace("orderkey % 10", "orderkey");
      await expectRefusal(count({ query: growing, memoryLimit: 10_000_000 }), "source-limit");
      await expectNothingRuns();
    });

    it("when the run is interrupted, or no one reads on", async () => {
      const source = await openSource(cluster.url(), { query: ENDLESS });
      const stop = new AbortController();
      const counting = collectUntil(source.histogram({ ...ROLES, candidates: LARGEST, signal: stop.signal }));
      await expectCounting();
      stop.abort(new Error("interrupted"));
      await expect(counting).rejects.toThrow("interrupted");
      await expectNothingRuns();
      const long = await openSource(cluster.url(), { query: MANY });
      for await (const _ of long.histogram({ ...ROLES, candidates: { kind: "largest", rows: 100_000 } })) break;
      await expectNothingRuns();
    });
  });

  it("sends only the rows that an unknown domain needs", async () => {
    const proxy = await CountingProxy.start(cluster.port);
    const query = `SELECT CAST(partkey AS varchar) AS item, orderkey AS "user" FROM tpch.tiny.lineitem`;
    const source = await openSource(through(proxy, cluster.url()), { query });
    expect(await collect(source, { kind: "largest", rows: 21 })).toHaveLength(21);
    expect(source.rowsDelivered()).toBe(21);
    expect(proxy.received).toBeLessThan(20_000);
    proxy.stop();
  });

  describe("when a part of the cluster dies in the middle,", () => {
    const ASKED = ["--item", "item", "--user", "user", "-k", "1", "--epsilon", "1", "--dataset", "clinic"];

    it("the worker: the count is refused, and right when it is back", async () => {
      const source = await openSource(cluster.url(), { query: ENDLESS });
      const counting = collectUntil(source.histogram({ ...ROLES, candidates: LARGEST }));
      await expectCounting();
      await Promise.all([expect(counting).rejects.toBeInstanceOf(CountFailed), cluster.crashWorker()]);
      await cluster.restartWorker();
      const query = `SELECT CAST(suppkey % 2 AS varchar) AS item, orderkey AS "user" FROM tpch.tiny.lineitem`;
      const [[zeros], [ones]] = await Promise.all(
        [0, 1].map((rest) =>
          cluster.sql(`SELECT count(DISTINCT orderkey) FROM tpch.tiny.lineitem WHERE suppkey % 2 = ${rest}`),
        ),
      );
      expect(sorted(await count({ query }))).toEqual([
        ["0", Number(zeros)],
        ["1", Number(ones)],
      ]);
    });

    it("the coordinator: the run is refused and nothing is charged, and a retry is right", async () => {
      const here = folder({ "items.txt": "private-row\nsecond\n" });
      const domain = ["--domain", "items.txt"];
      expect((await winnowHere(here, ["budget", "init", "clinic", "--epsilon", "1"])).exit).toBe(0);
      const run = winnowHere(here, ["top", cluster.url(), "--query", ENDLESS, ...ASKED, ...domain]);
      await expectCounting();
      await cluster.crashCoordinator();
      const { exit, stdout, stderr } = await run;
      expect({ isRefused: exit !== 0, stdout }).toEqual({ isRefused: true, stdout: "" });
      expectNothingSecret(stderr);
      const back = cluster.restartCoordinator();
      const query = "SELECT item, \"user\" FROM (VALUES ('second', 'a')) AS t (item, \"user\")";
      const counted = await retryUntilBack(() => count({ query }));
      expect(counted).toEqual([["second", 1]]);
      await back;
      const released = await winnowHere(here, ["top", cluster.url(), "--query", query, ...ASKED, ...domain]);
      expect(released.exit, released.stderr).toBe(0);
      expect(
        (await winnowHere(here, ["top", cluster.url(), "--query", query, ...ASKED, ...domain])).exit,
      ).toBe(3);
    });
  });
});

async function collectUntil(
  batches: AsyncIterable<{ items: readonly string[]; users: readonly number[] }>,
): Promise<[string, number][]> {
  const pairs: [string, number][] = [];
  for await (const { items, users } of batches)
    items.forEach((item, place) => {
      pairs.push([item, users[place]]);
    });
  return pairs;
}

/** As a run does, and longer: a server takes a while to start on a busy machine. */
async function retryUntilBack<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await retryLostConnections(attempt);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}
