import { existsSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { openSource } from "../../src/sources/open-source.js";
import { histogramOf, openHere, runSql, useFolder } from "./source-folder.js";

describe("a query of a database", () => {
  const { folder } = useFolder();
  const database = `${folder}/rows.duckdb`;

  beforeAll(async () => {
    writeFileSync(`${folder}/other.csv`, "user,item\nsecret,secret\n");
    await runSql(
      `ATTACH '${folder}/other.duckdb' AS other; CREATE TABLE other.secrets AS SELECT 'secret' AS "user", 'x' AS item`,
      `ATTACH '${database}' AS made; CREATE TABLE made.visits AS SELECT 'u' || i AS "user", i % 3 AS item FROM range(30) t(i)`,
      `CREATE SCHEMA made."odd ""name"; CREATE TABLE made."odd ""name"."t;t" AS FROM made.visits`,
    );
  });

  it("is a SELECT, whose columns are its schema", async () => {
    const query = `SELECT "user" AS "user", item + 1 AS item FROM visits WHERE item < 2`;
    expect((await histogramOf(database, { query })).histogram).toEqual({ 1: 10, 2: 10 });
    const source = await openSource(database, { query });
    expect(source.columns).toEqual(["user", "item"]);
    expect(source.dialect).toEqual({ format: "duckdb", query });
    await source.close();
  });

  it.each([
    ["two statements", `SELECT 1; SELECT 2`],
    ["a statement behind a SELECT", `SELECT 1; DROP TABLE visits`],
    ["nothing", ``],
    ["a comment", `-- SELECT 1`],
    ["no SQL", `FROM WHERE`],
    ["an INSERT", `INSERT INTO visits VALUES ('a', 1)`],
    ["a DELETE", `DELETE FROM visits`],
    ["a COPY to a file", `COPY visits TO '${folder}/written.csv'`],
    ["an ATTACH", `ATTACH '${folder}/other.duckdb'`],
    ["an INSTALL", `INSTALL httpfs`],
    ["a LOAD", `LOAD httpfs`],
    ["a SET", `SET enable_external_access = true`],
    ["a PRAGMA", `PRAGMA database_list`],
    ["a CALL", `CALL pragma_version()`],
    ["an EXPORT", `EXPORT DATABASE '${folder}/exported'`],
    ["another CSV file", `SELECT * FROM read_csv('${folder}/other.csv')`],
    ["another CSV file by its name", `SELECT * FROM '${folder}/other.csv'`],
    ["the text of another file", `SELECT content AS item, filename AS "user" FROM read_text('/etc/passwd')`],
    ["the names of files", `SELECT * FROM glob('/etc/*')`],
    ["another database", `SELECT * FROM read_duckdb('${folder}/other.duckdb', table_name = 'secrets')`],
    ["a parameter", `SELECT $1 AS item, 'a' AS "user"`],
    ["a closing bracket", `SELECT * FROM visits) TO '${folder}/written.csv' --`],
    ["a table that is not there", `SELECT * FROM nothing`],
  ])("with %s is refused, trusted or not", async (_, query) => {
    await expect(openHere(database, { trustQuery: true, query })).rejects.toMatchObject({
      code: "bad-query",
    });
    await expect(openHere(database, { query })).rejects.toMatchObject({
      name: "Refusal",
      code: expect.stringMatching(/^(bad-query|untrusted-query)$/),
    });
    expect(existsSync(`${folder}/written.csv`)).toBe(false);
  });

  it("counts numbers of every type that has some, and refuses the others by their type", async () => {
    const values = ["1.5::DOUBLE", "'nan'::DOUBLE", "'infinity'::DOUBLE", "1e300::DOUBLE", "NULL"];
    const query = (column: string) => `SELECT 'u' AS "user", ${column} AS item`;
    const all = values.map(query).join(" UNION ALL ");
    const numbers = { kind: "numbers" } as const;
    expect((await histogramOf(database, { trustQuery: true, query: all }, numbers)).histogram).toEqual({
      "1.5": 1,
      "1e+300": 1,
    });
    for (const column of ["7::UTINYINT", "7::HUGEINT", "'7'", "7.50::DECIMAL(9, 2)"])
      expect(
        Object.values(
          (await histogramOf(database, { trustQuery: true, query: query(column) }, numbers)).histogram,
        ),
      ).toEqual([1]);
    for (const column of ["DATE '2026-01-31'", "true", "uuid()", "now()"])
      await expect(
        histogramOf(database, { trustQuery: true, query: query(column) }, numbers),
      ).rejects.toMatchObject({
        code: "unknown-column",
        message: expect.stringMatching(
          /^The column "item" must hold numbers, or texts that are numbers; its type is [A-Z ]+\.$/,
        ),
      });
  });

  it("skips the rows that an expression fails on, and no others, also where two expressions have a part in common", async () => {
    const path = `${folder}/failing.duckdb`;
    await runSql(
      `ATTACH '${path}' AS made; CREATE TABLE made.t AS SELECT 'u' || i AS "user", (i % 4)::VARCHAR AS code, i::BIGINT AS big FROM range(400) r(i)`,
      `INSERT INTO made.t VALUES ('u7', 'n/a', 1), ('eve', 'n/a', 9223372036854775807), ('eve', '', NULL), ('eve', '3', 9223372036854775807)`,
    );
    const count = async (query: string) => (await histogramOf(path, { query })).histogram;
    const hundreds = (...items: number[]) => Object.fromEntries(items.map((item) => [item, 100]));
    expect(await count(`SELECT "user", CAST(code AS INTEGER) AS item FROM t WHERE "user" <> 'eve'`)).toEqual(
      hundreds(0, 1, 2, 3),
    );
    expect(
      await count(`SELECT CAST(code AS INTEGER) + 7 AS item, CAST(code AS INTEGER) + big AS "user" FROM t`),
    ).toEqual({ 7: 100, 8: 100, 9: 100, 10: 100 });
    expect(await count(`SELECT big * big % 2 AS item, "user" FROM t WHERE big * big >= 0`)).toEqual({
      0: 200,
      1: 200,
    });
    expect(await count(`SELECT code AS item, "user" FROM t WHERE 1 / CAST(code AS INTEGER) > 0.4`)).toEqual(
      hundreds(0, 1, 2), // a division by zero is infinity
    );
  });

  it("reads only the tables of the file, none of the engine's own", async () => {
    for (const table of [
      "duckdb_tables",
      "information_schema.tables",
      "pg_catalog.pg_class",
      "system.main.duckdb_views",
    ])
      await expect(
        openHere(database, { query: `SELECT table_name AS item, 'a' AS "user" FROM ${table}` }),
      ).rejects.toMatchObject({ code: expect.stringMatching(/^(bad-query|untrusted-query)$/) });
    await expect(
      openHere(database, { query: `SELECT rowid AS "user", item FROM visits` }),
    ).rejects.toMatchObject({
      code: "untrusted-query",
      message: expect.stringContaining('"rowid", which isn\'t a column of the table'),
    });
  });

  it("is refused through the reader's process too", async () => {
    for (const query of ["DELETE FROM visits", `SELECT * FROM '${folder}/other.csv'`])
      await expect(openSource(database, { trustQuery: true, query })).rejects.toMatchObject({
        name: "Refusal",
        code: "bad-query",
      });
  });

  it("cannot write to the database", async () => {
    const query = `SELECT * FROM query('SELECT 1 AS item, ''a'' AS "user"')`;
    expect((await histogramOf(database, { trustQuery: true, query })).histogram).toEqual({ 1: 1 });
    expect((await histogramOf(database, { table: "visits" })).histogram).toEqual({ 0: 10, 1: 10, 2: 10 });
  });

  it("is counted over a public list too, whatever its tables are called", async () => {
    const path = `${folder}/names.duckdb`;
    await runSql(
      `ATTACH '${path}' AS made; CREATE TABLE made.counts AS SELECT 'a' AS "user", 'x' AS item`,
      `CREATE TABLE made.reject_errors AS SELECT 1; CREATE TABLE made.listed AS SELECT 1`,
    );
    const listed = { kind: "listed", items: ["x", "y"] } as const;
    expect((await histogramOf(path, { table: "counts" }, listed)).histogram).toEqual({ x: 1, y: 0 });
  });

  it("keeps texts apart that a collation of the schema would make one", async () => {
    const path = `${folder}/collated.duckdb`;
    await runSql(
      `ATTACH '${path}' AS made; CREATE TABLE made.visits ("user" VARCHAR COLLATE NOCASE, item VARCHAR COLLATE NOCASE)`,
      `INSERT INTO made.visits VALUES ('Ann', 'Apple'), ('ann', 'Apple'), ('bob', 'apple')`,
    );
    expect((await histogramOf(path, { table: "visits" })).histogram).toEqual({ Apple: 2, apple: 1 });
  });

  it("counts 0 and −0 as one user and as one item", async () => {
    const query = `SELECT unnest([0.0, -0.0]::DOUBLE[]) AS "user", unnest([-0.0, 0.0]::FLOAT[]) AS item`;
    expect((await histogramOf(database, { trustQuery: true, query })).histogram).toEqual({ "0.0": 1 });
  });

  it("has words that are called like types as words", async () => {
    const query = `SELECT "user", 'DOUBLE'::ENUM('DOUBLE', 'FLOAT') AS item FROM visits`;
    const { histogram } = await histogramOf(database, { trustQuery: true, query });
    expect(Object.keys(histogram)).toEqual(["DOUBLE"]);
  });

  it("that is trusted and fails on a value says nothing of the value", async () => {
    const query = `SELECT "user", CAST("user" AS INTEGER) AS item FROM visits`;
    await expect(histogramOf(database, { trustQuery: true, query })).rejects.toMatchObject({
      code: "unreadable-source",
      message: "The engine couldn't read the source to its end.",
    });
  });

  it("may be a table with an odd name, and one of both is needed", async () => {
    const { histogram } = await histogramOf(database, { query: `SELECT * FROM "odd ""name"."t;t"` });
    expect(histogram).toEqual({ 0: 10, 1: 10, 2: 10 });
    await expect(openSource(database, {})).rejects.toMatchObject({ code: "usage" });
    await expect(openSource(database, { table: "visits", query: "SELECT 1" })).rejects.toMatchObject({
      code: "usage",
    });
    await expect(openSource(database, { table: `visits"; DROP TABLE visits; --` })).rejects.toMatchObject({
      code: "missing-source",
    });
  });
});
