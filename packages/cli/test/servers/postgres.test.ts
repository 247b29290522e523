import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CountingProxy, through } from "../../../../bench/src/scale/counting-proxy.js";
import type { PostgresServer } from "../../../../bench/src/scale/postgres-server.js";
import { openPostgres } from "../../src/sources/postgres/postgres-source.js";
import { retryLostConnections } from "../../src/sources/server-connection.js";
import type { Candidates, SourceOptions } from "../../src/sources/source.js";
import { collect, sorted } from "./support/histograms.js";
import { describeOnPostgres } from "./support/installed.js";
import { countOf, expectNoSession, LARGEST, startWithVisits } from "./support/postgres-visits.js";
import { expectRefusal } from "./support/refusals.js";

describeOnPostgres("PostgreSQL as a source", () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startWithVisits();
  });
  afterAll(() => server?.stop());

  const count = (options: SourceOptions, candidates?: Candidates) => countOf(server, options, candidates);

  describe("reads", () => {
    it("a table of a schema by names that need quotes", async () => {
      await server.sql(`CREATE SCHEMA "My ""Schema"; CREATE TABLE "My ""Schema"."a.b" ("us er" int, "it""em" int);
        INSERT INTO "My ""Schema"."a.b" VALUES (1, 5), (2, 5), (2, 6), (NULL, 7), (3, NULL)`);
      const source = await openPostgres(server.url(), { table: '"My ""Schema"."a.b"' });
      expect(source.columns).toEqual(["us er", 'it"em']);
      expect(source.dialect).toEqual({ engine: "postgresql", read: "table", encoding: "UTF8" });
      const columns = { item: 'it"em', user: "us er" };
      expect(await collect(source, LARGEST, columns)).toEqual([
        ["5", 2],
        ["6", 1],
      ]);
      expect(await collect(source, { kind: "integers", below: 6 }, columns)).toEqual([["5", 2]]);
      const listed = { kind: "listed", items: ["6", "7", "nul\0"] } as const;
      expect(sorted(await collect(source, listed, columns))).toEqual([
        ["6", 1],
        ["7", 0],
        ["nul\0", 0],
      ]);
    });

    it("the result of a query, also with a comment or a semicolon at its end", async () => {
      for (const end of ["", ";", " -- that is all", "\n"])
        expect(await count({ trustQuery: true, query: `SELECT "user", item FROM visits${end}` })).toEqual([
          ["private-row", 2],
          ["second", 1],
        ]);
      expect(
        await count({ trustQuery: true, query: `WITH few AS (SELECT * FROM visits) TABLE few` }),
      ).toHaveLength(2);
    });

    it("no faster than the reader takes it", async () => {
      const query = `SELECT number AS item, 'u' AS "user" FROM generate_series(0, 299999) AS number`;
      const proxy = await CountingProxy.start(server.port);
      const source = await openPostgres(through(proxy, server.url()), { trustQuery: true, query });
      const candidates = { kind: "integers", below: 1e9 } as const;
      for await (const { items } of source.histogram({ item: "item", user: "user", candidates })) {
        expect(items).toHaveLength(10_000);
        await pause(1000); // time enough for all 7 MB
        break;
      }
      expect(proxy.received).toBeLessThan(1e6);
      proxy.stop();
    });

    it("a histogram of many fetches, and stops where the reader stops", async () => {
      const query = `SELECT number AS item, 'u' AS "user" FROM generate_series(0, 24999) AS number`;
      const pairs = await count({ trustQuery: true, query }, { kind: "integers", below: 30_000 });
      expect(new Set(pairs.map(([item]) => item)).size).toBe(25_000);
      const source = await openPostgres(server.url(), { trustQuery: true, query });
      for await (const { items } of source.histogram({
        item: "item",
        user: "user",
        candidates: { kind: "integers", below: 30_000 },
      })) {
        expect(items).toHaveLength(10_000);
        break;
      }
      await expectNoSession(server);
    });
  });

  describe("only reads:", () => {
    it.each([
      ["a statement that writes", "INSERT INTO visits VALUES ('x', 'y')"],
      ["a statement that writes within", "WITH gone AS (DELETE FROM visits RETURNING *) SELECT * FROM gone"],
      ["a second statement", "SELECT * FROM visits) AS a; DELETE FROM visits; --"],
      [
        "a way out of the transaction",
        "SELECT 1) AS a; COMMIT; DELETE FROM visits; SELECT * FROM (SELECT * FROM visits",
      ],
      ["a copy into a file", "COPY visits TO '/tmp/winnow-copy'"],
      ["a row lock", "SELECT * FROM visits FOR UPDATE"],
    ])("%s is refused", async (_, query) => {
      await expectRefusal(count({ trustQuery: true, query }), "bad-query");
      expect(await server.sql("SELECT count(*) FROM visits")).toBe("3");
    });

    it("a view with a side effect is refused, and has none", async () => {
      await server.sql(`CREATE TABLE watched (who text);
        CREATE FUNCTION watch() RETURNS text LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO watched VALUES ('secret_statement'); RETURN 'private-row'; END $$;
        CREATE VIEW watching AS SELECT "user", watch() AS item FROM visits;
        CREATE SEQUENCE numbers; CREATE VIEW numbering AS SELECT "user", nextval('numbers')::text AS item FROM visits`);
      await expectRefusal(count({ table: "watching" }), "bad-query");
      await expectRefusal(count({ table: "numbering" }), "bad-query");
      expect(await server.sql("SELECT count(*) FROM watched")).toBe("0");
      expect(await server.sql("SELECT is_called FROM numbers")).toBe("f");
    });

    it("a function that lifts the restriction does not lift it", async () => {
      await server.sql(`CREATE FUNCTION lift() RETURNS text LANGUAGE plpgsql AS $$ BEGIN
        PERFORM set_config('transaction_read_only', 'off', false); DELETE FROM visits; RETURN 'x'; END $$`);
      await expectRefusal(
        count({ trustQuery: true, query: `SELECT lift() AS item, 'a' AS "user"` }),
        "bad-query",
      );
      expect(await server.sql("SELECT count(*) FROM visits")).toBe("3");
    });
  });

  describe("speaks TLS", () => {
    const tls = (mode: string, rest = "") =>
      openPostgres(`${server.url()}?sslmode=${mode}${rest}`, { table: "visits" });

    it("with a certificate that it is told to trust, and with no other", async () => {
      for (const mode of ["require", "verify-ca", "verify-full"]) {
        await expectRefusal(tls(mode), "server-refused");
        const source = await tls(mode, `&sslrootcert=${encodeURIComponent(server.certificate)}`);
        expect(await collect(source, LARGEST)).toHaveLength(2);
      }
      const query = `SELECT 'u' AS "user", ssl::text AS item FROM pg_stat_ssl WHERE pid = pg_backend_pid()`;
      const secure = `${server.url()}?sslmode=require&sslrootcert=${encodeURIComponent(server.certificate)}`;
      expect(await collect(await openPostgres(secure, { trustQuery: true, query }), LARGEST)).toEqual([
        ["true", 1],
      ]);
      expect(await count({ trustQuery: true, query })).toEqual([["false", 1]]);
    });

    it("for the name that the certificate has", async () => {
      const other = server.url().replace("127.0.0.1", "localhost");
      const trusted = `sslrootcert=${encodeURIComponent(server.certificate)}`;
      await expectRefusal(
        openPostgres(`${other}?sslmode=verify-full&${trusted}`, { table: "visits" }),
        "server-refused",
      );
      const nameless = await openPostgres(`${other}?sslmode=verify-ca&${trusted}`, { table: "visits" });
      expect(await collect(nameless, LARGEST)).toHaveLength(2);
    });

    it("and nothing that falls back to plain text", async () => {
      for (const mode of ["prefer", "allow", "anything"]) await expectRefusal(tls(mode), "usage");
    });
  });

  describe("survives", () => {
    it("a connection that breaks: the run starts again from its first row", async () => {
      const source = await openPostgres(server.url(), {
        trustQuery: true,
        query: `SELECT number AS item, 'u' AS "user" FROM generate_series(0, 29999) AS number`,
      });
      let attempts = 0;
      const pairs = await retryLostConnections(async () => {
        attempts++;
        const items: string[] = [];
        for await (const batch of source.histogram({
          item: "item",
          user: "user",
          candidates: { kind: "integers", below: 30_000 },
        })) {
          items.push(...batch.items);
          if (attempts > 1) continue;
          await server.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'winnow'",
          );
        }
        return items;
      });
      expect(attempts).toBe(2);
      expect(new Set(pairs).size).toBe(30_000);
      expect(pairs).toHaveLength(30_000);
    });
  });
});
