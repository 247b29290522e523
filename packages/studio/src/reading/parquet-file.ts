/**
 * Parquet: the schema is in the file's footer and typed, so no row can change how another is read. The page reads
 * row groups one after the other, and only the columns that matter. It skips text that isn't UTF-8.
 *
 * Pages are unpacked here, except those packed with Snappy, which the reader (hyparquet) unpacks itself. The reader
 * also checks whether a page has the size that it declares.
 * @module
 */

import { gunzipSync } from "fflate";
import { decompress } from "fzstd";
import {
  type AsyncBuffer,
  type Compressors,
  type DecodedArray,
  type FileMetaData,
  parquetMetadataAsync,
  parquetScan,
  parquetSchema,
  type SchemaElement,
} from "hyparquet";
import { guessColumns, LONGEST_LINE, Refusal } from "winnow-release";
import type { FileShape } from "../worker/api.js";
import {
  brokenFile,
  type DataFile,
  LARGEST_FILE,
  type Reading,
  type RowTotals,
  tooLarge,
  unknownColumn,
} from "./data-file.js";

/** How many rows are looked at between two checkpoints. */
const STRIDE = 10_000;

export async function openParquet(file: File): Promise<DataFile> {
  const buffer: AsyncBuffer = {
    byteLength: file.size,
    slice: (start, end) => file.slice(start, end).arrayBuffer(),
  };
  const metadata = await unlessBroken(() => parquetMetadataAsync(buffer, { geoparquet: false }));
  checkSizes(metadata);
  const columns = readableColumns(metadata);
  const shape: FileShape = {
    name: file.name,
    format: "parquet",
    bytes: file.size,
    columns,
    dialect: { format: "parquet" },
    guess: guessColumns(columns),
  };
  return { shape, read: (chosen, reading) => readRows({ buffer, metadata, columns }, chosen, reading) };
}

interface OpenedParquet {
  readonly buffer: AsyncBuffer;
  readonly metadata: FileMetaData;
  readonly columns: readonly string[];
}

async function readRows(
  opened: OpenedParquet,
  names: readonly string[],
  reading: Reading,
): Promise<RowTotals> {
  const { buffer: file, metadata, columns } = opened;
  for (const name of names) if (!columns.includes(name)) throw unknownColumn(name);
  const chosen = {
    columns: [...new Set(names)],
    utf8: false,
    parsers: { stringFromBytes },
    compressors: CODECS,
  };
  const scan = await unlessBroken(() => parquetScan({ file, metadata, ...chosen }));
  let [rows, skipped] = [0, 0];
  for (const range of scan.ranges) {
    const values = await unlessBroken(() =>
      Promise.all(names.map((column) => scan.readColumn({ column, ...range }))),
    );
    const texts = names.map((name, i) => inTexts(values[i]!, metadata, name));
    skipped += await takeGroup(texts, range.rowEnd - range.rowStart, reading);
    rows += range.rowEnd - range.rowStart;
    reading.onProgress(rows / Number(metadata.num_rows));
    await reading.task.checkpoint();
  }
  return { rows, skipped, skippedBy: { encoding: skipped, quotes: 0, fields: 0 } };
}

/** How many rows of the group are skipped. */
async function takeGroup(texts: readonly Texts[], rows: number, { take, task }: Reading): Promise<number> {
  let skipped = 0;
  for (let row = 0; row < rows; row++) {
    const found = texts.map((textOf) => textOf(row));
    if (found.every((text) => text !== undefined)) take(found);
    else skipped++;
    if (row % STRIDE === 0) await task.checkpoint();
  }
  return skipped;
}

/** A footer can claim any size, so its claims are checked before memory is allocated. */
function checkSizes({ num_rows, row_groups }: FileMetaData): void {
  let bytes = 0;
  for (const { meta_data } of row_groups.flatMap(({ columns }) => columns)) {
    if (meta_data === undefined) throw brokenFile();
    if (!READABLE_CODECS.includes(meta_data.codec))
      throw new Refusal(
        "unknown-codec",
        `The file is compressed with ${meta_data.codec}, which the page cannot read.`,
      );
    bytes += Number(meta_data.total_uncompressed_size);
  }
  if (bytes > 2 * LARGEST_FILE || num_rows > LARGEST_FILE) throw tooLarge();
}

/** Columns of text, numbers, identifiers or truth values that are not nested. */
function readableColumns(metadata: FileMetaData): string[] {
  return parquetSchema(metadata)
    .children.filter(({ element, children }) => children.length === 0 && isReadable(element))
    .map(({ element }) => element.name);
}

/** The reader gives decimals as doubles, which keep this many digits. */
const MOST_DIGITS = 15;

function isReadable(element: SchemaElement): boolean {
  if (element.repetition_type === "REPEATED") return false;
  const kind = kindOf(element);
  if (kind === undefined) return /^(INT32|INT64|BOOLEAN|FLOAT|DOUBLE)$/.test(element.type ?? "");
  if (kind === "DECIMAL") return (element.precision ?? Infinity) <= MOST_DIGITS;
  return /^(STRING|UTF8|UUID|INTEGER|U?INT_\d+)$/.test(kind);
}

function kindOf({ logical_type, converted_type }: SchemaElement): string | undefined {
  return logical_type?.type ?? converted_type;
}

/** The text of a row, or undefined if the row is skipped. */
type Texts = (row: number) => string | undefined;

/** The values of a column as text, by its type in the schema: the same texts as DuckDB's. */
function inTexts(values: DecodedArray, metadata: FileMetaData, column: string): Texts {
  const element = parquetSchema(metadata).children.find(({ element }) => element.name === column)?.element;
  const write = element && numberText(element);
  return (row) => {
    const value: unknown = values[row];
    return write !== undefined && typeof value === "number" ? write(value) : textOf(value);
  };
}

function numberText(element: SchemaElement): ((value: number) => string) | undefined {
  if (kindOf(element) === "DECIMAL") return (value) => value.toFixed(element.scale ?? 0);
  if (element.type === "DOUBLE") return doubleText;
  return element.type === "FLOAT" ? (value) => doubleText(shortestDouble(value)) : undefined;
}

/** 0 and −0 are one value. */
function doubleText(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || size === 0) return size === 0 ? "0.0" : String(value);
  if (size < 1e-4 || size >= 1e16) return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

/** The double with the fewest digits that is this value in single precision. */
function shortestDouble(value: number): number {
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Stands for bytes that aren't text. */
const NO_TEXT = Symbol("no text");

function stringFromBytes(bytes: Uint8Array | undefined): string | undefined | typeof NO_TEXT {
  if (bytes === undefined) return undefined;
  if (bytes.length > LONGEST_LINE) return NO_TEXT;
  try {
    return decoder.decode(bytes);
  } catch {
    return NO_TEXT;
  }
}

/** Nothing there is the empty text. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return "";
  return value === NO_TEXT ? undefined : String(value);
}

async function unlessBroken<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch {
    throw brokenFile(); // the reader's message may quote the file
  }
}

const CODECS: Compressors = {
  GZIP: (page) => gunzipSync(page),
  ZSTD: (page) => decompress(page),
};

/** Those that the page can read, by the names that the format gives them. */
export const READABLE_CODECS: readonly string[] = ["UNCOMPRESSED", "SNAPPY", ...Object.keys(CODECS)];
