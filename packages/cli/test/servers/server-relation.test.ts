import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CLICKHOUSE_QUERIES } from "../../src/sources/clickhouse/clickhouse-query.js";
import { POSTGRES_QUERIES } from "../../src/sources/postgres/postgres-query.js";
import { quotePostgres } from "../../src/sources/postgres/postgres-sql.js";
import { readRelation, splitName } from "../../src/sources/server-source.js";
import type { SourceOptions } from "../../src/sources/source.js";
import { expectRefusal } from "./support/refusals.js";

describe("The name of a table", () => {
  it.each([
    ["visits", ["visits"]],
    ["clinic.visits", ["clinic", "visits"]],
    [" clinic . visits ", ["clinic", "visits"]],
    ['"my schema"."a.b"', ["my schema", "a.b"]],
    ['"say ""hi"""', ['say "hi"']],
    ["`od``d`.x", ["od`d", "x"]],
    ["Größe.日本", ["Größe", "日本"]],
  ])("%s has the parts %j", (name, parts) => {
    expect(splitName(name)).toEqual(parts);
  });

  it.each(["", " ", ".", "a.", ".a", "a b", 'a"b', '"a', '""', "a;b c", "a\0", 'visits" --'])(
    "%j is none",
    async (name) => {
      await expectRefusal(
        Promise.resolve().then(() => splitName(name)),
        "usage",
      );
    },
  );

  it("is read back from its quotes, whatever it is", () => {
    const part = fc.string({ minLength: 1, unit: "binary" }).filter((text) => !text.includes("\0"));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), (parts) => {
        expect(splitName(parts.map(quotePostgres).join("."))).toEqual(parts);
      }),
    );
  });
});

describe("A relation", () => {
  const relationOf = (options: SourceOptions, dialect = POSTGRES_QUERIES) =>
    readRelation(options, dialect)(async () => []);

  it("quotes a name as its engine does", async () => {
    expect(await relationOf({ table: '"a""b".c' })).toEqual({ kind: "table", sql: '"a""b"."c"' });
    expect(await relationOf({ table: '"a`b\\".c' }, CLICKHOUSE_QUERIES)).toEqual({
      kind: "table",
      sql: "`a\\`b\\\\`.`c`",
    });
  });

  it("keeps a trusted query in parentheses that no comment at its end can reach", async () => {
    const sqlOf = async (query: string) => (await relationOf({ trustQuery: true, query })).sql;
    expect(await sqlOf("select 1 -- one;")).toBe("(select 1 -- one\n)");
    expect(await sqlOf("  WITH a AS (SELECT 1) SELECT * FROM a ;")).toBe(
      "(WITH a AS (SELECT 1) SELECT * FROM a\n)",
    );
  });

  it.each(["INSERT INTO a VALUES (1)", "selection", "", "COPY a TO PROGRAM 'x'", "(SELECT 1)"])(
    "is no statement such as %j",
    async (query) => {
      for (const trustQuery of [true, false])
        await expectRefusal(
          Promise.resolve().then(() => relationOf({ trustQuery, query })),
          "bad-query",
        );
    },
  );
});
