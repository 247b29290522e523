import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, describe, expect, it } from "vitest";
import { replayData } from "../../src/neighbour-replay/replay-data.js";

const PEOPLE = 1;

describe("the replay on somebody's own file", () => {
  const folder = mkdtempSync(join(tmpdir(), "winnow-test-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const rows = Array.from({ length: 60 }, (_, i) => ({ who: `person ${i % 20}`, what: `thing ${i % 7}` }));
  const write = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const csv = `who;time;what\r\n${rows.map(({ who, what }) => `${who};"1;2";${what}`).join("\r\n")}`;

  it.each([
    ["CSV", () => write("rows.csv", csv)],
    ["CSV through gzip", () => write("rows.csv.gz", gzipSync(csv))],
    ["NDJSON", () => write("rows.ndjson", rows.map((row) => JSON.stringify(row)).join("\n"))],
    ["Parquet", () => writeParquet(join(folder, "rows.parquet"), join(folder, "rows.csv"))],
  ])("leaves its people out and lets strangers in, through %s", async (_, make) => {
    const location = await make();
    const report = await replayData({ location, item: "what", user: "who", people: PEOPLE, seed: "data" });
    expect(report).toMatchObject({
      pairs: 2 * PEOPLE,
      failures: [],
      largestChange: 1,
      pairsRefused: 0,
      releases: 16 * PEOPLE,
    });
    expect(report.pairsWithChange).toBe(2 * PEOPLE);
    expect(inspect(report)).not.toMatch(/person|thing/);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`winnow-${process.pid}-`))).toEqual([]);
  });

  it.each([
    ["a JSON array", "count-moved-too-far", () => write("rows.json", JSON.stringify(rows))],
    ["CSV with newlines in fields", "refused-alone", () => write("rows.csv", csv)],
  ])("finds what trust in the writer would allow: %s", async (_, found, make) => {
    const replay = { location: make(), item: "what", user: "who", people: 2, seed: "trust" };
    const { failures } = await replayData({ ...replay, options: { multiline: true } });
    expect(failures.map(({ failure }) => failure)).toContain(found);
  });

  it("does not read a JSON array without that trust", async () => {
    const location = write("rows.json", JSON.stringify(rows));
    await expect(replayData({ location, item: "what", user: "who" })).rejects.toThrow(
      "A JSON array must come from a trusted writer",
    );
  });

  it.each([
    ["few people", "who,what\nann,oak\nbob,elm\n", 2],
    ["nobody", "who,what\n", 0],
    ["somebody who is called like the column", "who,what\nwho,oak\n", 1],
  ])("leaves the header where it is in a file of %s", async (_, content, people) => {
    const location = write("few.csv", content);
    const report = await replayData({ location, item: "what", user: "who", people: 2, seed: "few" });
    expect(report).toMatchObject({ pairs: people + 2, failures: [], pairsRefused: 0 });
  });

  it("refuses what it cannot read, and databases", async () => {
    await expect(
      replayData({ location: join(folder, "none.csv"), item: "a", user: "b" }),
    ).rejects.toMatchObject({ code: "missing-source" });
    const location = write("rows.csv", csv);
    await expect(replayData({ location, item: "a", user: "who" })).rejects.toMatchObject({
      code: "unknown-column",
    });
  });
});

async function writeParquet(path: string, from: string): Promise<string> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`COPY (FROM read_csv('${from}')) TO '${path}'`);
  connection.closeSync();
  return path;
}
