import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Refusal } from "winnow-release";
import { TrinoCluster } from "../../../../bench/src/scale/trino-cluster.js";
import { openSource } from "../../src/sources/open-source.js";
import type { Candidates, SourceOptions } from "../../src/sources/source.js";
import { TRIED_QUERIES } from "../sources/query/support/query-pairs.js";
import { winnowHere } from "../support/in-process.js";
import { folder } from "../support/winnow.js";
import { collect } from "./support/histograms.js";
import { describeOnTrino } from "./support/installed.js";
import { loadTrino } from "./support/load.js";
import { keepsPromises, TABLES } from "./support/promises.js";
import { expectNothingSecret, expectRefusal } from "./support/refusals.js";

const LARGEST = { kind: "largest", rows: 10 } as const;
const ROLES = { item: "item", user: "user" };
/** Hours of work in little memory. */
const ENDLESS = `SELECT 'private-row' AS item, concat('secret_statement', CAST(orderkey % 10 AS varchar)) AS "user"
  FROM tpch.sf100000.lineitem`;
/** 15,000 items, more than a page of an answer holds. */
const MANY = `SELECT concat(rpad('', 150, 'x'), CAST(orderkey AS varchar)) AS item, 'u' AS "user"
  FROM tpch.tiny.orders`;
/** As long as it takes on a busy machine. */
const PATIENT = { timeout: 120_000, interval: 100 };

