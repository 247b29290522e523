import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { openSource } from "../../src/sources/open-source.js";
import type { Source, SourceOptions } from "../../src/sources/source.js";
import { folder } from "../support/winnow.js";

const COLUMNS = { user: "user", item: "item" };
const PAIRS = [
  ["ann lee", "mail"],
  ["Ann Lee", "mail"],
  ["ann\u00a0 lee ", "news"],
  ["ÉVA", "mail"],
  ["éva", "mail"],
  ["éva", "news"],
  ["annlee", "mail"],
  ["bob", "mail"],
  ["BOB", ""],
] as const;
const CSV = `user,item\n${PAIRS.map((pair) => `${pair.join(",")}\n`).join("")}`;

async function opened<T>(location: string, options: SourceOptions, work: (source: Source) => Promise<T>) {
  const source = await openSource(location, options);
  try {
    for await (const _ of source.histogram({ ...COLUMNS, candidates: { kind: "largest", rows: 9 } }));
    return await work(source);
  } finally {
    await source.close();
  }
}

describe("users that differ only in case or spaces", () => {
  it("are counted alike in every format, once each, if their rows count", async () => {
    const place = folder({
      "rows.csv": CSV,
      "rows.ndjson": PAIRS.map(([user, item]) => `${JSON.stringify({ user, item })}\n`).join(""),
      "rows.csv.gz": gzipSync(CSV),
    });
    const database = await DuckDBInstance.create(place.file("rows.duckdb"));
    const connection = await database.connect();
    await connection.run('CREATE TABLE visits ("user" VARCHAR, item VARCHAR)');
    for (const pair of PAIRS) await connection.run("INSERT INTO visits VALUES (?, ?)", [...pair]);
    await connection.run(`COPY visits TO '${place.file("rows.parquet")}' (FORMAT parquet)`);
    connection.closeSync();
    database.closeSync();
    for (const name of ["rows.csv", "rows.ndjson", "rows.csv.gz", "rows.parquet", "rows.duckdb"]) {
      const options = name === "rows.duckdb" ? { table: "visits" } : {};
      const similar = await opened(place.file(name), options, (source) => source.similarUsers(COLUMNS));
      expect(similar, name).toBe(5);
    }
    const query = 'SELECT "user", item FROM visits';
    const asked = await opened(place.file("rows.duckdb"), { query }, (source) =>
      source.similarUsers(COLUMNS),
    );
    expect(asked).toBeUndefined();
  });

  it("never end a run; only Ctrl-C does", async () => {
    const place = folder({ "rows.csv": CSV });
    await opened(place.file("rows.csv"), {}, async (source) => {
      expect(await source.similarUsers({ user: "user", item: "absent" })).toBeUndefined();
      const signal = AbortSignal.abort();
      await expect(source.similarUsers({ ...COLUMNS, signal })).rejects.toMatchObject({
        code: "interrupted",
      });
      expect(await source.similarUsers(COLUMNS)).toBeUndefined(); // the reader is gone
    });
  });
});
