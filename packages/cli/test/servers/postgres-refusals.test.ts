import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PostgresServer } from "../../../../bench/src/scale/postgres-server.js";
import { openPostgres } from "../../src/sources/postgres/postgres-source.js";
import type { Candidates, SourceOptions } from "../../src/sources/source.js";
import { collect } from "./support/histograms.js";
import { describeOnPostgres } from "./support/installed.js";
import {
  countOf,
  ENDLESS,
  expectCounting,
  expectNoSession,
  LARGEST,
  startWithVisits,
} from "./support/postgres-visits.js";
import { expectRefusal } from "./support/refusals.js";

describeOnPostgres("PostgreSQL as a source that fails", () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startWithVisits();
  });
  afterAll(() => server?.stop());

  const count = (options: SourceOptions, candidates?: Candidates) => countOf(server, options, candidates);

  describe("refuses", () => {
    it.each([
      ["a table that is not there", { table: "visitors" }, "unknown-table"],
      ["a schema that is not there", { table: "nowhere.visits" }, "unknown-table"],
      [
        "a query that is none",
        { trustQuery: true, query: "SELECT FROM WHERE secret_statement" },
        "bad-query",
      ],
      [
        "a query with an unknown column",
        { trustQuery: true, query: "SELECT secret_statement FROM visits" },
        "bad-query",
      ],
      [
        "a query with a parameter",
        { trustQuery: true, query: "SELECT * FROM visits WHERE item = $1" },
        "bad-query",
      ],
      ["both a table and a query", { table: "visits", query: "SELECT 1" }, "usage"],
      ["neither", {}, "usage"],
    ] as const)("%s", async (_, options, code) => {
      await expectRefusal(count(options), code);
    });

    it("one column for both roles, and one that the table does not have", async () => {
      const source = await openPostgres(server.url(), { table: "visits" });
      await expectRefusal(collect(source, LARGEST, { item: "user", user: "user" }), "usage");
      await expectRefusal(collect(source, LARGEST, { item: "items", user: "user" }), "unknown-column");
    });

    it("an error in a row, without the row", async () => {
      const query = `SELECT "user", CASE WHEN item = 'second' THEN 1 / 0 ELSE item::int END AS item FROM visits`;
      await expectRefusal(count({ trustQuery: true, query }), "server-failed");
    });

    it("a table that the account may not read", async () => {
      await server.sql("CREATE ROLE stranger LOGIN PASSWORD 'wrong password'");
      await expectRefusal(
        openPostgres(server.url("wrong password", "stranger"), { table: "visits" }),
        "server-refused",
      );
    });

    it("a wrong password, an unknown account, an unknown database", async () => {
      for (const url of [
        server.url("wrong password"),
        server.url(undefined, "stranger"),
        server.url().replace(/postgres$/, "nowhere"),
      ])
        await expectRefusal(openPostgres(url, { table: "visits" }), "server-refused");
    });

    it("a server that is not there", async () => {
      await expectRefusal(
        openPostgres("postgres://127.0.0.1:1/postgres", { table: "visits" }),
        "server-unreachable",
      );
    });
  });

  describe("has limits:", () => {
    it("a count that takes too long ends in the server too", async () => {
      await expectRefusal(count({ trustQuery: true, query: ENDLESS, timeLimit: 300 }), "source-limit");
      await expectNoSession(server);
    });

    it("so does a cursor that is slow only as a whole", async () => {
      const query = `SELECT number::text || repeat('x', 100) AS item, 'u' AS "user" FROM generate_series(1, 100000) AS number`;
      const source = await openPostgres(server.url(), { trustQuery: true, query, timeLimit: 1500 });
      const slowly = async () => {
        for await (const _ of source.histogram({
          item: "item",
          user: "user",
          candidates: { kind: "largest", rows: 100_000 },
        }))
          await pause(400);
      };
      await expectRefusal(slowly(), "source-limit");
      await expectNoSession(server);
    });

    it("working memory is what the limit allows, and what the server takes", async () => {
      const query = `SELECT current_setting('work_mem') || current_setting('hash_mem_multiplier') AS item, 'u' AS "user"`;
      expect(await count({ trustQuery: true, query, memoryLimit: 64 << 20 })).toEqual([["16MB2", 1]]);
      expect(await count({ trustQuery: true, query, memoryLimit: 1 })).toEqual([["64kB2", 1]]);
      expect(await count({ trustQuery: true, query, memoryLimit: 2 ** 50 })).toEqual([["2147483647kB2", 1]]);
    });
  });

  describe("can be interrupted:", () => {
    it("the query ends in the server too, and the reason is the signal's", async () => {
      const controller = new AbortController();
      const reason = new Error("enough");
      const source = await openPostgres(server.url(), { trustQuery: true, query: ENDLESS });
      const request = { item: "item", user: "user", candidates: LARGEST, signal: controller.signal };
      const counted = expect(async () => {
        for await (const _ of source.histogram(request)) expect.fail("nothing can have come");
      }).rejects.toBe(reason);
      await expectCounting(server);
      controller.abort(reason);
      await counted;
      await expectNoSession(server);
      await expect(source.histogram(request)[Symbol.asyncIterator]().next()).rejects.toBe(reason);
    });

    it("before the query is in the server, too", async () => {
      const controller = new AbortController();
      const reason = new Error("enough");
      const source = await openPostgres(server.url(), { trustQuery: true, query: ENDLESS });
      const request = { item: "item", user: "user", candidates: LARGEST, signal: controller.signal };
      const next = source.histogram(request)[Symbol.asyncIterator]().next();
      controller.abort(reason); // while it connects
      await expect(next).rejects.toBe(reason);
      await expectNoSession(server);
    });
  });
});

describeOnPostgres("A PostgreSQL server that dies", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    // A process that it just forked would hold its port for a moment longer.
    server = await PostgresServer.start(["autovacuum = off"]);
  });
  afterAll(() => server?.stop());

  it("in the middle of a count is a broken connection, and a new attempt finds it back", async () => {
    const source = await openPostgres(server.url(), { trustQuery: true, query: ENDLESS });
    const refused = expectRefusal(collect(source, LARGEST), "server-failed");
    await expectCounting(server);
    await server.crash();
    await refused;
    await expectRefusal(collect(source, LARGEST), "server-unreachable");
    await server.restart();
    const quick = await openPostgres(server.url(), {
      trustQuery: true,
      query: `SELECT 'a' AS item, 'u' AS "user"`,
    });
    expect(await collect(quick, LARGEST)).toEqual([["a", 1]]);
  });
});
