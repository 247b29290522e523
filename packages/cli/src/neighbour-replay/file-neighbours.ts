/**
 * Neighbours of the curator's own file: without the rows of one of its people, or with the rows of a stranger.
 *
 * In a file of lines, the lines of all other people are copied byte for byte with their line ends, and so is the
 * header: it belongs to no one, even if someone's name equals that of a column. An engine writes the neighbours of a
 * Parquet file as Parquet files with the two columns as text.
 * @module
 */

import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type DuckDBValue, LIST, listValue, VARCHAR } from "@duckdb/node-api";
import type { Entropy } from "winnow-dp";
import { shuffle, uniformBelow } from "winnow-dp/sample";
import { type Compression, unpacked } from "../sources/files/compressed.js";
import { openEngine, sqlText } from "../sources/files/engine.js";
import { relationOf } from "../sources/files/open-relation.js";
import {
  HOSTILE_TEXTS,
  hostileLine,
  hostilePair,
  type LineLayout,
  LineWriter,
  linesOf,
  pick,
  type Row,
} from "./hostile-lines.js";

export interface FileNeighbours {
  /** The columns of the neighbours. */
  readonly roles: Row;
  /** Some people of the file, sampled without replacement: private. */
  people(most: number, entropy: Entropy): Promise<readonly string[]>;
  /** Writes the neighbour and returns its path. */
  without(person: string): Promise<string>;
  withStranger(entropy: Entropy): Promise<string>;
  close(): void;
}

/** Someone who is in no file. */
const STRANGER = "stranger \u2603 17.0";

const STRANGERS_LINES = 40;

interface LineFile {
  readonly path: string;
  readonly compression: Compression;
  readonly layout: LineLayout;
  /** The lines become the elements of one JSON array. */
  readonly isArray?: boolean;
}

/** The neighbours are written into a private folder. */
export function lineNeighbours(
  { path, compression, layout, isArray = false }: LineFile,
  folder: string,
): FileNeighbours {
  const writer = new LineWriter(layout);
  const copy = join(folder, `neighbour.${isArray ? "json" : layout.format}`);
  const headerLines = layout.format === "ndjson" ? 0 : 1;
  const items: string[] = [];
  const write = async (lines: AsyncIterable<Uint8Array>) => {
    await pipeline(isArray ? asArray(lines) : lines, createWriteStream(copy, { mode: 0o600 }));
    return copy;
  };
  return {
    roles: layout.roles,
    async people(most, entropy) {
      const rows = await sampleRows(
        afterHeader(rawLines(path, compression), headerLines),
        writer,
        most,
        entropy,
      );
      items.push(...rows.map(({ item }) => item));
      return [...new Set(rows.map(({ user }) => user))];
    },
    without: (person) => write(linesWithout(rawLines(path, compression), headerLines, writer, person)),
    withStranger(entropy) {
      const row = () => ({ user: STRANGER, item: pick([...HOSTILE_TEXTS, ...items], entropy) });
      // Spoiled elements would break the array itself; the pair alone shows what --multiline allows.
      const line = () =>
        Buffer.from(isArray ? writer.line(row(), entropy) : hostileLine(row(), writer, entropy));
      const lines = Array.from({ length: STRANGERS_LINES }, line);
      const [opens, closes] = hostilePair(row(), writer, entropy);
      const middle = uniformBelow(STRANGERS_LINES, entropy);
      const first = [...lines.slice(0, middle), opens];
      const last = [closes, ...lines.slice(middle)];
      return write(linesBetween(rawLines(path, compression), headerLines, first, last));
    },
    close() {},
  };
}

async function* afterHeader(
  lines: AsyncIterable<Uint8Array>,
  headerLines: number,
): AsyncGenerator<Uint8Array> {
  let place = 0;
  for await (const line of lines) if (place++ >= headerLines) yield line;
}

