import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { Task } from "../../src/worker/task.js";
import { readAll, textFile } from "../support/read-all.js";

describe("a CSV or TSV file", () => {
  it("is read line by line: one person's quote cannot swallow another's rows", async () => {
    const { counts, totals } = await readAll(
      textFile("rows.csv", "user,item", "u1,a", 'mallory,"a', "u2,a", 'u3,"a"', "u4,b", 'm"2,a'),
    );
    expect(counts).toEqual({ a: 3, b: 1 });
    expect(totals).toMatchObject({ rows: 6, skipped: 2, skippedBy: { encoding: 0, quotes: 2, fields: 0 } });
  });

  it.each([
    ["Latin-1", "windows-1252", Buffer.from("person;stra\xdfe\nu1;Allee\nu2;M\xfchle\n", "latin1")],
    ["UTF-16 with its mark", "utf-16le", Buffer.from("\ufeffperson;straße\nu1;Allee\nu2;Mühle\n", "utf16le")],
    ["UTF-16 without it", "utf-16le", Buffer.from("person;straße\nu1;Allee\nu2;Mühle\n", "utf16le")],
    [
      "UTF-16, big-endian",
      "utf-16be",
      Buffer.from("\ufeffperson;straße\nu1;Allee\nu2;Mühle\n", "utf16le").swap16(),
    ],
  ])("in %s is recognised by its header", async (_, encoding, bytes) => {
    const file = new File([new Uint8Array(bytes)], "rows.csv");
    const { counts, shape, totals } = await readAll(file, { item: "straße", user: "person" });
    expect(counts).toEqual({ Allee: 1, Mühle: 1 });
    expect(shape).toMatchObject({ encoding, dialect: { encoding } });
    expect(totals.skipped).toBe(0);
  });

  it("keeps users apart by the exact field, as text", async () => {
    const { counts } = await readAll(
      textFile(
        "rows.csv",
        "user,item",
        "17,a",
        "17.0,a",
        " 17,a",
        "017,a",
        "9007199254740993,a",
        "9007199254740992,a",
      ),
    );
    expect(counts).toEqual({ a: 6 });
  });

  it("counts a line with too few or too many fields, and an empty item or user, for nobody", async () => {
    const { counts, totals } = await readAll(
      textFile("rows.csv", "user,item", "u1", "u1,a,x", ",a", "u1,", "u1,a"),
    );
    expect(counts).toEqual({ a: 1 });
    expect(totals).toMatchObject({ rows: 5, skipped: 2 });
  });

  it.each([
    ["rows.tsv", "\t"],
    ["rows.csv", ";"],
    ["rows.csv", "|"],
    ["rows.txt", ","],
  ])("takes the delimiter of %s, %j, from the header", async (name, delimiter) => {
    const lines = [
      ["when", "user", "item"],
      ["1", "u1", "a,b"],
      ["2", "u2", "a,b"],
    ];
    const file = textFile(
      name,
      ...lines.map((fields) => fields.map((field) => quoted(field, delimiter)).join(delimiter)),
    );
    const { counts, shape } = await readAll(file);
    expect(counts).toEqual({ "a,b": 2 });
    expect(shape.columns).toEqual(["when", "user", "item"]);
    expect(shape.dialect).toMatchObject({ delimiter, quote: '"', encoding: "utf-8" });
  });

  it("guesses the columns from the header and says why", async () => {
    const { shape } = await readAll(textFile("rows.csv", "user,item", "u1,a"));
    expect(shape.guess).toEqual({
      item: "item",
      user: "user",
      why: expect.stringContaining('"item" is the item'),
    });
  });

  it("is unpacked if it is compressed, whatever its name says", async () => {
    const packed = gzipSync("user,item\nu1,a\nu2,a\n");
    for (const name of ["rows.csv.gz", "rows.csv"]) {
      const { counts, shape } = await readAll(new File([packed], name));
      expect(counts).toEqual({ a: 2 });
      expect(shape.dialect).toMatchObject({ format: "csv", compression: "gzip" });
    }
  });

  it("ends its lines with LF, CR LF or CR, and its last with nothing", async () => {
    const { counts } = await readAll(new File(["\uFEFFuser,item\r\nu1,a\ru2,a\nu3,a"], "rows.csv"));
    expect(counts).toEqual({ a: 3 });
  });

  it("loses only the line that is no UTF-8", async () => {
    const bytes = Buffer.concat([
      Buffer.from("user,item\nu1,a\nu2,"),
      Buffer.from([0xff]),
      Buffer.from("\nu3,a\n"),
    ]);
    const { counts, totals } = await readAll(new File([bytes], "rows.csv"));
    expect(counts).toEqual({ a: 2 });
    expect(totals.skipped).toBe(1);
  });
});

describe("a file of JSON lines", () => {
  it("is read line by line, by the names that are given", async () => {
    const { counts, totals, shape } = await readAll(
      textFile(
        "rows.ndjson",
        '{"u":1,"i":"a"}',
        '{"u":"2","i":"a","x":[1]}',
        '{"u":3,"i":',
        '{"u":1.0,"i":"a"}',
        "[]",
      ),
      { item: "i", user: "u" },
    );
    expect(counts).toEqual({ a: 3 });
    expect(totals).toMatchObject({ rows: 5, skipped: 2 });
    expect(shape.columns).toEqual([]);
  });
});

