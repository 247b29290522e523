import { afterAll, beforeAll, expect, it } from "vitest";
import { Refusal } from "winnow-release";
import { PostgresServer } from "../../../../bench/src/scale/postgres-server.js";
import { openSource } from "../../src/sources/open-source.js";
import { collect } from "./support/histograms.js";
import { describeOnPostgres } from "./support/installed.js";

describeOnPostgres("a query of PostgreSQL that needs no trust", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
    await server.sql(`
      CREATE COLLATION anycase (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      CREATE TABLE visits ("user" text COLLATE anycase, item text, day date, price numeric, tags json, n int);
      INSERT INTO visits VALUES ('Ann', 'Tea', '2026-01-31', 1.50, '[1]', 1), ('ANN', 'tea', 'infinity', 'NaN', '[1]', 2147483647),
        ('bob', 'TEA', NULL, 1e300, NULL, NULL), ('bob', NULL, '2026-02-01', 0, '{}', 0);
      CREATE TABLE notes AS SELECT "user", item FROM visits;
      INSERT INTO notes VALUES ('eve', repeat('x', 300000000)), ('eve', repeat('é', 40000))`);
  });
  afterAll(() => server?.stop());

  const count = async (query: string) => {
    const source = await openSource(server.url(), { query });
    return collect(source, { kind: "largest", rows: 10 }).finally(() => source.close());
  };

  it("keeps the equality of a user's column, and compares days, numbers and texts with constants", async () => {
    expect(await count(`SELECT "user", lower(item) AS item FROM visits`)).toEqual([["tea", 2]]);
    const where = "day < '2026-02-01' OR n IN (0, 2147483647) AND NOT price = 1.5";
    expect(await count(`SELECT v."user", upper(v.item) AS item FROM Visits v WHERE ${where}`)).toEqual([
      ["TEA", 1],
    ]);
    expect(await count(`SELECT "user", CAST(price AS text) AS item FROM visits WHERE n = 0`)).toEqual([
      ["0", 1],
    ]);
    expect(await count(`SELECT "user", tags AS item FROM visits WHERE tags IS NOT NULL`)).toEqual([
      ["[1]", 1],
      ["{}", 1],
    ]);
  });

  it("skips a text that lower() fails on, because it is too long, and no other row", async () => {
    expect(await count(`SELECT "user", lower(item) AS item FROM notes`)).toEqual([["tea", 2]]);
    const query = `SELECT "user", lower(item) AS item FROM notes`;
    const trusted = await openSource(server.url(), { trustQuery: true, query });
    await expect(collect(trusted, { kind: "largest", rows: 10 })).rejects.toBeInstanceOf(Refusal);
  });

  it.each([
    ["a collation of a column's own", `SELECT lower("user") AS "user", item FROM visits`],
    ["an aggregate that looks like a column", `SELECT "user", visits.count AS item FROM visits`],
    ["the place of a row", `SELECT ctid AS "user", item FROM visits`],
    ["the statistics of the rows", `SELECT tablename AS "user", most_common_vals AS item FROM pg_stats`],
    ["the sizes of tables", `SELECT relname AS "user", reltuples AS item FROM pg_catalog.pg_class`],
    ["a type that isn't plain", `SELECT "user", coalesce(tags, 'x') AS item FROM visits`],
  ])("doesn't have %s", async (_, query) => {
    await expect(count(query)).rejects.toMatchObject({ name: "Refusal", code: "untrusted-query" });
  });
});
