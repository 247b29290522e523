import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, it } from "vitest";
import { NUMBER_PATTERN } from "winnow-release";
import { readAll } from "../support/read-all.js";

type Column = Parameters<typeof parquetWriteBuffer>[0]["columnData"][number];

function parquet(...columnData: Column[]): File {
  return new File([parquetWriteBuffer({ columnData, rowGroupSize: 2 })], "rows.parquet");
}

const USERS: Column = { name: "user", data: ["u1", "u2", "u3", null, "u1"], type: "STRING" };
const ITEMS: Column = { name: "item", data: ["a", "a", "b", "a", "a"], type: "STRING" };

describe("a Parquet file", () => {
  it("is read one row group after the other", async () => {
    const { counts, totals, shape, shares } = await readAll(parquet(USERS, ITEMS));
    expect(counts).toEqual({ a: 2, b: 1 });
    expect(totals).toMatchObject({ rows: 5, skipped: 0 });
    expect(shape).toMatchObject({
      format: "parquet",
      columns: ["user", "item"],
      guess: { item: "item", user: "user" },
    });
    expect(shares).toEqual([2 / 5, 4 / 5, 1]);
  });

  it("has rows with values longer than a line may be, which are skipped", async () => {
    const items: Column = {
      name: "item",
      data: ["a", "b".repeat(65_536), "b".repeat(65_537), "a", "a"],
      type: "STRING",
    };
    const { counts, totals } = await readAll(parquet(USERS, items));
    expect(counts).toEqual({ a: 1, ["b".repeat(65_536)]: 1 });
    expect(totals).toMatchObject({ rows: 5, skipped: 1 });
  });

  it("has users that are numbers, none of whose digits is lost", async () => {
    const users: Column = {
      name: "user",
      data: [9007199254740993n, 9007199254740992n, 1n, 1n, -1n],
      type: "INT64",
    };
    const { counts } = await readAll(parquet(users, ITEMS));
    expect(counts).toEqual({ a: 4, b: 1 });
  });

  it("has columns that cannot be used, which are not offered", async () => {
    const days: Column = {
      name: "day",
      data: [1, 2, 3, 4, 5].map((day) => new Date(day)),
      type: "TIMESTAMP",
    };
    const { shape } = await readAll(parquet(USERS, ITEMS, days));
    expect(shape.columns).toEqual(["user", "item"]);
    await expect(readAll(parquet(USERS, ITEMS, days), { item: "day", user: "user" })).rejects.toMatchObject({
      code: "unknown-column",
    });
  });

  it.each([
    ["DOUBLE", "[0, '-0', 0.1, 5, 1e15, 1e16, 123456789012345680, 1e-4, 1e-5, 2.5e-7, -1e300, 1/3, 1e21]"],
    ["FLOAT", "[0, '-0', 0.1, 5, 16777216, 1e16, 1e-5, 3.4e38, 1/3, -0.7, 9.999999]"],
    ["DECIMAL(15,2)", "[0, 0.1, 5, 19.99, -1999.01, 1234567890123.45]"],
    ["DECIMAL(4,0)", "[0, 5, -1999]"],
  ])("has the numbers of type %s, with the texts that the command line gives them", async (type, values) => {
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const path = join(await mkdtemp(join(tmpdir(), "winnow-parquet-")), "rows.parquet");
    const rows = `SELECT unnest(${values}::${type}[]) AS price, 'u1' AS "user"`;
    await connection.run(`COPY (${rows}) TO '${path}' (FORMAT parquet)`);
    const texts = await connection.run(`SELECT DISTINCT (price + 0)::${type}::VARCHAR FROM '${path}'`);
    const expected = (await texts.getRows()).map(([text]) => String(text));
    connection.closeSync();
    const file = new File([await readFile(path)], "rows.parquet");
    await rm(dirname(path), { recursive: true });
    const { counts, shape } = await readAll(file, { item: "price", user: "user" });
    expect(shape.columns).toEqual(["price", "user"]);
    expect(Object.keys(counts).sort()).toEqual(expected.sort());
    expect(Object.keys(counts).every((text) => new RegExp(NUMBER_PATTERN).test(text))).toBe(true);
  });

  it("is refused before a row is read if it is compressed in a way that the page does not know", async () => {
    const bytes = parquetWriteBuffer({ columnData: [USERS, ITEMS], codec: "BROTLI" });
    await expect(readAll(new File([bytes], "rows.parquet"))).rejects.toMatchObject({
      code: "unknown-codec",
      message: "The file is compressed with BROTLI, which the page cannot read.",
    });
  });

  it.each([
    ["cut off at its end", (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 9)],
    ["cut off in the middle", (bytes: Uint8Array) => bytes.subarray(0, bytes.length / 2)],
    ["nothing but its mark", () => new TextEncoder().encode("PAR1PAR1")],
    [
      "overwritten where its rows were",
      (bytes: Uint8Array) => bytes.map((byte, at) => (at > 3 && at < 60 ? 0xff : byte)),
    ],
  ])("is refused if it is %s", async (_, damage) => {
    const whole = new Uint8Array(await parquet(USERS, ITEMS).arrayBuffer());
    const read = readAll(new File([Uint8Array.from(damage(whole))], "rows.parquet"));
    await expect(read).rejects.toMatchObject({
      code: "broken-file",
      message: "The file is damaged, ends too early, or was changed after you chose it.",
    });
  });
});