describeOnTrino("Trino as a source", () => {
  let cluster: TrinoCluster;

  beforeAll(async () => {
    cluster = await TrinoCluster.start({ hasWorker: true });
  });
  afterAll(() => cluster?.stop());

  const count = async (
    options: SourceOptions,
    candidates: Candidates = LARGEST,
    url = cluster.url(),
    roles = ROLES,
  ) => collect(await openSource(url, options), candidates, roles);

  const running = async () => {
    const ask = "SELECT count(*) FROM system.runtime.queries WHERE state = 'RUNNING' AND source = 'winnow'";
    return Number((await cluster.sql(ask))[0][0]);
  };
  const expectCounting = () => expect.poll(running, PATIENT).toBeGreaterThan(0);
  const expectNothingRuns = () => expect.poll(running, PATIENT).toBe(0);
  const trusted = (url: string, more = "") => `${url}?ca=${encodeURIComponent(cluster.certificate)}${more}`;

  keepsPromises({
    name: "Trino",
    url: () => cluster.url(),
    refusedUrl: () => trusted(cluster.secureUrl("wrong password")),
    port: () => cluster.port,
    load: (rows, table) => loadTrino(cluster, rows, table),
    running,
    queries: {
      endless: ENDLESS,
      failing: `SELECT CAST(fail(item) AS varchar) AS item, "user" FROM visits WHERE item = 'private-row' OR length(item) = 1`,
      writing: "INSERT INTO visits VALUES ('a', 'b')",
      days: `SELECT DATE '2024-01-01' AS item, "user" FROM visits`,
    },
    pairs: TRIED_QUERIES,
  });

  describe("reads", () => {
    it("a table by its full name, and a query", async () => {
      const pairs = await count({ table: "visits" });
      expect(pairs).toHaveLength(LARGEST.rows);
      expect(await count({ table: 'memory."default".visits' }, LARGEST, cluster.url(""))).toEqual(pairs);
      expect(await count({ trustQuery: true, query: "SELECT * FROM visits;" })).toEqual(pairs);
    });

    it("columns of many types by their text, padded ones without the padding, equal users as one", async () => {
      const query = `SELECT * FROM (VALUES
          (1, DATE '2024-02-29', DOUBLE '0', CAST('ab' AS char(4)), DECIMAL '1.50', TIMESTAMP '2024-01-01 00:00:00 UTC',
            TIMESTAMP '2024-10-27 00:30:00', UUID '61f0c404-5cb3-11e7-907b-a6006ad3dba0'),
          (2, DATE '2024-02-29', DOUBLE '-0', CAST('ab ' AS char(4)), DECIMAL '1.50', TIMESTAMP '2024-01-01 01:00:00 +01:00',
            TIMESTAMP '2024-10-27 00:30:00', UUID '61f0c404-5cb3-11e7-907b-a6006ad3dba0'),
          (NULL, DATE '2024-03-01', nan(), CAST('' AS char(4)), DECIMAL '2.00', NULL, NULL, NULL),
          (9007199254740993, DATE '2024-03-01', nan(), NULL, DECIMAL '2.00', NULL, NULL, NULL))
        AS t (n, day, x, padded, price, moment, instant, key)`;
      const of = (item: string, user: string) =>
        count({ trustQuery: true, query }, LARGEST, cluster.url(), { item, user });
      expect(await of("day", "n")).toEqual([
        ["2024-02-29", 2],
        ["2024-03-01", 1],
      ]);
      expect(await of("n", "day")).toEqual([
        ["1", 1],
        ["2", 1],
        ["9007199254740993", 1],
      ]);
      expect(await of("x", "n")).toEqual([
        ["-0E0", 1],
        ["0E0", 1],
        ["NaN", 1],
      ]);
      expect(await of("instant", "n")).toEqual([["2024-10-27 00:30:00", 2]]);
      expect(await of("key", "n")).toEqual([["61f0c404-5cb3-11e7-907b-a6006ad3dba0", 2]]);
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
        await count({ trustQuery: true, query }, { kind: "numbers" }, cluster.url(), {
          item: "price",
          user: "n",
        }),
      ).toEqual([
        ["1.50", 2],
        ["2.00", 1],
      ]);
      expect(
        await count({ trustQuery: true, query }, { kind: "numbers" }, cluster.url(), {
          item: "x",
          user: "n",
        }),
      ).toHaveLength(2);
    });

    it("names that are not text as no one's, also in a frequency list", async () => {
      const query = `SELECT from_utf8(X'61') AS item, 'u' AS "user" UNION ALL SELECT CAST(X'ff' AS varchar), 'v'`;
      await expectRefusal(count({ trustQuery: true, query }), "bad-query"); // Trino itself makes no such text
      const replaced = `SELECT from_utf8(X'ff') AS item, 'u' AS "user"`;
      expect(await count({ trustQuery: true, query: replaced })).toEqual([["\ufffd", 1]]);
      expect(await count({ trustQuery: true, query: replaced }, { kind: "frequencies" })).toEqual([["1", 1]]);
    });

    it("a histogram of many pages, and ends the statement where the reader stops", async () => {
      const all = { kind: "largest", rows: 100_000 } as const;
      const pairs = await count({ trustQuery: true, query: MANY }, all);
      expect(new Set(pairs.map(([item]) => item)).size).toBe(15_000);
      const long = await openSource(cluster.url(), { trustQuery: true, query: MANY });
      for await (const _ of long.histogram({ ...ROLES, candidates: all })) break;
      await expectNothingRuns();
    });
  });

  describe("refuses", () => {
    it.each([
      ["server-refused", { table: "nowhere.visits" }],
      ["server-refused", { table: "nowhere.nowhere.visits" }],
      ["bad-query", { trustQuery: true, query: "SELECT * FROM visits WHERE secret_statement(item)" }],
      ["bad-query", { trustQuery: true, query: "SELECT item AS i, item AS i FROM visits) WHERE (true" }],
      ["bad-query", { trustQuery: true, query: "SELECT 1); DROP TABLE visits; --" }],
      [
        "server-failed",
        { trustQuery: true, query: `SELECT CAST(item AS integer) AS item, "user" FROM visits` },
      ],
    ] as const)("with %s and nothing of the engine's text: %o", async (code, options) => {
      await expectRefusal(count(options), code);
      expect(await cluster.sql("SELECT count(*) FROM visits")).toEqual([[TABLES.visits.length]]);
    });

    it("columns of lists", async () => {
      const query = `SELECT array[1] AS item, "user" FROM visits`;
      await expectRefusal(count({ trustQuery: true, query }), "unknown-column");
    });

    it("a token that has expired, and a certificate that no one vouched for", async () => {
      const place = folder({});
      const withToken = (seconds: number) => {
        const path = join(place.path, `token-${seconds}`);
        writeFileSync(path, `${cluster.token(seconds)}\n`);
        return trusted(cluster.secureUrl(), `&token-file=${encodeURIComponent(path)}`);
      };
      expect(await count({ table: "visits" }, LARGEST, withToken(600))).toHaveLength(LARGEST.rows);
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
      ).toHaveLength(LARGEST.rows);
      await expectRefusal(count({ table: "visits" }, LARGEST, session("no_such_thing:1")), "usage");
      await expectRefusal(count({ table: "visits" }, LARGEST, session("nonsense")), "usage");
    });
  });

  it("ends the work of the engine at the memory limit", async () => {
    const query = ENDLESS.replace("orderkey % 10", "orderkey");
    await expectRefusal(count({ trustQuery: true, query, memoryLimit: 10_000_000 }), "source-limit");
    await expectNothingRuns();
  });

  it("sends only the rows that an unknown domain needs", async () => {
    const query = `SELECT CAST(partkey AS varchar) AS item, orderkey AS "user" FROM tpch.tiny.lineitem`;
    const source = await openSource(cluster.url(), { trustQuery: true, query });
    expect(await collect(source, { kind: "largest", rows: 21 })).toHaveLength(21);
    expect(source.rowsDelivered()).toBe(21);
  });

  describe("when a part of the cluster dies in the middle,", () => {
    const ASKED = ["-k", "1", "--epsilon", "1", "--dataset", "clinic", "--domain", "items.txt"];

    it("the coordinator: the run is refused and nothing is charged, and a retry is right", async () => {
      const here = folder({ "items.txt": "private-row\nsecond\n" });
      const top = (...asked: string[]) => winnowHere(here, ["top", cluster.url(), ...asked, ...ASKED]);
      expect((await winnowHere(here, ["budget", "init", "clinic", "--epsilon", "1"])).exit).toBe(0);
      const endless = ["--table", "tpch.sf100000.lineitem", "--item", "shipmode", "--user", "linestatus"];
      const run = top(...endless);
      await expectCounting();
      await cluster.crashCoordinator();
      const { exit, stdout, stderr } = await run;
      expect({ isRefused: exit !== 0, stdout }).toEqual({ isRefused: true, stdout: "" });
      expectNothingSecret(stderr);
      await cluster.restartCoordinator();
      const query = "SELECT item, \"user\" FROM (VALUES ('second', 'a')) AS t (item, \"user\")";
      expect(await count({ trustQuery: true, query })).toEqual([["second", 1]]);
      const asked = ["--trust-query", "--query", query, "--item", "item", "--user", "user"];
      const released = await top(...asked);
      expect(released.exit, released.stderr).toBe(0);
      expect((await top(...asked)).exit).toBe(3);
    });

    it("the worker: the count is refused, and so is every count without it", async () => {
      const source = await openSource(cluster.url(), { trustQuery: true, query: ENDLESS });
      const counting = collect(source, LARGEST);
      await expectCounting();
      await Promise.all([expect(counting).rejects.toBeInstanceOf(Refusal), cluster.crashWorker()]);
      const query = `SELECT CAST(suppkey % 2 AS varchar) AS item, orderkey AS "user" FROM tpch.tiny.lineitem`;
      await expect(count({ trustQuery: true, query, timeLimit: 3000 })).rejects.toBeInstanceOf(Refusal);
    });
  });
});
