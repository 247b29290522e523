/**
 * Generated pairs of files that differ in one person's rows, as hostile as possible. Each pair is written in one format,
 * counted and released. One engine in this process counts many small files: it does the same as the reader's process
 * for a file, without starting one.
 * @module
 */

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LIST, listValue, VARCHAR } from "@duckdb/node-api";
import type { Entropy } from "winnow-dp";
import { shuffle, uniformBelow } from "winnow-dp/sample";
import { seededEntropy } from "winnow-dp/testing";
import { listedDomain, readQuestion } from "winnow-release";
import { keyOf, usersSql } from "../sources/files/count-users.js";
import { type Engine, engineRefusal, openEngine, sqlText } from "../sources/files/engine.js";
import { spoolJsonArray } from "../sources/files/json-files.js";
import { relationOf } from "../sources/files/open-relation.js";
import { makePrivateFolder, removePrivateFolder } from "../sources/files/private-folder.js";
import type { Relation } from "../sources/files/relation.js";
import type { ContributionBound } from "../sources/source.js";
import {
  boundOf,
  type Counts,
  comparePair,
  ITEMS_KEPT,
  LARGEST_VALUE,
  type PairResult,
  type Questions,
  type ReplayReport,
  reportOf,
} from "./compare-pair.js";
import { asArray } from "./file-neighbours.js";
import {
  chance,
  HOSTILE_TEXTS,
  hostileLine,
  hostilePair,
  type LineFormat,
  LineWriter,
  pick,
  type Row,
} from "./hostile-lines.js";

/** JSON arrays are read only if their writer is trusted, and fail on hostile files, so they aren't a default. */
type ReplayFormat = LineFormat | "parquet" | "json";

const FORMATS: readonly ReplayFormat[] = ["csv", "tsv", "ndjson", "parquet"];

/** Replays at a time: one waits for its engine while the other computes here. */
const LANES = 2;

