/** Files of another writer, DuckDB, in every compression that the page says it reads. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, it } from "vitest";
import { READABLE_CODECS } from "../../src/reading/parquet-file.js";
import { readAll } from "../support/read-all.js";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "winnow-codecs-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it.each(READABLE_CODECS)("a file compressed with %s is read", async (codec) => {
  const { counts, totals } = await readAll(await written(codec));
  expect(totals).toMatchObject({ rows: 30_000, skipped: 0 });
  expect(counts).toEqual(
    Object.fromEntries(Array.from({ length: 7 }, (_, area) => [`area ${area}`, people(area)])),
  );
});

it.each(["GZIP", "ZSTD"])("a file compressed with %s whose pages are damaged is refused", async (codec) => {
  const bytes = new Uint8Array(await (await written(codec)).arrayBuffer());
  const damaged = bytes.map((byte, at) => (at > 60 && at < 400 ? byte ^ 0x5a : byte));
  await expect(readAll(new File([damaged], "rows.parquet"))).rejects.toMatchObject({ code: "broken-file" });
});

async function written(codec: string): Promise<File> {
  const path = join(folder, `${codec}.parquet`);
  const database = await (await DuckDBInstance.create()).connect();
  await database.run(`COPY (SELECT 'user ' || (row % 10000) AS "user", 'area ' || (row % 7) AS item FROM range(30000) rows(row))
    TO '${path}' (FORMAT parquet, CODEC '${codec}', ROW_GROUP_SIZE 8000)`);
  database.closeSync();
  return new File([await readFile(path)], "rows.parquet");
}

/** How many different users the rows of an area name. */
function people(area: number): number {
  const rows = Array.from({ length: 30_000 }, (_, row) => row).filter((row) => row % 7 === area);
  return new Set(rows.map((row) => row % 10_000)).size;
}
