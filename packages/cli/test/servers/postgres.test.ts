import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PostgresServer } from "../../../../bench/src/scale/postgres-server.js";
import { openPostgres } from "../../src/sources/postgres.js";
import { retryLostConnections } from "../../src/sources/server-retry.js";
import type { SourceOptions } from "../../src/sources/source.js";
import { collect, sorted } from "./support/histograms.js";
import { describeOnPostgres } from "./support/installed.js";
import { expectRefusal } from "./support/refusals.js";

const LARGEST = { kind: "largest", rows: 10 } as const;
const SLOW = "SELECT 'private-row' AS item, pg_sleep(60)::text || 'secret_statement' AS \"user\"";

describeOnPostgres("PostgreSQL as a source", () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await PostgresServer.start();
    await server.sql(`
      CREATE TABLE visits ("user" text, item text);
      INSERT INTO visits VALUES ('ann', 'private-row'), ('bob', 'private-row'), ('bob', 'second')`);
  });
  afterAll(() => server?.stop());

  const count = async (options: SourceOptions, candidates: Parameters<typeof collect>[1] = LARGEST) =>
    collect(await openPostgres(server.url(), options), candidates);

  /** How many sessions of ours are still there, besides the one that asks. */
  const sessions = async () =>
    Number(await server.sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'winnow'"));

  async function expectNoSession(): Promise<void> {
    for (let turn = 0; (await sessions()) > 0; turn++) {
      expect(turn).toBeLessThan(100);
      await pause(50);
    }
  }

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
        expect(await count({ query: `SELECT "user", item FROM visits${end}` })).toEqual([
          ["private-row", 2],
          ["second", 1],
        ]);
      expect(await count({ query: `WITH few AS (SELECT * FROM visits) TABLE few` })).toHaveLength(2);
    });

    it("values of any type by their text, whatever the account's settings", async () => {
      await server.sql(`CREATE ROLE abroad LOGIN PASSWORD 'wrong password' SUPERUSER;
        ALTER ROLE abroad SET DateStyle = 'German'; ALTER ROLE abroad SET TimeZone = 'Asia/Tokyo';
        ALTER ROLE abroad SET extra_float_digits = -15; ALTER ROLE abroad SET bytea_output = 'escape'`);
      const texts = {
        "'2024-02-29'::date": "2024-02-29",
        "'2024-02-29 12:00:00+00'::timestamptz": "2024-02-29 12:00:00+00",
        "0.1::float8 + 0.2::float8": "0.30000000000000004",
        "1.50::numeric": "1.50",
        "'\\x00ff'::bytea": "\\x00ff",
        "'a  '::char(5)": "a",
        "ARRAY[1, 2]": "{1,2}",
        true: "true",
      };
      for (const [value, text] of Object.entries(texts)) {
        const query = `SELECT 1 AS "user", ${value} AS item`;
        const source = await openPostgres(server.url("wrong password", "abroad"), { query });
        expect(await collect(source, LARGEST)).toEqual([[text, 1]]);
      }
    });

    it("texts apart that the column's collation or type calls equal", async () => {
      await server.sql(`CREATE COLLATION caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
        CREATE TABLE loose (item text COLLATE caseless, "user" numeric);
        INSERT INTO loose VALUES ('a', 1), ('A', 1.0), ('a', 1.00)`);
      expect(await count({ table: "loose" })).toEqual([
        ["a", 2],
        ["A", 1],
      ]);
    });

    it("a histogram of many fetches, and stops where the reader stops", async () => {
      const query = `SELECT number AS item, 'u' AS "user" FROM generate_series(0, 24999) AS number`;
      const pairs = await count({ query }, { kind: "integers", below: 30_000 });
      expect(new Set(pairs.map(([item]) => item)).size).toBe(25_000);
      const source = await openPostgres(server.url(), { query });
      for await (const { items } of source.histogram({
        item: "item",
        user: "user",
        candidates: { kind: "integers", below: 30_000 },
      })) {
        expect(items).toHaveLength(10_000);
        break;
      }
      await expectNoSession();
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
      ["a row lock", "SELECT * FROM visits FOR UPDATE"],
    ])("%s is refused", async (_, query) => {
      await expectRefusal(count({ query }), "bad-query");
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
      await expectRefusal(count({ query: `SELECT lift() AS item, 'a' AS "user"` }), "bad-query");
      expect(await server.sql("SELECT count(*) FROM visits")).toBe("3");
    });
  });

  describe("refuses", () => {
    it.each([
      ["a table that is not there", { table: "visitors" }, "unknown-table"],
      ["a schema that is not there", { table: "nowhere.visits" }, "unknown-table"],
      ["a query that is none", { query: "SELECT FROM WHERE secret_statement" }, "bad-query"],
      ["a query with an unknown column", { query: "SELECT secret_statement FROM visits" }, "bad-query"],
      ["both a table and a query", { table: "visits", query: "SELECT 1" }, "usage"],
      ["neither", {}, "usage"],
    ] as const)("%s", async (_, options, code) => {
      await expectRefusal(count(options), code);
    });

    it("a column that the table does not have", async () => {
      const source = await openPostgres(server.url(), { table: "visits" });
      await expectRefusal(collect(source, LARGEST, { item: "items", user: "user" }), "unknown-column");
    });

    it("an error in a row, without the row", async () => {
      const query = `SELECT "user", CASE WHEN item = 'second' THEN 1 / 0 ELSE item::int END AS item FROM visits`;
      await expectRefusal(count({ query }), "server-failed");
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

    it("a database that does not say what its bytes mean", async () => {
      await server.sql(
        "CREATE DATABASE raw ENCODING SQL_ASCII TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'",
      );
      await expectRefusal(
        openPostgres(server.url().replace(/postgres$/, "raw"), { query: "SELECT 1 AS item" }),
        "unreadable-source",
      );
    });
  });

  describe("has limits:", () => {
    it("a count that takes too long ends in the server too", async () => {
      await expectRefusal(count({ query: SLOW, timeLimit: 300 }), "source-limit");
      await expectNoSession();
    });

    it("so does a cursor that is slow only as a whole", async () => {
      const query = `SELECT number::text || repeat('x', 100) AS item, 'u' AS "user" FROM generate_series(1, 100000) AS number`;
      const source = await openPostgres(server.url(), { query, timeLimit: 1500 });
      const slowly = async () => {
        for await (const _ of source.histogram({
          item: "item",
          user: "user",
          candidates: { kind: "largest", rows: 100_000 },
        }))
          await pause(400);
      };
      await expectRefusal(slowly(), "source-limit");
      await expectNoSession();
    });

    it("working memory is what the limit allows", async () => {
      const query = `SELECT current_setting('work_mem') AS item, 'u' AS "user"`;
      expect(await count({ query, memoryLimit: 64 << 20 })).toEqual([["16MB", 1]]);
    });
  });

  describe("can be interrupted:", () => {
    it("the query ends in the server too, and the reason is the signal's", async () => {
      const controller = new AbortController();
      const reason = new Error("enough");
      const source = await openPostgres(server.url(), { query: SLOW });
      const request = { item: "item", user: "user", candidates: LARGEST, signal: controller.signal };
      setTimeout(() => controller.abort(reason), 300);
      await expect(async () => {
        for await (const _ of source.histogram(request)) expect.fail("nothing can have come");
      }).rejects.toBe(reason);
      await expectNoSession();
      await expect(source.histogram(request)[Symbol.asyncIterator]().next()).rejects.toBe(reason);
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
      expect(await collect(await openPostgres(secure, { query }), LARGEST)).toEqual([["true", 1]]);
      expect(await count({ query })).toEqual([["false", 1]]);
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

describeOnPostgres("A PostgreSQL server that dies", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server?.stop());

  it("in the middle of a count is a broken connection, and a new attempt finds it back", async () => {
    const source = await openPostgres(server.url(), { query: SLOW });
    const counted = collect(source, LARGEST);
    await Promise.all([expectRefusal(counted, "server-failed"), pause(300).then(() => server.crash())]);
    await expectRefusal(collect(source, LARGEST), "server-unreachable");
    await server.restart();
    const quick = await openPostgres(server.url(), { query: `SELECT 'a' AS item, 'u' AS "user"` });
    expect(await collect(quick, LARGEST)).toEqual([["a", 1]]);
  });
});
