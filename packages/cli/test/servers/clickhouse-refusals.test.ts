import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ClickhouseServer } from "../../../../bench/src/scale/clickhouse-cluster.js";
import { openClickhouse, readClickhouseNames } from "../../src/sources/clickhouse/clickhouse-source.js";
import { retryLostConnections } from "../../src/sources/server-connection.js";
import type { Candidates, SourceOptions } from "../../src/sources/source.js";
import {
  countAt,
  ENDLESS,
  expectCounting,
  expectNothingRuns,
  GROWING,
  LARGEST,
  ROLES,
  type Shards,
  startWithVisits,
} from "./support/clickhouse-visits.js";
import { collect } from "./support/histograms.js";
import { describeOnClickhouse } from "./support/installed.js";
import { expectRefusal } from "./support/refusals.js";

describeOnClickhouse("ClickHouse as a source that fails", () => {
  let shards: Shards;
  let first: ClickhouseServer;
  let second: ClickhouseServer;

  beforeAll(async () => {
    shards = await startWithVisits();
    [first, second] = shards;
  });
  afterAll(async () => {
    await Promise.allSettled(shards?.map((shard) => shard.stop()) ?? []);
  });

  const count = (options: SourceOptions, candidates?: Candidates, url = first.url()) =>
    countAt(url, options, candidates);

  describe("refuses", () => {
    it.each([
      ["a table that is not there", { table: "visitors" }, "unknown-table"],
      ["a database that is not there", { table: "nowhere.visits" }, "server-refused"],
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
      ["neither a table nor a query", {}, "usage"],
    ] as const)("%s", async (_, options, code) => {
      await expectRefusal(count(options), code);
    });

    it("one column for both roles, and one that the table does not have", async () => {
      const source = await openClickhouse(first.url(), { table: "visits" });
      await expectRefusal(collect(source, LARGEST, { item: "user", user: "user" }), "usage");
      await expectRefusal(collect(source, LARGEST, { item: "items", user: "user" }), "unknown-column");
      await source.close();
    });

    it("an error in a row, without the row", async () => {
      const failing =
        "SELECT toString(throwIf(number = 5, 'private-row')) AS item, 'u' AS user FROM (SELECT number FROM system.numbers LIMIT 10)";
      await expectRefusal(count({ trustQuery: true, query: failing }), "server-failed");
    });

    it("a wrong password", async () => {
      const url = first.url({ password: "wrong password" });
      await expectRefusal(openClickhouse(url, { table: "visits" }), "server-refused");
    });

    it("a server that is not there, or is another", async () => {
      await expectRefusal(
        openClickhouse("clickhouse://127.0.0.1:1/", { table: "visits" }),
        "server-unreachable",
      );
      const plain = first.url().replace("clickhouse:", "clickhouses:");
      await expectRefusal(openClickhouse(plain, { table: "visits" }), "server-unreachable");
    });
  });

  describe("has limits", () => {
    it("of time, in the server and here, whatever the account may set", async () => {
      for (const user of ["winnow", "careful", "reader"])
        await Promise.all(
          [900, 1500].map((timeLimit) =>
            expectRefusal(
              count({ trustQuery: true, query: ENDLESS, timeLimit }, LARGEST, first.url({ user })),
              "source-limit",
            ),
          ),
        );
      await expectNothingRuns(shards);
    });

    it("of memory", async () => {
      await expectRefusal(
        count({ trustQuery: true, query: GROWING, memoryLimit: 20_000_000 }),
        "source-limit",
      );
      await expectNothingRuns(shards);
    });
  });

  describe("can be interrupted", () => {
    const reason = new Error("enough");
    const countUntil = async (user: string, signal: AbortSignal) => {
      const source = await openClickhouse(first.url({ user }), { trustQuery: true, query: ENDLESS });
      try {
        for await (const _ of source.histogram({ ...ROLES, candidates: LARGEST, signal }))
          expect.fail("nothing can have come");
      } finally {
        await source.close();
      }
    };

    it.each(["winnow", "careful", "reader"])(
      "by the account %s: the query ends in the server too, and the reason is the signal's",
      async (user) => {
        const controller = new AbortController();
        const counted = expect(countUntil(user, controller.signal)).rejects.toBe(reason);
        await expectCounting(first);
        controller.abort(reason);
        await counted;
        await expectNothingRuns(shards);
      },
    );

    it("while it connects to read a public table", async () => {
      await first.sql(`CREATE VIEW endless AS ${ENDLESS}`);
      const controller = new AbortController();
      const names = readClickhouseNames(
        first.url(),
        { table: "endless", column: "user" },
        {},
        controller.signal,
      );
      const next = names.next();
      controller.abort(reason);
      await expect(next).rejects.toBe(reason);
      await expectNothingRuns(shards);
    });

    it("before the query is in the server", async () => {
      const controller = new AbortController();
      const source = await openClickhouse(first.url(), { trustQuery: true, query: ENDLESS });
      const request = { ...ROLES, candidates: LARGEST, signal: controller.signal };
      const next = source.histogram(request)[Symbol.asyncIterator]().next();
      controller.abort(reason);
      await expect(next).rejects.toBe(reason);
      await expectNothingRuns(shards);
      await source.close();
    });
  });

  describe("A cluster of which a shard is down", () => {
    it("refuses: counts without the shard would be wrong", async () => {
      await second.crash();
      try {
        await expectRefusal(count({ table: "visits" }), "server-failed");
      } finally {
        await second.restart();
      }
      expect(await count({ table: "visits" })).toHaveLength(2);
    });

    it("refuses also if it dies in the middle", async () => {
      for (const shard of shards) {
        await shard.sql(`CREATE VIEW slow_shard AS ${ENDLESS}`);
        await shard.sql(
          "CREATE TABLE slow (item String, user String) ENGINE = Distributed(two_shards, default, slow_shard)",
        );
      }
      const refused = expectRefusal(count({ table: "slow" }), "server-failed");
      await expectCounting(second);
      await second.crash();
      await refused;
      await second.restart();
    });
  });

  describe("A server that dies in the middle", () => {
    it("is a broken connection, and an attempt after its return counts everything", async () => {
      const slow = await openClickhouse(first.url(), { trustQuery: true, query: ENDLESS });
      const quick = await openClickhouse(first.url(), { table: "visits" });
      let attempts = 0;
      const pairs = await retryLostConnections(async () => {
        if (++attempts > 1) return collect(quick, LARGEST);
        const lost = collect(slow, LARGEST);
        lost.catch(() => {}); // it is awaited below
        await expectCounting(first);
        await first.crash();
        await first.restart();
        return lost;
      });
      expect(attempts).toBe(2);
      expect(pairs).toHaveLength(2);
      await Promise.all([slow.close(), quick.close()]);
    });
  });
});
