import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ClickhouseServer } from "../../../../bench/src/scale/clickhouse-cluster.js";
import { CountingProxy, through } from "../../../../bench/src/scale/counting-proxy.js";
import { openClickhouse } from "../../src/sources/clickhouse/clickhouse-source.js";
import type { Candidates, SourceOptions } from "../../src/sources/source.js";
import { countAt, LARGEST, type Shards, startWithVisits } from "./support/clickhouse-visits.js";
import { collect, sorted } from "./support/histograms.js";
import { describeOnClickhouse } from "./support/installed.js";
import { expectRefusal } from "./support/refusals.js";

/** Where the hour from two to three comes twice that night. */
const SET_BACK = "'Europe/Berlin'";
const NIGHT = ["1729989000", "1729992600"];
/** Two that are not a number, by their bits. */
const NAN = ["nan", "reinterpretAsFloat64(unhex('010000000000f8ff'))"];
/** Old servers want to be asked. */
const NEW_TYPES = { allow_experimental_low_cardinality_type: "1" };
const COLOURS = "Enum8('= 7)' = 5, 'red' = 7)";

describeOnClickhouse("Values of ClickHouse", () => {
  let shards: Shards;
  let first: ClickhouseServer;
  let tables = 0;

  beforeAll(async () => {
    shards = await startWithVisits();
    [first] = shards;
  });
  afterAll(async () => {
    await Promise.allSettled(shards?.map((shard) => shard.stop()) ?? []);
  });

  const count = (options: SourceOptions, candidates?: Candidates) =>
    countAt(first.url(), options, candidates);

  /** A table on both shards with these values in one column and 'one' in the other, on either shard. */
  async function tableOf(
    type: string,
    values: readonly string[],
    name: string,
    other: string,
  ): Promise<string> {
    const table = `values_${tables++}`;
    const columns = `(${name} ${type}, ${other} String)`;
    for (const shard of shards) {
      await shard.sql(`CREATE TABLE ${table}_shard ${columns} ENGINE = Memory`, NEW_TYPES);
      for (const value of values) await shard.sql(`INSERT INTO ${table}_shard SELECT ${value}, 'one'`);
    }
    const both = `ENGINE = Distributed(two_shards, default, ${table}_shard)`;
    await first.sql(`CREATE TABLE ${table} ${columns} ${both}`, NEW_TYPES);
    return table;
  }

  describe("are one user if the column calls them equal:", () => {
    it.each([
      ["Float64", ["toFloat64(0)", "-0.", ...NAN, "0.5"], 3],
      ["Nullable(Float32)", ["toFloat32(0)", "toFloat32(-0.)", "NULL"], 1],
      ["String", ["'Ann'", "'ann'", "'Ann '", "'a\\0b'", "'a\\0c'", "unhex('ff')", "unhex('fe')", "''"], 7],
      ["LowCardinality(String)", ["'Ann'", "'ann'", "''"], 2],
      ["LowCardinality(Nullable(String))", ["'Ann'", "'ann'", "''", "NULL"], 2],
      ["FixedString(4)", ["'Ann'", "'ann'", "'Ann\\0'", "''"], 2],
      [COLOURS, ["'= 7)'", "'red'"], 2],
      [`Nullable(${COLOURS})`, ["'= 7)'", "'red'", "NULL"], 2],
      ["Nullable(Decimal(9, 2))", ["toDecimal32('1', 2)", "toDecimal32('1.00', 2)", "NULL"], 1],
      [`DateTime(${SET_BACK})`, NIGHT.map((time) => `toDateTime(${time})`), 2],
      ["Nullable(UInt64)", ["9007199254740992", "9007199254740993", "NULL"], 2],
      ["Nullable(UUID)", ["toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0')", "NULL"], 1],
    ] as const)("%s", async (type, values, users) => {
      const table = await tableOf(type, values, "user", "item");
      expect(await count({ table })).toEqual([["one", users]]);
    });
  });

  describe("are one item if their texts are equal, and come once:", () => {
    it.each([
      ["Float64", ["toFloat64(0)", "-0.", ...NAN, "0.5"], ["-0", "0", "0.5", "nan"]],
      ["Nullable(Float32)", ["toFloat32(0)", "toFloat32(0.1)", "NULL"], ["0", "0.1"]],
      ["String", ["'a\\0b'", "'a'", "'a\\0'", "'A'", "''"], ["A", "a", "a\0", "a\0b"]],
      ["LowCardinality(Nullable(String))", ["'a'", "'A'", "''", "NULL"], ["A", "a"]],
      ["Nullable(FixedString(4))", ["'a'", "'a\\0b'", "''", "NULL"], ["a", "a\0b"]],
      [COLOURS, ["'= 7)'", "'red'"], ["= 7)", "red"]],
      [`Nullable(${COLOURS})`, ["'= 7)'", "NULL", "'red'"], ["= 7)", "red"]],
      ["Decimal(9, 2)", ["toDecimal32('1.5', 2)", "toDecimal32('1.50', 2)"], ["1.50"]],
      [
        `DateTime(${SET_BACK})`,
        NIGHT.map((time) => `toDateTime(${time})`),
        ["2024-10-27 00:30:00", "2024-10-27 01:30:00"],
      ],
      ["Nullable(DateTime)", ["toDateTime(1729989000)", "NULL"], ["2024-10-27 00:30:00"]],
      ["Nullable(Date)", ["toDate('2024-02-29')", "NULL"], ["2024-02-29"]],
    ] as const)("%s", async (type, values, items) => {
      const table = await tableOf(type, values, "item", "user");
      const expected = items.map((item): [string, number] => [item, 1]);
      expect(sorted(await count({ table }))).toEqual(sorted(expected));
      const listed = { kind: "listed", items: [...items, "absent"] } as const;
      expect(sorted(await count({ table }, listed))).toEqual(sorted([...expected, ["absent", 0]]));
    });
  });

  it("of lists are refused, as they are in files", async () => {
    const query = "SELECT [1, 2] AS item, 'u' AS user";
    await expectRefusal(count({ trustQuery: true, query }), "unknown-column");
  });

  it("in columns with the names that the count uses are refused, and counted under others", async () => {
    const query =
      "SELECT 'a' AS item, arrayJoin(['x', 'y']) AS winnow_item, 1 AS winnow_users, 1 AS winnow_person";
    const source = await openClickhouse(first.url(), { trustQuery: true, query });
    for (const user of ["winnow_item", "winnow_users", "winnow_person"])
      await expectRefusal(collect(source, LARGEST, { item: "item", user }), "unknown-column");
    await source.close();
    expect(
      await count({ trustQuery: true, query: `SELECT item, winnow_item AS user FROM (${query})` }),
    ).toEqual([["a", 2]]);
  });

  it("that are longer than a line of a file may be count for nobody", async () => {
    const query =
      "SELECT arrayStringConcat(arrayMap(x -> 'x', range(arrayJoin([65536, 65537]))), '') AS item, 'u' AS user";
    const [short, long] = [65_536, 65_537].map((length) => "x".repeat(length));
    expect(await count({ trustQuery: true, query })).toEqual([[short, 1]]);
    expect(await count({ trustQuery: true, query }, { kind: "listed", items: [short, long] })).toEqual([
      [short, 1],
      [long, 0],
    ]);
  });

  it("that are longer than every listed name do not come over the network", async () => {
    const query =
      "SELECT concat(toString(number), toString(range(200000))) AS item, 'u' AS user FROM (SELECT number FROM system.numbers LIMIT 9)";
    const proxy = await CountingProxy.start(first.port);
    const source = await openClickhouse(through(proxy, first.url()), { trustQuery: true, query });
    const items = Array.from({ length: 200_000 }, (_, number) => `listed ${number}`);
    expect(await collect(source, { kind: "listed", items })).toHaveLength(items.length);
    await source.close();
    proxy.stop();
    expect(proxy.received).toBeLessThan(100_000);
  });

  it("of other places are not fetched by the server, neither for a query nor for a view", async () => {
    let requests = 0;
    const other = createServer((_, response) => response.end(`${++requests}\tu\n`));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : expect.fail("no port");
    const fetched = `url('http://127.0.0.1:${port}/', 'TabSeparated', 'item String, user String')`;
    await first.sql(`CREATE VIEW fetching AS SELECT item, user FROM ${fetched}`);
    expect(await first.sql("SELECT count() FROM fetching")).toBe("1");
    const before = requests;
    await expectRefusal(count({ table: "fetching" }), "bad-query");
    for (const from of [fetched, "file('x', 'TabSeparated', 'item String, user String')"])
      await expectRefusal(count({ trustQuery: true, query: `SELECT item, user FROM ${from}` }), "bad-query");
    const remote = "SELECT 'a' AS item, 'u' AS user FROM remote('127.0.0.1', system.one)";
    await expectRefusal(count({ trustQuery: true, query: remote }), "bad-query");
    expect(requests).toBe(before);
    other.close();
  });
});
