import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { seededEntropy } from "winnow-dp/testing";
import { comparePair } from "../../src/neighbour-replay/compare-pair.js";
import {
  CANDIDATES,
  generateFiles,
  generateRows,
  questionsOver,
  replayNeighbours,
} from "../../src/neighbour-replay/replay-neighbours.js";

import { Refusal } from "../../src/refusal.js";

/** Lines of text are held to a reference in hostile-lines.test.ts; here is the whole way to the release, Parquet too. */
const PAIRS = 2000;

describe("one person's rows, from the file to the release", () => {
  it("move no count by more than one, refuse no file alone and change a release only as allowed, on 2,000 pairs", async () => {
    let share = 0;
    const report = await replayNeighbours({
      pairs: PAIRS,
      seed: "pairs with open brackets",
      onProgress: (done) => (share = done),
    });
    expect(report.failures).toEqual([]);
    expect(report).toMatchObject({
      pairs: PAIRS,
      formats: { csv: PAIRS / 4, tsv: PAIRS / 4, ndjson: PAIRS / 4, parquet: PAIRS / 4 },
      largestChange: 1,
      pairsRefused: 0,
      releases: 4 * PAIRS,
    });
    expect(report.pairsWithChange).toBeGreaterThan(0.7 * PAIRS);
    expect(share).toBe(1);
  });

  it("is replayed alike from the same seed, and can be stopped", async () => {
    const options = { pairs: 40, seed: "again", formats: ["csv", "ndjson"] } as const;
    const report = await replayNeighbours(options);
    expect(report.formats).toEqual({ csv: 20, ndjson: 20 });
    expect(await replayNeighbours(options)).toEqual(report);
    await expect(replayNeighbours({ ...options, signal: AbortSignal.abort() })).rejects.toThrow();
  });
});

describe("the replay finds", () => {
  it("what an open bracket does in an array of JSON", async () => {
    const report = await replayNeighbours({ pairs: 40, seed: "arrays", formats: ["json"] });
    const kinds = new Set(report.failures.map(({ failure }) => failure));
    expect([...kinds]).toEqual(expect.arrayContaining(["count-moved-too-far", "refused-alone"]));
    expect(report.largestChange).toBeGreaterThan(1);
  });

  const counts = (entries: Readonly<Record<string, number>>) => new Map(Object.entries(entries));

  it("what the engine's own reader does with its defaults", async () => {
    const folder = mkdtempSync(join(tmpdir(), "winnow-test-"));
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const questions = await questionsOver(CANDIDATES);
    const path = join(folder, "rows.csv");
    const countByDefault = async (bytes: Uint8Array) => {
      writeFileSync(path, bytes);
      try {
        const rows = await (
          await connection.run(
            `SELECT item::VARCHAR, count(DISTINCT "user") FROM read_csv('${path}', header = true, ignore_errors = true) GROUP BY ALL`,
          )
        ).getRows();
        return new Map(rows.map(([item, users]) => [String(item), Number(users)]));
      } catch {
        return new Refusal("unreadable-source", "no");
      }
    };
    const failures = new Set<string>();
    const compare = async (less: Uint8Array, more: Uint8Array) => {
      const counted = [await countByDefault(less), await countByDefault(more)] as const;
      for (const failure of (await comparePair("csv", ...counted, questions, "seed")).failures)
        failures.add(failure);
    };
    for (let pair = 0; pair < 40; pair++) {
      const entropy = seededEntropy(`default ${pair}`);
      const files = generateFiles(generateRows(entropy), "csv", entropy);
      await compare(files.without, files.with);
    }
    // As numbers 7 and 7.0 are one user, as texts two; whether the column holds numbers is decided by everybody's rows.
    const others = Array.from({ length: 100 }, (_, i) => `${i},apple\n${i}.0,apple\n`).join("");
    await compare(Buffer.from(`user,item\n${others}`), Buffer.from(`user,item\neve,apple\n${others}`));
    connection.closeSync();
    rmSync(folder, { recursive: true });
    expect([...failures].sort()).toEqual(expect.arrayContaining(["count-moved-too-far", "refused-alone"]));
  });

  it.each([
    ["a count that moves by two", { apple: 1 }, { apple: 3 }],
    ["a count that falls", { apple: 1, pear: 1 }, { apple: 2 }],
  ])("%s", async (_, less, more) => {
    const { failures } = await comparePair(
      "csv",
      counts(less),
      counts(more),
      await questionsOver(CANDIDATES),
      "seed",
    );
    expect(failures).toContain("count-moved-too-far");
  });

  it("a file that is refused alone, and not one refused with its neighbour", async () => {
    const questions = await questionsOver(CANDIDATES);
    const refusal = new Refusal("unreadable-source", "no");
    expect((await comparePair("csv", refusal, counts({}), questions, "seed")).failures).toEqual([
      "refused-alone",
    ]);
    expect((await comparePair("csv", counts({}), refusal, questions, "seed")).failures).toEqual([
      "refused-alone",
    ]);
    const other = new Refusal("broken-header", "no");
    expect((await comparePair("csv", other, refusal, questions, "seed")).failures).toEqual(["refused-alone"]);
    expect(await comparePair("csv", refusal, refusal, questions, "seed")).toMatchObject({
      failures: [],
      isRefused: true,
    });
  });

  it("an answer that names somebody whom only one of the files knows", async () => {
    const questions = await questionsOver(CANDIDATES);
    const many = counts({ stranger: 1e6, apple: 2e5, pear: 1e5 });
    const result = await comparePair("csv", counts({ apple: 2e5, pear: 1e5 }), many, questions, "seed");
    expect(result.failures).toContain("release-not-allowed");
  });
});
