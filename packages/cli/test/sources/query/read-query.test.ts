import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Refusal } from "winnow-release";
import { CLICKHOUSE_QUERIES } from "../../../src/sources/clickhouse/clickhouse-query.js";
import { DUCKDB_QUERIES } from "../../../src/sources/files/open-relation.js";
import { POSTGRES_QUERIES } from "../../../src/sources/postgres/postgres-query.js";
import type { QueryDialect, TableColumn } from "../../../src/sources/query/query-dialect.js";
import { readQuery } from "../../../src/sources/query/read-query.js";
import { TRINO_QUERIES } from "../../../src/sources/trino/trino-sql.js";

const COLUMNS: readonly TableColumn[] = [
  { name: "user", family: "text" },
  { name: "item", family: "text" },
  { name: "n", family: "exact" },
  { name: "x", family: "float" },
  { name: "ok", family: "boolean" },
  { name: "day", family: "date" },
  { name: "moment", family: "time" },
  { name: "tags", family: "other" },
];
const DIALECTS = [DUCKDB_QUERIES, TRINO_QUERIES, POSTGRES_QUERIES, CLICKHOUSE_QUERIES];
const [TRYING, CAREFUL] = [DIALECTS.slice(0, 2), DIALECTS.slice(2)];

function print(query: string, dialect: QueryDialect): string {
  return readQuery(query, dialect).print(COLUMNS);
}