interface NeighbourReplayOptions {
  readonly pairs: number;
  /** Used in turn. Default: all formats that can be read without trusting the writer. */
  readonly formats?: readonly ReplayFormat[] | undefined;
  /** The same seed makes the same pairs. */
  readonly seed?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The share done. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

export async function replayNeighbours({
  pairs,
  formats = FORMATS,
  seed = "neighbours",
  signal,
  onProgress,
}: NeighbourReplayOptions): Promise<ReplayReport> {
  const questions = await questionsOver(CANDIDATES);
  const results = new Array<PairResult>(pairs);
  let started = 0;
  let done = 0;
  const replayInTurn = async (counter: FileCounter) => {
    for (let pair = started++; pair < pairs; pair = started++) {
      signal?.throwIfAborted();
      results[pair] = await replayPair(counter, formats[pair % formats.length], questions, `${seed} ${pair}`);
      onProgress?.(++done / pairs);
    }
  };
  await Promise.all(Array.from({ length: LANES }, () => withCounter(replayInTurn)));
  return reportOf(results, seed);
}

async function withCounter(work: (counter: FileCounter) => Promise<void>): Promise<void> {
  const folder = makePrivateFolder();
  const counter = await FileCounter.open(folder);
  try {
    await work(counter);
  } finally {
    counter.close();
    removePrivateFolder(folder);
  }
}

/** A top three with leads over a public list, one over an unknown domain, quartiles and a frequency list. */
export async function questionsOver(candidates: readonly string[]): Promise<Questions> {
  const shared = { k: Math.min(3, candidates.length), unit: "one value of column user" };
  return {
    candidates,
    listed: readQuestion({ ...shared, domain: await listedDomain(candidates), epsilon: 1 }),
    unknown: readQuestion({ ...shared, domain: { kind: "unknown" }, rho: "1/2", delta: "1e-6" }),
    quantile: readQuestion({
      kind: "quantile",
      domain: { kind: "grid", lower: -LARGEST_VALUE, upper: LARGEST_VALUE, step: 1 },
      quantiles: ["1/4", "1/2", "3/4"],
      maxItemsPerUser: ITEMS_KEPT,
      epsilon: 1,
      unit: shared.unit,
    }),
    frequencies: readQuestion({
      kind: "frequencies",
      domain: { kind: "unknown" },
      maxItemsPerUser: ITEMS_KEPT,
      epsilon: 16, // less noise is drawn faster, and what is checked is the same
      unit: shared.unit,
    }),
  };
}

async function replayPair(
  counter: FileCounter,
  format: ReplayFormat,
  questions: Questions,
  seed: string,
): Promise<PairResult> {
  const entropy = seededEntropy(seed);
  const rows = generateRows(entropy);
  counter.bound = boundOf(seed);
  if (format === "parquet") {
    const [less, more] = [
      await counter.countRows(rows.others),
      await counter.countRows([...rows.person, ...rows.others]),
    ];
    return comparePair(format, less, more, questions, seed);
  }
  const files = await (format === "json"
    ? generateArrays(rows, entropy)
    : generateFiles(rows, format, entropy));
  const [less, more] = [
    await counter.countBytes(format, files.without),
    await counter.countBytes(format, files.with),
  ];
  return comparePair(format, less, more, questions, seed);
}

/** The public list of candidates of all generated files. */
export const CANDIDATES: readonly string[] = [
  "apple",
  "pear",
  "plum",
  "17",
  "17.0",
  " 17",
  "a,b",
  'a"b',
  "é",
  "e\u0301",
];

interface RowPair {
  readonly others: readonly Row[];
  readonly person: readonly Row[];
}

interface FilePair {
  readonly without: Uint8Array;
  readonly with: Uint8Array;
}

const COLUMN_ORDERS = [
  ["user", "item"],
  ["item", "user"],
  ["item", "other", "user"],
];
const BYTE_ORDER_MARK = "\uFEFF";
const MOST_PEOPLE = 12;
const MOST_ROWS = 4;

/** Rows of some people, and of one more. */
export function generateRows(entropy: Entropy): RowPair {
  const names = shuffle([...HOSTILE_TEXTS.filter((text) => text !== ""), "ada", "bob", "eve"], entropy);
  const people = names.slice(0, uniformBelow(MOST_PEOPLE, entropy));
  const rowsOf = (user: string): Row[] =>
    Array.from({ length: 1 + uniformBelow(MOST_ROWS, entropy) }, () => ({ user, item: anyItem(entropy) }));
  return { others: people.flatMap(rowsOf), person: rowsOf(names.at(-1)!) };
}

function anyItem(entropy: Entropy): string {
  return pick(chance(4, entropy) ? HOSTILE_TEXTS : CANDIDATES, entropy);
}

/** The rows as lines, some of them corrupted; the person's are anywhere among the others'. */
export function generateFiles({ others, person }: RowPair, format: LineFormat, entropy: Entropy): FilePair {
  const writer = new LineWriter({
    format,
    columns: pick(COLUMN_ORDERS, entropy),
    dialect: { delimiter: format === "tsv" ? "\t" : ",", quote: '"' },
    roles: { item: "item", user: "user" },
  });
  const pair = chance(2, entropy) ? hostilePair(person[0], writer, entropy) : [];
  const lines = [
    ...others.map((row) => ({ isPerson: false, bytes: hostileLine(row, writer, entropy) })),
    ...person.map((row) => ({ isPerson: true, bytes: hostileLine(row, writer, entropy) })),
    ...pair.map((bytes) => ({ isPerson: true, bytes })),
  ];
  const start = [chance(8, entropy) ? BYTE_ORDER_MARK : "", writer.header(entropy)].map((text) =>
    Buffer.from(text),
  );
  const mixed = shuffle(lines, entropy);
  return {
    without: Buffer.concat([
      ...start,
      ...mixed.filter(({ isPerson }) => !isPerson).map(({ bytes }) => bytes),
    ]),
    with: Buffer.concat([...start, ...mixed.map(({ bytes }) => bytes)]),
  };
}

/** The rows as well-formed elements, with a pair of the person's that reaches across other people's. */
async function generateArrays({ others, person }: RowPair, entropy: Entropy): Promise<FilePair> {
  const writer = new LineWriter({
    format: "ndjson",
    columns: pick(COLUMN_ORDERS, entropy),
    dialect: { delimiter: ",", quote: '"' },
    roles: GENERATED_ROLES,
  });
  const [opens, closes] = hostilePair(person[0], writer, entropy);
  const elements = others.map((row) => Buffer.from(writer.line(row, entropy)));
  const array = async (lines: readonly Uint8Array[]) => {
    const parts: Uint8Array[] = [];
    for await (const part of asArray(lines)) parts.push(part);
    return Buffer.concat(parts);
  };
  return { without: await array(elements), with: await array([opens, ...elements, closes]) };
}

const GENERATED_ROLES = { item: "item", user: "user" };

class FileCounter {
  readonly #engine: Engine;
  readonly #folder: string;
  #files = 0;
  /** The bound for the pair to count. */
  bound: ContributionBound | undefined;

