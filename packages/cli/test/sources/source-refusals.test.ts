import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openSource } from "../../src/sources/open-source.js";
import { ORDINARY } from "../support/ordinary-account.js";
import { histogramOf, openHere, runSql, useFolder } from "./source-folder.js";

describe("a source that cannot be read is refused in one sentence", () => {
  const { folder, write } = useFolder();
  mkdirSync(`${folder}/directory.csv`);
  write("empty.csv", "");
  write("empty.parquet", "");
  write("empty.json", "");
  write("empty.csv.gz", gzipSync(""));
  write("blank.csv", "\n\n");
  write("twice.csv", "user,user\na,b\n");
  write("unnamed.csv", "user,\na,b\n");
  write("open-quote.csv", 'user,"item\na,b\n');
  write(
    "junk.csv",
    Uint8Array.from({ length: 5000 }, (_, i) => (i * i * 31 + 7 * i) % 256),
  );
  write("junk.parquet", "this is no Parquet file");
  write("junk.duckdb", "this is no database");
  write("plain.csv.gz", "user,item\na,b\n");
  write("more.csv.gz", Buffer.concat([gzipSync("user,item\na,b\n"), Buffer.from("\x1fmore")]));
  write("object.json", '[{"user":"a","item":"b"}');
  write("data", "user,item\n");
  write("one.csv", "user,item\na,b\n");
  write("set-1.csv", "user,item\na,b\n");
  write("set-2.csv", "user;item\na;b\n");

  it.each([
    ["a missing file", "missing.csv", {}, "missing-source", "doesn't exist"],
    ["a pattern that matches nothing", "missing-*.csv", {}, "missing-source", "No file matches"],
    ["a directory", "directory.csv", {}, "unreadable-source", "is a directory"],
    ["an empty file", "empty.csv", {}, "empty-source", "is empty"],
    ["an empty Parquet file", "empty.parquet", {}, "empty-source", "is empty"],
    ["an empty JSON file", "empty.json", { multiline: true }, "empty-source", "is empty"],
    ["an empty compressed file", "empty.csv.gz", {}, "empty-source", "is empty"],
    ["nothing but blank lines", "blank.csv", {}, "empty-source", "is empty"],
    ["a header with a name twice", "twice.csv", {}, "broken-header", "distinct names"],
    ["a header with a column without name", "unnamed.csv", {}, "broken-header", "a name for each column"],
    ["a header with an open quote", "open-quote.csv", {}, "broken-header", "every quote is closed"],
    ["binary junk as CSV", "junk.csv", {}, "broken-header", "header line"],
    ["junk as Parquet", "junk.parquet", {}, "unreadable-source", "can't be read as Parquet"],
    [
      "junk as a database",
      "junk.duckdb",
      { table: "t" },
      "unreadable-source",
      "can't be opened as a DuckDB database",
    ],
    [
      "a compressed file with more after it",
      "more.csv.gz",
      {},
      "unreadable-source",
      "has other bytes after the end",
    ],
    ["a file that is not compressed", "plain.csv.gz", {}, "unreadable-source", "isn't compressed with gzip"],
    [
      "an array that is not closed",
      "object.json",
      { multiline: true },
      "unreadable-source",
      "isn't one JSON array",
    ],
    ["a name without a format", "data", {}, "usage", "--format"],
    ["files with different headers", "set-*.csv", {}, "broken-header", "different header lines"],
    ["a query of a file", "one.csv", { trustQuery: true, query: "SELECT 1" }, "usage", "need a database"],
    [
      "a delimiter of two characters",
      "one.csv",
      { delimiter: ",," },
      "usage",
      "delimiter must be one character",
    ],
  ])("%s", async (_, name, options, code, sentence) => {
    await expect(openHere(`${folder}/${name}`, options)).rejects.toMatchObject({
      name: "Refusal",
      code,
      message: expect.stringContaining(sentence),
    });
  });

  it.each([
    ["missing.csv", "missing-source"],
    ["empty.csv", "empty-source"],
    ["twice.csv", "broken-header"],
    ["junk.parquet", "unreadable-source"],
    ["data", "usage"],
  ])("through the reader's process too: %s", async (name, code) => {
    await expect(openSource(`${folder}/${name}`)).rejects.toMatchObject({ name: "Refusal", code });
  });

  it.each(["cut.csv.gz", "cut.ndjson.gz"])("a compressed file that was cut off, %s", async (name) => {
    const lines = Array.from({ length: 2000 }, (_, i) =>
      name.includes("csv") ? `u${i},a` : `{"user":"u${i}","item":"a"}`,
    );
    const whole = gzipSync(`user,item\n${lines.join("\n")}\n`);
    write(name, whole.subarray(0, whole.length - 9));
    await expect(histogramOf(`${folder}/${name}`)).rejects.toMatchObject({
      code: "unreadable-source",
      message: expect.stringContaining("is truncated or damaged"),
    });
    write(name, whole);
    await expect(histogramOf(`${folder}/${name}`)).resolves.toBeDefined();
  });

  it("standard input without a format", async () => {
    await expect(openSource("-", {})).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("--format"),
    });
  });

  it("a scheme that no source has", async () => {
    await expect(openSource("ftp://host/rows.csv")).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("ftp://"),
    });
  });

  it("a column that is not there", async () => {
    write("other.csv", "who,what\na,b\n");
    await expect(histogramOf(`${folder}/other.csv`)).rejects.toMatchObject({ code: "unknown-column" });
  });

  it("lines of JSON in a .json file, whatever the first of them holds", async () => {
    for (const line of ['{"user":"a","item":"b"}', "\u0000", "[1"]) {
      const path = write("lines.json", `${line}\n{"user":"a","item":"b"}\n`);
      await expect(openSource(path, { multiline: true })).rejects.toMatchObject({
        code: "unreadable-source",
      });
    }
  });

  it("an array of JSON whose writer nobody trusts, whatever it holds", async () => {
    for (const text of ['[{"user":"a","item":"b"}]', '[{"user":"a","x":[0', ""])
      await expect(openSource(write("array.json", text))).rejects.toMatchObject({
        code: "usage",
        message: expect.stringContaining("A JSON array must come from a trusted writer"),
      });
  });

  it("Parquet files whose columns have different types, whatever they hold", async () => {
    for (const user of ["'7'", "'u7'"]) {
      await runSql(
        `COPY (SELECT 1 AS "user", 'a' AS item) TO '${folder}/typed-1.parquet'`,
        `COPY (SELECT ${user} AS "user", 'a' AS item) TO '${folder}/typed-2.parquet'`,
      );
      await expect(openSource(`${folder}/typed-*.parquet`)).rejects.toMatchObject({ code: "broken-header" });
    }
  });

  it("a column that holds lists", async () => {
    await runSql(`COPY (SELECT [1, 2] AS item, 'a' AS "user") TO '${folder}/lists.parquet'`);
    await expect(histogramOf(`${folder}/lists.parquet`)).rejects.toMatchObject({
      code: "unknown-column",
      message: expect.stringContaining("not lists"),
    });
  });

  it("a file that this account may not read", () => {
    const path = write("secret.csv", "user,item\n");
    chmodSync(path, 0o000);
    const module = fileURLToPath(new URL("../../dist/sources/files/find-files.js", import.meta.url));
    const script = `const { findFiles } = await import(${JSON.stringify(module)});
      await findFiles(undefined, ${JSON.stringify(path)}).catch((error) => console.log(error.code, error.message));`;
    const [program, ...args] = [...ORDINARY, process.execPath, "--input-type=module", "-e", script];
    const { stdout } = spawnSync(program, args, { encoding: "utf8" });
    expect(stdout).toContain("no-permission");
    expect(stdout).toContain("can't be opened by this account");
  });

  it("but an NDJSON file without lines is a file in which nobody is", async () => {
    expect(await histogramOf(write("empty.ndjson", ""))).toEqual({ histogram: {}, skipped: 0 });
    expect(await histogramOf(write("header.csv", "user,item\n"))).toEqual({ histogram: {}, skipped: 0 });
  });
});