describe("a CSV or TSV file without a header", () => {
  const columns = { item: "2", user: "1" };

  it("has its first line counted, columns by number, and lines with at least those columns", async () => {
    const file = textFile("rows.csv", "u1,a", "u2,a,more", "u3", 'u4,"b', "u5,b");
    const { counts, totals, shape } = await readAll(file, columns, undefined, { hasHeader: false });
    expect(counts).toEqual({ a: 2, b: 1 });
    expect(totals).toMatchObject({ rows: 5, skipped: 2, skippedBy: { encoding: 0, quotes: 1, fields: 1 } });
    expect(shape).toMatchObject({
      columns: [],
      hasHeader: false,
      dialect: { header: "none, columns by number", delimiter: "," },
    });
    expect(JSON.stringify(shape)).not.toContain("u1");
  });

  it.each([
    ["rows.tsv", "\t", {}],
    ["rows.csv", ";", { delimiter: ";" }],
  ])("%s is split at %j", async (name, delimiter, given) => {
    const file = textFile(name, ["u1", "a"].join(delimiter), ["u2", "a"].join(delimiter));
    const { counts } = await readAll(file, columns, undefined, { hasHeader: false, ...given });
    expect(counts).toEqual({ a: 2 });
  });

  it.each(["0", "user", "1.5", "", "1001"])("refuses %j as the number of a column", async (item) => {
    const reading = readAll(textFile("rows.csv", "u1,a"), { item, user: "1" }, undefined, {
      hasHeader: false,
    });
    await expect(reading).rejects.toThrow("a column must be a number from 1 to 1000");
  });
});

it("skips blank lines before a header", async () => {
  const { counts, totals } = await readAll(textFile("rows.csv", "", "", "user,item", "u1,a"));
  expect(counts).toEqual({ a: 1 });
  expect(totals).toMatchObject({ rows: 1, skipped: 0 });
});

describe("what is no file of rows is refused in one sentence", () => {
  it.each([
    ["an empty file", new File([], "rows.csv"), "empty-file", "The file is empty."],
    [
      "a nameless column",
      textFile("rows.csv", "user,,item", "u1,,a"),
      "broken-header",
      "a name for each column",
    ],
    ["a name twice", textFile("rows.csv", "user,user", "u1,a"), "broken-header", "a line of distinct names"],
    [
      "bytes",
      new File([new Uint8Array([0, 1, 2, 0xff, 10])], "rows.csv"),
      "not-text",
      "does not begin with a line of text",
    ],
    ["a NUL", textFile("rows.csv", "us\0er,item"), "not-text", "does not begin with a line of text"],
    [
      "one endless line",
      new File(["x".repeat(2_000_000)], "rows.csv"),
      "not-text",
      "does not begin with a line of text",
    ],
    [
      "an array of JSON",
      textFile("rows.json", "[", '{"user":1,"item":2}', "]"),
      "not-text",
      "one JSON array",
    ],
    [
      "the same if its first row is none, for no row decides what a file is",
      textFile("rows.json", '{"user":1,"item":2}'),
      "not-text",
      "one JSON array",
    ],
    [
      "half a gzip",
      new File([gzipSync("user,item\nu1,a\n").subarray(0, 12)], "rows.csv.gz"),
      "broken-file",
      "damaged",
    ],
  ])("%s", async (_, file, code, sentence) => {
    const read = readAll(file);
    await expect(read).rejects.toMatchObject({ code });
    await expect(read).rejects.toThrow(sentence);
  });

  it("a column that the header does not have", async () => {
    const read = readAll(textFile("rows.csv", "user,item", "u1,a"), { item: "items", user: "user" });
    await expect(read).rejects.toMatchObject({ code: "unknown-column" });
    await expect(read).rejects.toThrow('The file has no column "items".');
  });

  it("a file that declares two gigabytes, before a byte is read", async () => {
    const file = new File(["user,item\n"], "rows.csv");
    Object.defineProperty(file, "size", { value: 2 ** 31 });
    Object.defineProperty(file, "slice", { value: () => expect.fail("it was read") });
    Object.defineProperty(file, "stream", { value: () => expect.fail("it was read") });
    await expect(readAll(file)).rejects.toMatchObject({ code: "too-large" });
  });

  it("a gzip that was cut off after its header line", async () => {
    const rows = Array.from({ length: 50_000 }, (_, row) => `u${row},${row * 7919}`);
    const packed = gzipSync(["user,item", ...rows].join("\n"));
    const read = readAll(new File([packed.subarray(0, packed.length / 2)], "rows.csv.gz"));
    await expect(read).rejects.toMatchObject({ code: "broken-file" });
  });
});

describe("reading", () => {
  it("tells its progress and ends when it is cancelled", async () => {
    const rows = Array.from({ length: 60_000 }, (_, row) => `u${row},a`);
    const file = textFile("rows.csv", "user,item", ...rows);
    const { shares } = await readAll(file);
    expect(shares.length).toBeGreaterThan(2);
    expect(shares.at(-1)).toBe(1);
    expect(shares).toEqual(shares.toSorted((a, b) => a! - b!));
    const task = new Task();
    task.cancel();
    await expect(readAll(file, undefined, task)).rejects.toMatchObject({ code: "cancelled" });
  });

  it("makes the built-in example, the same every time", async () => {
    const columns = { item: "area", user: "user" };
    const [one, other] = [await readAll("example", columns), await readAll("example", columns)];
    expect(one.counts).toEqual(other.counts);
    expect(Object.keys(one.counts).sort()).toEqual([...one.shape.candidates!].sort());
  });
});

function quoted(field: string, delimiter: string): string {
  return field.includes(delimiter) ? `"${field}"` : field;
}
