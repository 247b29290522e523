import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { boundContributions } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { LineSplitter, parseDelimitedLine, Refusal } from "winnow-release";
import { amount } from "../../../core/test/support/amount.js";
import { boundOf, comparePair } from "../../src/neighbour-replay/compare-pair.js";
import type { Row } from "../../src/neighbour-replay/hostile-lines.js";
import {
  CANDIDATES,
  generateFiles,
  generateRows,
  questionsOver,
  replayNeighbours,
} from "../../src/neighbour-replay/replay-neighbours.js";

/** Lines of text are held to a reference in hostile-lines.test.ts; here is the whole way to the release, Parquet too. */
const PAIRS = amount(80, 200);

describe("one person's rows, from the file to the release", () => {
  it(`move no count by more than one, refuse no file alone and change a release only as allowed, on ${PAIRS} pairs`, async () => {
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
      releases: 8 * PAIRS,
    });
    expect(report.pairsWithChange).toBeGreaterThan(0.7 * PAIRS);
    expect(report.pairsCut).toBeGreaterThan(0.2 * PAIRS);
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

describe("the person's lines", () => {
  /** A byte order mark is text in all lines after the first: with it, a line may read as another person's. */
  const SEEDS = ["ten thousand after the new reading 1840", "ten thousand after the new reading 9597"];

  it("are about one person, on hundreds of pairs", () => {
    for (const seed of [...SEEDS, ...Array.from({ length: amount(200, 600) }, (_, i) => `about one ${i}`)]) {
      for (const format of ["csv", "tsv"] as const) {
        const entropy = seededEntropy(seed);
        const files = generateFiles(generateRows(entropy), format, entropy);
        const users = (bytes: Uint8Array) => usersIn(bytes, format === "csv" ? "," : "\t");
        const others = users(files.without);
        expect([...users(files.with)].filter((user) => !others.has(user)).length).toBeLessThanOrEqual(1);
      }
    }
  });

  function usersIn(bytes: Uint8Array, delimiter: string): Set<string> {
    const splitter = new LineSplitter();
    const dialect = { delimiter, quote: '"' };
    const [header = [], ...lines] = [...splitter.push(bytes), ...splitter.end()].map((line) =>
      line === undefined ? undefined : parseDelimitedLine(line, dialect),
    );
    const rows = lines.filter(
      (fields) => fields?.length === header.length && fields.every((text) => text !== ""),
    );
    return new Set(rows.map((fields) => fields![header.indexOf("user")]));
  }
});

describe("the replay finds", () => {
  it("what an open bracket does in an array of JSON", async () => {
    const report = await replayNeighbours({ pairs: 40, seed: "arrays", formats: ["json"] });
    const kinds = new Set(report.failures.map(({ failure }) => failure));
    expect([...kinds]).toEqual(expect.arrayContaining(["count-moved-too-far", "refused-alone"]));
    expect(report.largestChange).toBeGreaterThan(1);
  });

  type Entries = Readonly<Record<string, number>>;
  const counts = (entries: Entries, kept = entries, numbers: Entries = {}) => ({
    all: new Map(Object.entries(entries)),
    kept: new Map(Object.entries(kept)),
    numbers: new Map(Object.entries(numbers)),
  });

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
        const users = new Map(rows.map(([item, users]) => [String(item), Number(users)]));
        return { all: users, kept: users, numbers: new Map() };
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

  it.each([
    ["no item of the person", { apple: 2, pear: 1, plum: 5 }],
    ["an item of somebody else", { apple: 3, pear: 2, plum: 6 }],
    ["an item of somebody else away", { apple: 3, pear: 2, plum: 4 }],
    ["more items than are kept", { apple: 3, pear: 2, plum: 5, "17": 1 }],
  ])("a bound under which the person moves %s", async (_, kept) => {
    const less = counts({ apple: 2, pear: 1, plum: 5 });
    const more = counts({ apple: 3, pear: 2, plum: 5, "17": 1 }, kept);
    const questions = await questionsOver(CANDIDATES);
    expect((await comparePair("csv", less, more, questions, "seed")).failures).toContain("kept-items-moved");
    const right = counts(
      { apple: 3, pear: 2, plum: 5, "17": 1 },
      { apple: 3, pear: 2, plum: 5 },
      { "17": 1 },
    );
    expect(await comparePair("csv", less, right, questions, "seed")).toMatchObject({
      failures: [],
      isCut: true,
    });
  });

  it("values of a person that push each other out, and a list that moves by too many", async () => {
    const questions = await questionsOver(CANDIDATES);
    const all = { "5": 1, "5.0": 1, "7e1": 1, five: 1 };
    const failuresOf = async (kept: Entries, numbers: Entries) =>
      (await comparePair("csv", counts({}), counts(all, kept, numbers), questions, "seed")).failures;
    expect(await failuresOf({ "5": 1, five: 1 }, { "5": 1, "7e1": 1 })).toEqual([]);
    expect(await failuresOf({ "5": 1, five: 1 }, { "5": 1 })).toEqual(["numbers-moved"]); // a word took a place
    expect(await failuresOf({ "5": 1, five: 1 }, { "5": 1, "5.0": 1, "7e1": 1 })).toEqual(["numbers-moved"]);
    expect(await failuresOf({ "5": 1, five: 1 }, { "5": 2 })).toEqual([]); // the same value in two rows
    expect(await failuresOf({ "5": 1, five: 1 }, { "5": 3 })).toEqual(["numbers-moved"]);
    expect(await failuresOf({ "5": 2, five: 1 }, { "5": 1, "7e1": 1 })).toContain("list-moved-too-far");
  });

  it("a bound that keeps what is popular, or what comes first", async () => {
    const questions = await questionsOver(CANDIDATES);
    const failures: Record<string, number> = { popular: 0, first: 0, hashed: 0 };
    for (let pair = 0; pair < 100; pair++) {
      const { others, person } = generateRows(seededEntropy(`bounds ${pair}`));
      const all = (rows: readonly Row[]) => boundContributions(pairsOf(rows), { maxItemsPerUser: 1000 });
      const bounds: Record<string, (rows: readonly Row[]) => Map<string, number>> = {
        popular: (rows) => keepFirst(rows, ({ item }) => -(all(rows).get(item) ?? 0)),
        first: (rows) => boundContributions(pairsOf(rows).slice(0, 20), { maxItemsPerUser: 2 }),
        hashed: (rows) =>
          boundContributions(pairsOf(rows), { maxItemsPerUser: 2, key: boundOf("bounds").key }),
      };
      for (const [name, bound] of Object.entries(bounds)) {
        const [less, more] = [others, [...person, ...others]].map((rows) => ({
          all: all(rows),
          kept: bound(rows),
          numbers: bound(rows.filter(({ item }) => /^\d/.test(item))),
        }));
        const result = await comparePair("csv", less, more, questions, "seed");
        if (result.failures.includes("kept-items-moved")) failures[name]++;
      }
    }
    expect(failures).toMatchObject({
      popular: expect.toSatisfy((found) => found > 5),
      first: expect.toSatisfy((found) => found > 5),
      hashed: 0,
    });
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

function pairsOf(rows: readonly Row[]): [string, string][] {
  return rows.filter(({ item }) => item !== "").map(({ user, item }) => [user, item]);
}

/** Two items of each person, those with the smallest ranks. */
function keepFirst(rows: readonly Row[], rankOf: (row: Row) => number): Map<string, number> {
  const counts = new Map<string, number>();
  const written = rows.filter(({ item }) => item !== "");
  for (const user of new Set(written.map((row) => row.user))) {
    const own = written.filter((row) => row.user === user).sort((a, b) => rankOf(a) - rankOf(b));
    for (const item of [...new Set(own.map((row) => row.item))].slice(0, 2))
      counts.set(item, (counts.get(item) ?? 0) + 1);
  }
  return counts;
}