/** A uniform random sample of the lines. */
async function sampleRows(
  lines: AsyncIterable<Uint8Array>,
  writer: LineWriter,
  most: number,
  entropy: Entropy,
): Promise<Row[]> {
  const sample: Row[] = [];
  let seen = 0;
  for await (const line of lines) {
    const [row] = linesOf(line, false).flatMap((text) => writer.read(text) ?? []);
    if (row === undefined) continue;
    const place = uniformBelow(++seen, entropy);
    if (sample.length < most) sample.push(row);
    else if (place < most) sample[place] = row;
  }
  return shuffle(sample, entropy);
}

async function* linesWithout(
  lines: AsyncIterable<Uint8Array>,
  headerLines: number,
  writer: LineWriter,
  person: string,
): AsyncGenerator<Uint8Array> {
  let place = 0;
  for await (const line of lines) {
    const isPersons = linesOf(line, place === 0).some((text) => writer.read(text)?.user === person);
    if (place++ < headerLines || !isPersons) yield line;
  }
}

/** Some of the stranger's lines come first and some last: the last ones close what the first ones open. */
async function* linesBetween(
  lines: AsyncIterable<Uint8Array>,
  headerLines: number,
  first: readonly Uint8Array[],
  last: readonly Uint8Array[],
): AsyncGenerator<Uint8Array> {
  let place = 0;
  for await (const line of lines) {
    if (place++ === headerLines) yield* first;
    yield line;
  }
  yield Buffer.from("\n");
  if (place <= headerLines) yield* first;
  yield* last;
}

/** One element for each line that isn't blank. */
export async function* asArray(
  lines: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let before = "[";
  for await (const line of lines) {
    if (Buffer.from(line).toString("latin1").trim() === "") continue;
    yield Buffer.concat([Buffer.from(before), line]);
    before = ",";
  }
  yield Buffer.from(before === "[" ? "[]" : "]");
}

const [LF, CR] = [10, 13];

async function* rawLines(path: string, compression: Compression): AsyncGenerator<Uint8Array> {
  let pending: Uint8Array[] = [];
  for await (const chunk of unpacked(path, compression)) {
    let start = 0;
    for (let i = 0; i < chunk.length; i++) {
      if (chunk[i] !== LF && chunk[i] !== CR) continue;
      yield Buffer.concat([...pending, chunk.subarray(start, i + 1)]);
      pending = [];
      start = i + 1;
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  }
  if (pending.length > 0) yield Buffer.concat(pending);
}

/** The neighbours are written into a private folder. */
export async function parquetNeighbours(path: string, roles: Row, folder: string): Promise<FileNeighbours> {
  const engine = await openEngine({ folder });
  const { connection } = engine;
  const relation = await relationOf(engine, "parquet", { paths: [path], compression: "none" });
  const rows = relation.rows(roles);
  const neighbour = join(folder, "neighbour.parquet");
  const write = async (sql: string, values: DuckDBValue[]) => {
    const types = values.map((value) => (typeof value === "string" ? VARCHAR : LIST(VARCHAR)));
    await connection.run(`COPY (${sql}) TO ${sqlText(neighbour)} (FORMAT parquet)`, values, types);
    return neighbour;
  };
  return {
    roles: { item: "item", user: "user" },
    async people(most, entropy) {
      const salt = String(uniformBelow(2 ** 32, entropy));
      const result = await connection.run(
        `SELECT '=' || "user" FROM (SELECT DISTINCT "user" FROM (${rows}) WHERE "user" <> '')
          ORDER BY hash("user" || $1) LIMIT ${BigInt(most)}`,
        [salt],
      );
      return (await result.getRows()).map(([person]) => String(person).slice(1));
    },
    without: (person) => write(`SELECT * FROM (${rows}) WHERE "user" IS DISTINCT FROM $1`, [person]),
    withStranger: () =>
      write(`SELECT item, "user" FROM (${rows}) UNION ALL SELECT unnest($1), $2`, [
        listValue(HOSTILE_TEXTS),
        STRANGER,
      ]),
    close: () => engine.close(),
  };
}
