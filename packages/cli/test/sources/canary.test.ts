import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { uniformBelow } from "winnow-dp/sample";
import { seededEntropy } from "winnow-dp/testing";
import { amount } from "../../../core/test/support/amount.js";
import { Reader } from "../../src/sources/files/reader.js";
import { openSource } from "../../src/sources/open-source.js";
import type { SourceOptions } from "../../src/sources/source.js";
import { EVERYTHING, runSql, useFolder } from "./source-folder.js";

const CANARY = "canary-b7e1";
const [FILES, THROUGH_PROCESS] = [amount(60, 160), amount(8, 20)];
const TEXTS = ["csv", "tsv", "ndjson", "json", "csv.gz"];
/** The engine may crash or go on for ever on damaged files of these, so only its own process reads them. */
const BINARIES = ["parquet", "duckdb"];
const TIME_LIMIT = 60_000;

interface Malformed {
  readonly name: string;
  readonly options: SourceOptions;
}

describe("a canary in private rows", () => {
  const { folder, write } = useFolder();
  const whole = new Map<string, Uint8Array>();
  const entropy = seededEntropy("canary");

  beforeAll(async () => {
    const rows = Array.from({ length: 30 }, (_, i) => ({
      user: `${CANARY} ${i}`,
      item: `${CANARY} ${i % 4}`,
    }));
    const lines = (delimiter: string) =>
      rows.map(({ user, item }) => `"${user}"${delimiter}${item}`).join("\n");
    await runSql(
      `CREATE TABLE visits AS SELECT '${CANARY} ' || i AS "user", '${CANARY} ' || i % 4 AS item FROM range(30) t(i)`,
      `COPY visits TO '${folder}/whole.parquet'`,
      `ATTACH '${folder}/whole.duckdb' AS made; CREATE TABLE made.visits AS FROM visits`,
    );
    whole.set("csv", Buffer.from(`user,item\n${lines(",")}\n`));
    whole.set("tsv", Buffer.from(`user\titem\n${lines("\t")}\n`));
    whole.set("ndjson", Buffer.from(rows.map((row) => JSON.stringify(row)).join("\n")));
    whole.set("json", Buffer.from(JSON.stringify(rows)));
    whole.set("csv.gz", gzipSync(whole.get("csv")!));
    for (const format of BINARIES)
      whole.set(
        format,
        await import("node:fs").then(({ readFileSync }) => readFileSync(`${folder}/whole.${format}`)),
      );
  });

  /** A file of rows that was damaged behind its header: bytes changed, cut off, doubled or turned. */
  function malformed(n: number, formats: readonly string[]): Malformed {
    const format = formats[n % formats.length];
    const bytes = Buffer.from(whole.get(format)!);
    const start = format === "csv" || format === "tsv" ? 10 : 0;
    const place = () => start + uniformBelow(bytes.length - start, entropy);
    for (let changes = uniformBelow(8, entropy); changes >= 0; changes--)
      bytes[place()] = [34, 10, 0, 255, 44, 123, 92, uniformBelow(256, entropy)][uniformBelow(8, entropy)];
    const cut = uniformBelow(3, entropy) === 0 ? bytes.subarray(0, place()) : bytes;
    const name = `${n}.${format}`;
    write(name, uniformBelow(5, entropy) === 0 ? Buffer.concat([cut, bytes]) : cut);
    const table =
      uniformBelow(2, entropy) === 0
        ? { table: "visits" }
        : { trustQuery: true, query: `SELECT "user", item::INTEGER AS item FROM visits` };
    return {
      name,
      options: {
        ...(format === "duckdb" && table),
        multiline: format === "json" || (uniformBelow(6, entropy) === 0 && format === "csv"),
      },
    };
  }

  it(`is in nothing that ${FILES} malformed files make the reader say`, async () => {
    const own = mkdtempSync(join(tmpdir(), "winnow-test-canary-"));
    let refusals = 0;
    for (let n = 0; n < FILES; n++) {
      const { name, options } = malformed(n, TEXTS);
      const said = await sayings(() => Reader.open({ location: join(folder, name), folder: own }, options));
      if (said.some((each) => each instanceof Error)) refusals++;
      expect(inspect(said, { depth: 9 })).not.toContain(CANARY);
    }
    rmSync(own, { recursive: true });
    expect(refusals).toBeGreaterThan(FILES / 10);
    expect(refusals).toBeLessThan(FILES);
  });

  it("is in nothing that leaves the reader's process", async () => {
    for (let n = 0; n < THROUGH_PROCESS; n++) {
      const { name, options } = malformed(FILES + (n >> 1), n % 2 === 0 ? BINARIES : TEXTS);
      const said: unknown[] = [];
      try {
        const source = await openSource(join(folder, name), { ...options, timeLimit: TIME_LIMIT });
        try {
          said.push(source.columns, source.dialect);
          const onProgress = (share: number | undefined) => said.push(share);
          for await (const _ of source.histogram({
            item: "item",
            user: "user",
            candidates: EVERYTHING,
            onProgress,
          }));
          said.push(source.skippedLines());
        } finally {
          await source.close();
        }
      } catch (error) {
        expect(error).toMatchObject({ name: "Refusal" });
        said.push(error, (error as Error).cause);
      }
      expect(said).not.toHaveLength(0);
      expect(inspect(said, { depth: 9 })).not.toContain(CANARY);
    }
  });

  it("would be found in what the engine itself says", async () => {
    const path = write(
      "text.csv",
      `user,item
${CANARY},x
`,
    );
    const said = await runSql(`SELECT CAST("user" AS INTEGER) FROM '${path}'`).catch((error) => error);
    expect(inspect(said)).toContain(CANARY);
  });
});

/** Everything that a reader says about a file except its counts. */
async function sayings(open: () => Promise<Reader>): Promise<unknown[]> {
  const said: unknown[] = [];
  let reader: Reader | undefined;
  try {
    reader = await open();
    said.push(reader.relation.columns, reader.relation.dialect);
    said.push(await reader.count({ roles: { item: "item", user: "user" } }), reader.progress());
    for await (const _ of reader.counts(EVERYTHING));
  } catch (error) {
    expect(error).toMatchObject({ name: "Refusal" });
    said.push(error, (error as Error).cause);
  } finally {
    reader?.close();
  }
  return said;
}
