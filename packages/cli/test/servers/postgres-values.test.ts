import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CountingProxy, through } from "../../../../bench/src/scale/counting-proxy.js";
import type { PostgresServer } from "../../../../bench/src/scale/postgres-server.js";
import { openPostgres } from "../../src/sources/postgres/postgres-source.js";
import type { Candidates, SourceOptions } from "../../src/sources/source.js";
import { collect, sorted } from "./support/histograms.js";
import { describeOnPostgres } from "./support/installed.js";
import { countOf, LARGEST, startWithVisits } from "./support/postgres-visits.js";
import { expectRefusal } from "./support/refusals.js";

describeOnPostgres("Values of PostgreSQL", () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startWithVisits();
    await server.sql(`CREATE EXTENSION citext;
      CREATE COLLATION caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      CREATE DOMAIN email AS citext; CREATE DOMAIN nickname AS text COLLATE caseless`);
  });
  afterAll(() => server?.stop());

  const count = (options: SourceOptions, candidates?: Candidates) => countOf(server, options, candidates);
  const valuesOf = (type: string, values: readonly string[], name: string, other: string) => {
    const rows = values.map((value) => `(${value}::${type}, 'one')`);
    return `SELECT * FROM (VALUES ${rows.join(", ")}) AS rows ("${name}", "${other}")`;
  };

  describe("are one user if the column calls them equal:", () => {
    it.each([
      ["citext", ["'Ann'", "'ANN'", "'bob'"], 2],
      ["email", ["'Ann'", "'ANN'", "'bob'"], 2],
      ["text COLLATE caseless", ["'Ann'", "'ANN'", "'bob'"], 2],
      ["nickname", ["'Ann'", "'ANN'", "'bob'"], 2],
      ["char(9) COLLATE caseless", ["'Ann'", "'ANN '", "'bob'"], 2],
      ["text", ["'Ann'", "'ANN'", "'Ann '", "''", "NULL"], 3],
      ["varchar", ["'Ann'", "'ANN'", "'Ann '", "''", "NULL"], 3],
      ["char(9)", ["'Ann'", "'ANN'", "'Ann '", "' '", "NULL"], 2],
      ["numeric", ["1", "1.0", "1.00", "'NaN'", "'NaN'", "NULL"], 2],
      ["float8", ["0", "'-0'", "'NaN'", "'NaN'", "0.1", "NULL"], 3],
      ["interval", ["'1 month'", "'30 days'", "'1 day'"], 2],
      ["jsonb", [`'{"id": 1}'`, `'{"id":1.0}'`, `'{"id":2}'`], 2],
      ["numeric[]", ["'{1}'", "'{1.0}'", "'{2}'"], 2],
      ["timestamptz", ["'2024-10-27 02:30+02'", "'2024-10-27 00:30+00'", "'2024-10-27 02:30+01'"], 2],
      ["bool", ["true", "'t'", "false", "NULL"], 2],
      ["bytea", ["'\\x00'", "'\\x0000'", "'\\x'"], 3],
      ["json", [`'{"id":1}'`, `'{"id":1}'`, `'{"id":2}'`], 2], // which has no equality of its own
      ["point", ["'(1,2)'", "'(1,2)'", "'(2,1)'"], 2],
    ] as const)("%s", async (type, values, users) => {
      expect(await count({ trustQuery: true, query: valuesOf(type, values, "user", "item") })).toEqual([
        ["one", users],
      ]);
    });
  });

  describe("are different items if their texts differ:", () => {
    it.each([
      ["citext", ["'a'", "'A'", "'á'"], ["A", "a", "á"]],
      ["text COLLATE caseless", ["'a'", "'A'", "'a '"], ["A", "a", "a "]],
      ["numeric", ["1", "1.0", "'NaN'"], ["1", "1.0", "NaN"]],
      ["float8", ["0", "'-0'", "'NaN'"], ["-0", "0", "NaN"]],
      ["char(9)", ["'a'", "'a '", "'b'"], ["a", "b"]],
    ] as const)("%s", async (type, values, items) => {
      const query = valuesOf(type, values, "item", "user");
      const expected = sorted(items.map((item) => [item, 1]));
      expect(sorted(await count({ trustQuery: true, query }))).toEqual(expected);
      const listed = { kind: "listed", items: [...items, "absent"] } as const;
      expect(sorted(await count({ trustQuery: true, query }, listed))).toEqual(
        sorted([...expected, ["absent", 0]]),
      );
    });
  });

  it("have the same text whatever the account's settings", async () => {
    await server.sql(`CREATE ROLE abroad LOGIN PASSWORD 'wrong password' SUPERUSER;
      ALTER ROLE abroad SET DateStyle = 'German'; ALTER ROLE abroad SET TimeZone = 'Asia/Tokyo';
      ALTER ROLE abroad SET IntervalStyle = 'iso_8601'; ALTER ROLE abroad SET lc_monetary = 'C.UTF-8';
      ALTER ROLE abroad SET extra_float_digits = -15; ALTER ROLE abroad SET bytea_output = 'escape'`);
    const texts = {
      "'2024-02-29'::date": "2024-02-29",
      "'2024-02-29 12:00:00+00'::timestamptz": "2024-02-29 12:00:00+00",
      "'1 month 2 days'::interval": "1 mon 2 days",
      "0.1::float8 + 0.2::float8": "0.30000000000000004",
      "1.50::numeric": "1.50",
      "12.5::money": "$12.50",
      "'\\x00ff'::bytea": "\\x00ff",
      "'a  '::char(5)": "a",
      "ARRAY[1, 2]": "{1,2}",
      true: "true",
      "current_setting('lc_monetary')": "C",
    };
    for (const [value, text] of Object.entries(texts)) {
      const query = `SELECT 1 AS "user", ${value} AS item`;
      const source = await openPostgres(server.url("wrong password", "abroad"), { trustQuery: true, query });
      expect(await collect(source, LARGEST)).toEqual([[text, 1]]);
    }
  });

  it("are counted by the system's own functions, whatever others were put beside them", async () => {
    await server.sql(`CREATE TABLE short ("user" varchar, item varchar);
      INSERT INTO short VALUES ('ann', 'a'), ('bob', 'a'), ('bob', 'b');
      CREATE FUNCTION never(varchar, varchar) RETURNS bool LANGUAGE sql AS 'SELECT false';
      CREATE FUNCTION million(bigint, text) RETURNS bigint LANGUAGE sql AS 'SELECT 1000000::bigint';
      CREATE OPERATOR <> (LEFTARG = varchar, RIGHTARG = varchar, FUNCTION = never);
      CREATE OPERATOR = (LEFTARG = varchar, RIGHTARG = varchar, FUNCTION = never);
      CREATE AGGREGATE count(text) (SFUNC = million, STYPE = bigint);
      CREATE FUNCTION unnest(text[]) RETURNS SETOF text LANGUAGE sql AS $$ SELECT 'other' $$;
      CREATE FUNCTION octet_length(varchar) RETURNS int LANGUAGE sql AS 'SELECT 1000000'`);
    const counts = [
      ["a", 2],
      ["b", 1],
    ];
    expect(await count({ table: "short" })).toEqual(counts);
    expect(sorted(await count({ table: "short" }, { kind: "listed", items: ["a", "b"] }))).toEqual(counts);
    const long = { kind: "listed", items: ["a", "b", "x".repeat(1 << 20)] } as const;
    expect(sorted(await count({ table: "short" }, long)).slice(0, 2)).toEqual(counts);
    await server.sql("DROP TABLE short; DROP FUNCTION unnest(text[]), octet_length(varchar)");
    await server.sql("DROP AGGREGATE count(text); DROP FUNCTION never, million CASCADE");
  });

  it("that are longer than a line of a file may be count for nobody", async () => {
    const query = `SELECT repeat('x', length) AS item, 'u' AS "user" FROM (VALUES (65536), (65537)) AS lengths (length)`;
    const [short, long] = [65_536, 65_537].map((length) => "x".repeat(length));
    expect(await count({ trustQuery: true, query })).toEqual([[short, 1]]);
    expect(await count({ trustQuery: true, query }, { kind: "listed", items: [short, long] })).toEqual([
      [short, 1],
      [long, 0],
    ]);
  });

  it("that are longer than every listed name do not come over the network", async () => {
    const query = `SELECT repeat(number::text, 1000000) AS item, 'u' AS "user" FROM generate_series(1, 9) AS number`;
    const proxy = await CountingProxy.start(server.port);
    const source = await openPostgres(through(proxy, server.url()), { trustQuery: true, query });
    const items = Array.from({ length: 200_000 }, (_, number) => `listed ${number}`);
    const pairs = await collect(source, { kind: "listed", items });
    proxy.stop();
    expect(pairs).toHaveLength(items.length);
    expect(proxy.received).toBeLessThan(100_000);
  });

  describe("in other encodings", () => {
    const other = (name: string, query: string) =>
      openPostgres(server.url().replace(/postgres$/, name), { trustQuery: true, query });
    const create = (encoding: string) =>
      server.sql(
        `CREATE DATABASE "${encoding}" ENCODING '${encoding}' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'`,
      );

    it("are compared with names that these do not have", async () => {
      await create("LATIN1");
      const source = await other("LATIN1", `SELECT 'caf' || chr(233) AS item, 'u' AS "user"`);
      expect(source.dialect.encoding).toBe("LATIN1");
      const listed = { kind: "listed", items: ["café", "日本", "nul\0"] } as const;
      expect(sorted(await collect(source, listed))).toEqual([
        ["café", 1],
        ["nul\0", 0],
        ["日本", 0],
      ]);
      expect(await collect(source, LARGEST)).toEqual([["café", 1]]);
    });

    it("are refused where a byte may have no meaning: one row could stop the count", async () => {
      for (const encoding of ["SQL_ASCII", "WIN1252"]) {
        await create(encoding);
        await expectRefusal(other(encoding, "SELECT 1 AS item"), "unreadable-source");
      }
    });
  });
});