  private constructor(engine: Engine, folder: string) {
    this.#engine = engine;
    this.#folder = folder;
  }

  /** The folder is private. */
  static async open(folder: string): Promise<FileCounter> {
    // A small file doesn't need several threads.
    return new FileCounter(await openEngine({ folder, threads: 1 }), folder);
  }

  async countBytes(format: LineFormat | "json", bytes: Uint8Array): Promise<Counts> {
    const path = this.#newFile(format);
    writeFileSync(path, bytes);
    if (format !== "json") return this.#count(format, path);
    try {
      return await this.#count(
        "ndjson",
        await spoolJsonArray({ paths: [path], compression: "none" }, this.#folder),
      );
    } catch (error) {
      return engineRefusal(error, "The file could not be read.");
    } finally {
      rmSync(path);
      rmSync(join(this.#folder, "array.ndjson"), { force: true });
    }
  }

  /** Through a Parquet file that the engine writes. */
  async countRows(rows: readonly Row[]): Promise<Counts> {
    const path = this.#newFile("parquet");
    const [users, items] = [rows.map(({ user }) => user), rows.map(({ item }) => item)];
    await this.#engine.connection.run(
      `COPY (SELECT unnest($1) AS "user", unnest($2) AS item) TO ${sqlText(path)} (FORMAT parquet)`,
      [listValue(users), listValue(items)],
      [LIST(VARCHAR), LIST(VARCHAR)],
    );
    return this.#count("parquet", path);
  }

  close(): void {
    this.#engine.close();
  }

  /** A separate file for each: overwriting one would wait for the disk. */
  #newFile(format: string): string {
    return join(this.#folder, `${this.#files++}.${format}`);
  }

  async #count(format: LineFormat | "parquet", path: string): Promise<Counts> {
    try {
      const relation = await relationOf(this.#engine, format, { paths: [path], compression: "none" });
      await relation.lines?.survey();
      return {
        all: await this.#users(relation),
        kept: await this.#users(relation, this.bound),
        numbers: await this.#users(relation, this.bound, true),
      };
    } catch (error) {
      return engineRefusal(error, "The file could not be read.");
    } finally {
      rmSync(path);
    }
  }

  async #users(
    relation: Relation,
    bound?: ContributionBound,
    isNumeric = false,
  ): Promise<ReadonlyMap<string, number>> {
    const users = usersSql(relation.rows(GENERATED_ROLES), { bound, isNumeric });
    const sql = `SELECT '=' || item, users FROM (${users}) WHERE users > 0`;
    const rows = await (await this.#engine.connection.run(sql, keyOf({ bound }))).getRows();
    return new Map(rows.map(([item, users]) => [String(item).slice(1), Number(users)]));
  }
}

export const EVERY_ITEM = { kind: "largest", rows: Number.MAX_SAFE_INTEGER } as const;