function refusalOf(query: string, dialect: QueryDialect): Refusal {
  try {
    print(query, dialect);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error(`accepted: ${query}`);
}

describe("a query is printed anew", () => {
  it("with every expression and the condition under TRY where the engine has it", () => {
    const query = `select v.user as "user", CAST(item AS integer)+1 item /* one */ FROM Visits AS v -- two
      WHERE NOT n % 2 = 1 AND item LIKE 'it''s%' OR ok;`;
    expect(print(query, TRINO_QUERIES)).toBe(
      `SELECT "user" AS "user", TRY((CAST("item" AS integer) + 1)) AS "item" FROM "visits" ` +
        `WHERE TRY((((NOT (("n" % 2) = 1)) AND ("item" LIKE 'it''s%')) OR "ok"))`,
    );
    expect(print("SELECT * FROM a.t", DUCKDB_QUERIES)).toMatch(/FROM "source"\."a"\."t"$/);
  });

  it("with names as the engine knows them, functions with their schema and texts of a bounded length: PostgreSQL", () => {
    expect(print(`SELECT USER, lower(Item) AS Thing FROM Visits WHERE "ok"`, POSTGRES_QUERIES)).toBe(
      `SELECT "user" AS "user", pg_catalog.lower(CASE WHEN pg_catalog.octet_length("item") <= 65536 THEN "item" END) AS "thing" FROM "visits" WHERE "ok"`,
    );
  });

  it("with columns that no name after AS can reach: ClickHouse", () => {
    expect(print("SELECT day AS item, user FROM visits WHERE item = 'tea'", CLICKHOUSE_QUERIES)).toBe(
      "SELECT winnow_column_1 AS `item`, winnow_column_2 AS `user` FROM (SELECT `day` AS winnow_column_1, `user` AS winnow_column_2, `item` AS winnow_column_3 FROM `visits`) WHERE (winnow_column_3 = 'tea')",
    );
  });

  it("so that what was printed is read as the same query again, whatever it is", () => {
    const expression = fc.letrec<{ any: string }>((tie) => ({
      any: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom("item", '"user"', "n", "'it''s'", "17", "-1.5e3", "NULL", "DATE '2026-01-31'"),
        fc
          .tuple(tie("any"), fc.constantFrom("+", "=", "||", "AND", "OR", "<>", "%"), tie("any"))
          .map((parts) => `(${parts.join(" ")})`),
        tie("any").map((each) => `(NOT ${each})`),
        tie("any").map((each) => `CAST(${each} AS decimal(9, 2))`),
        tie("any").map((each) => `(${each} IS NOT NULL)`),
        fc.tuple(tie("any"), tie("any")).map(([a, b]) => `coalesce(${a}, ${b})`),
        fc.tuple(tie("any"), tie("any")).map(([a, b]) => `CASE WHEN ${a} THEN ${b} ELSE 'x' END`),
        fc.tuple(tie("any"), tie("any")).map(([a, b]) => `(${a} NOT IN (${b}, 3))`),
      ),
    })).any;
    fc.assert(
      fc.property(expression, (each) => {
        const once = print(`SELECT ${each} AS item, "user" FROM visits WHERE ${each}`, TRINO_QUERIES);
        const again = once.replaceAll(/TRY\(/g, "(");
        expect(print(again, TRINO_QUERIES).replaceAll("TRY(", "(").replaceAll(/[()]/g, "")).toBe(
          again.replaceAll(/[()]/g, ""),
        );
      }),
      { numRuns: 200, seed: 7 },
    );
  });
});

const ACROSS_PEOPLE: readonly (readonly [string, string])[] = [
  ["a join", "SELECT item, user FROM visits JOIN other ON n = m"],
  ["a second table", "SELECT item, user FROM visits, other"],
  ["a window", "SELECT row_number() OVER () AS user, item FROM visits"],
  ["an aggregate", "SELECT max(item) AS item, user FROM visits GROUP BY user"],
  ["an aggregate of all rows", "SELECT count(*) AS item, user FROM visits"],
  ["a group", "SELECT item, user FROM visits GROUP BY item, user"],
  ["a limit", "SELECT item, user FROM visits LIMIT 1000"],
  ["an order", "SELECT item, user FROM visits ORDER BY n"],
  ["distinct rows", "SELECT DISTINCT item, user FROM visits"],
  ["a sample", "SELECT item, user FROM visits TABLESAMPLE BERNOULLI (10)"],
  ["a sample of ClickHouse", "SELECT item, user FROM visits SAMPLE 1/10"],
  ["settings", "SELECT item, user FROM visits SETTINGS max_threads = 1"],
  ["the last versions of rows", "SELECT item, user FROM visits FINAL"],
  ["a union", "SELECT item, user FROM visits UNION ALL SELECT item, user FROM visits"],
  ["a common table", "WITH v AS (SELECT * FROM visits) SELECT item, user FROM v"],
  ["a subquery as a table", "SELECT item, user FROM (SELECT * FROM visits)"],
  ["a subquery as a value", "SELECT (SELECT max(item) FROM visits) AS item, user FROM visits"],
  [
    "a subquery in a condition",
    "SELECT item, user FROM visits WHERE user > (SELECT median(user) FROM visits)",
  ],
  ["a subquery in a list", "SELECT item, user FROM visits WHERE user IN (SELECT user FROM other)"],
  ["a subquery that exists", "SELECT item, user FROM visits WHERE EXISTS (SELECT 1 FROM other)"],
  ["a table function", "SELECT item, user FROM generate_series(1, 10)"],
  [
    "a table without rows of people",
    "SELECT relname AS item, 'a' AS user FROM pg_catalog.information_schema.a.b",
  ],
  ["a random number", "SELECT item, user FROM visits WHERE random() < 0.5"],
  ["an error", "SELECT item, error('x') AS user FROM visits"],
  ["a function of a schema", "SELECT public.f(item) AS item, user FROM visits"],
  ["a column that isn't one", "SELECT ctid AS user, item FROM visits"],
  ["a function that looks like a column", "SELECT visits.count AS item, user FROM visits"],
  ["a column of another table", "SELECT other.item AS item, user FROM visits"],
  ["a text of any length", "SELECT repeat(item, 1000000000) AS item, user FROM visits"],
  ["a replacement of any length", "SELECT replace(item, 'a', item) AS item, user FROM visits"],
  ["a backslash", "SELECT item, user FROM visits WHERE item = 'a\\'"],
  ["a text in dollars", "SELECT $$a$$ AS item, user FROM visits"],
  ["an escaped text", "SELECT E'a' AS item, user FROM visits"],
  ["a list", "SELECT [1, 2] AS item, user FROM visits"],
  ["an expression without a name", "SELECT lower(item), user FROM visits"],
  ["a comparison of a comparison", "SELECT item, user FROM visits WHERE n < n < n"],
  [
    "more parentheses than anyone writes",
    `SELECT ${"(".repeat(200)}n${")".repeat(200)} AS item, user FROM visits`,
  ],
  [
    "more words than anyone writes",
    `SELECT ${Array.from({ length: 2000 }, () => "n").join(" + ")} AS item FROM visits`,
  ],
];

describe("a query that may do something across people, or with any row, is refused without --trust-query", () => {
  it.each(ACROSS_PEOPLE)("%s", (_, query) => {
    for (const dialect of DIALECTS)
      expect(refusalOf(query, dialect).code, dialect.engine).toBe("untrusted-query");
  });

  it.each([
    ["SELECT item, user FROM visits JOIN b ON true", "got JOIN."],
    ["SELECT row_number() OVER () AS user FROM visits", "got a window (OVER)."],
    ["SELECT item, user FROM visits WHERE n IN (SELECT 1)", "got a subquery."],
    ["SELECT DISTINCT item FROM visits", "got DISTINCT. Leave it out"],
    ["SELECT random() AS item FROM visits", "got the function random."],
  ])("and the refusal names it: %s", (query, words) => {
    expect(refusalOf(query, DUCKDB_QUERIES).message).toContain(words);
  });

  it("two statements, and one that isn't a SELECT, are no queries at all", () => {
    for (const query of [
      "SELECT item FROM visits; DROP TABLE visits",
      "DELETE FROM visits",
      "",
      "-- SELECT 1",
    ])
      for (const dialect of DIALECTS) expect(refusalOf(query, dialect).code).toBe("bad-query");
  });
});

const CAN_FAIL: readonly (readonly [string, string])[] = [
  ["a cast to a number", "CAST(item AS integer)"],
  ["a short cast", "item::integer"],
  ["a division", "n / n"],
  ["a remainder", "n % 2"],
  ["a logarithm", "ln(x)"],
  ["a comparison of different types", "CASE WHEN n = x THEN 1 END"],
  ["a text that isn't a day", "CASE WHEN day = '2026-02-30' THEN 1 END"],
  ["a text that isn't a time", "CASE WHEN moment = 'now' THEN 1 END"],
  ["a number and a text", "coalesce(n, 'x')"],
  ["a pattern from the rows", "CASE WHEN item LIKE user THEN 1 END"],
  ["a position from the rows", "substring(item, n, 2)"],
  ["a length below zero", "substring(item, 1, -2)"],
  ["a column of another type", "coalesce(tags, 'x')"],
  ["a regular expression", "match(item, 'x')"],
];

describe("where the engine has no TRY, an expression that can fail on a row is refused, and the refusal says what to use", () => {
  it.each(CAN_FAIL)("%s", (_, expression) => {
    for (const dialect of CAREFUL) {
      const refusal = refusalOf(`SELECT ${expression} AS item, user FROM visits`, dialect);
      expect(refusal.code).toBe("untrusted-query");
      expect(refusal.message).toContain(`${dialect.engine} has no TRY`);
      expect(refusal.message).toContain("CASE");
    }
  });

  it("and arithmetic that overflows in PostgreSQL", () => {
    expect(refusalOf("SELECT n + 1 AS item FROM visits", POSTGRES_QUERIES).message).toContain(
      "the operator +",
    );
    expect(print("SELECT n + 1 AS item FROM visits", CLICKHOUSE_QUERIES)).toContain("+ 1)");
  });

  it.each([
    "tags",
    "lower(item)",
    "item || ':' || user",
    "coalesce(item, 'none')",
    "CASE WHEN n BETWEEN 1 AND 9 AND day >= '2026-01-31' THEN 'few' ELSE item END",
    "CASE WHEN tags IS NULL OR item IN ('a', 'b') OR NOT item LIKE 'a%' THEN item END",
    "CASE WHEN moment < '2026-01-31 08:00:00' THEN x END",
  ])("but not %s", (expression) => {
    for (const dialect of DIALECTS) print(`SELECT ${expression} AS item, user FROM visits`, dialect);
  });

  it("and a conversion with a name of its own", () => {
    print(
      "SELECT toInt64OrNull(item) AS item, toString(n) AS user FROM visits".replace(
        "toString(n)",
        "CAST(n AS String)",
      ),
      CLICKHOUSE_QUERIES,
    );
    print("SELECT CAST(n AS text) AS item, left(item, 3) AS user FROM visits", POSTGRES_QUERIES);
    for (const dialect of TRYING)
      print("SELECT CAST(item AS integer) / n AS item, user FROM visits", dialect);
  });
});
