/**
 * Text files: CSV, TSV and NDJSON, plain or compressed with gzip, in memory that doesn't grow with the file.
 *
 * The name of the file decides the format, never its rows. A name that doesn't tell means CSV, whose delimiter the
 * header shows. In CSV and TSV the header line fixes columns and dialect. NDJSON has one JSON object on each line and
 * no header, so someone who knows the file types the names of the two members.
 *
 * Every later line is read on its own. A line is skipped if it isn't text, can't be parsed, isn't an object, or
 * doesn't have a field for each column.
 * @module
 */
import { WinnowError } from "winnow-dp";
import {
  guessColumns,
  type Header,
  LineSplitter,
  type PhysicalLine,
  parseDelimitedLine,
  parseJsonLine,
  splitHeader,
} from "winnow-release";
import type { Columns, FileShape } from "../worker/api.js";
import { StudioRefusal } from "../worker/studio-refusal.js";
import {
  brokenFile,
  type DataFile,
  LARGEST_FILE,
  type Reading,
  type RowTotals,
  tooLarge,
  unknownColumn,
} from "./data-file.js";

interface TextFormat<Name extends string = "csv" | "tsv" | "ndjson"> {
  readonly name: Name;
  readonly isCompressed: boolean;
}

const ENDINGS: readonly (readonly [ending: RegExp, name: TextFormat["name"]])[] = [
  [/\.(tsv|tab)$/, "tsv"],
  [/\.(ndjson|jsonl|json)$/, "ndjson"],
];

export function formatByName(fileName: string): TextFormat["name"] {
  const plain = fileName.toLowerCase().replace(/\.gz$/, "");
  return ENDINGS.find(([ending]) => ending.test(plain))?.[1] ?? "csv";
}

/** What the shapes of all text files share. */
function textFile<Name extends TextFormat["name"]>(file: File, { name, isCompressed }: TextFormat<Name>) {
  return {
    name: file.name,
    format: name,
    bytes: file.size,
    dialect: {
      format: name,
      encoding: "utf-8",
      lines: "each on its own",
      ...(isCompressed && { compression: "gzip" }),
    },
  };
}

export async function openDelimited(file: File, format: TextFormat<"csv" | "tsv">): Promise<DataFile> {
  const header = headerOf(await firstLine(file, format.isCompressed), format.name);
  const { columns, delimiter, quote } = header;
  const shape: FileShape = {
    ...textFile(file, format),
    columns,
    dialect: { ...textFile(file, format).dialect, header: "first line", delimiter, quote },
    guess: guessColumns(columns),
  };
  const read = async ({ item, user }: Columns, reading: Reading) => {
    const [itemPlace, userPlace] = [placeOf(columns, item), placeOf(columns, user)];
    const parse = (line: string) => {
      const fields = parseDelimitedLine(line, header);
      return fields?.length === columns.length
        ? ([fields[itemPlace]!, fields[userPlace]!] as const)
        : undefined;
    };
    return readLines({ file, isCompressed: format.isCompressed, hasHeader: true, parse }, reading);
  };
  return { shape, read };
}

async function firstLine(file: File, isCompressed: boolean): Promise<string> {
  for await (const { lines } of textLines(file, isCompressed)) {
    if (lines.length === 0) continue;
    const [line] = lines;
    if (line === undefined || line.includes("\0"))
      throw new StudioRefusal("not-text", "The file does not begin with a line of text in UTF-8.");
    return line;
  }
  throw new StudioRefusal("empty-file", "The file is empty.");
}

function headerOf(line: string, format: "csv" | "tsv"): Header {
  try {
    return splitHeader(line, format === "tsv" ? { delimiter: "\t" } : {});
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
    throw new StudioRefusal("broken-header", `The first line is not a header: it must be ${error.expected}.`);
  }
}

function placeOf(columns: readonly string[], name: string): number {
  const place = columns.indexOf(name);
  if (place < 0) throw unknownColumn(name);
  return place;
}

/** By the name alone: the first line is one person's, and cannot decide what the file is. */
const IS_ARRAY = /\.json(\.gz)?$/i;

export async function openJsonLines(file: File, format: TextFormat<"ndjson">): Promise<DataFile> {
  if (IS_ARRAY.test(file.name))
    throw new StudioRefusal(
      "not-text",
      "A .json file is one array of JSON, and the page reads one object on each line: if this file is so, name it .ndjson.",
    );
  const shape = {
    ...textFile(file, format),
    columns: [],
    guess: { why: "A file of JSON lines has no header: type the names of the two members." },
  };
  const read = async ({ item, user }: Columns, reading: Reading) => {
    if (item === "" || user === "")
      throw new StudioRefusal("unknown-column", "The names of the two members are needed.");
    const parse = (line: string) => {
      const fields = parseJsonLine(line, [item, user]);
      return fields === undefined ? undefined : ([fields[0]!, fields[1]!] as const);
    };
    return readLines({ file, isCompressed: format.isCompressed, hasHeader: false, parse }, reading);
  };
  return { shape, read };
}

/** The item and the user of a line, or undefined if it counts for nobody. */
type ParseLine = (line: string) => readonly [item: string, user: string] | undefined;

interface LinesToRead {
  readonly file: File;
  readonly isCompressed: boolean;
  readonly hasHeader: boolean;
  readonly parse: ParseLine;
}

async function readLines(
  { file, isCompressed, hasHeader, parse }: LinesToRead,
  { task, onProgress, take }: Reading,
): Promise<RowTotals> {
  let [rows, skipped, isFirst] = [0, 0, true];
  for await (const { lines, share } of textLines(file, isCompressed)) {
    for (const line of lines) {
      const isNoRow = isFirst && (hasHeader || line === ""); // only the first line of a file can come empty
      isFirst = false;
      if (isNoRow) continue;
      rows++;
      const pair = line === undefined ? undefined : parse(line);
      if (pair === undefined) skipped++;
      else take(pair[0], pair[1]);
    }
    onProgress(share);
    await task.checkpoint();
  }
  return { rows, skipped };
}

/** Browsers hand out chunks of any size; so many bytes are one turn's work. */
const LARGEST_PIECE = 262_144;

interface TextLines {
  readonly lines: readonly PhysicalLine[];
  /** The share of the file that has been read. */
  readonly share: number;
}

/** Batch after batch, as the file comes in. Leaving the loop closes the file. */
async function* textLines(file: File, isCompressed: boolean): AsyncGenerator<TextLines, void> {
  const splitter = new LineSplitter();
  const counted = countBytes();
  let unpacked = 0;
  const bytes = file.stream().pipeThrough(counted.stream);
  const reader = (isCompressed ? bytes.pipeThrough(new DecompressionStream("gzip")) : bytes).getReader();
  try {
    for (;;) {
      const { done, value } = await readOrRefuse(reader);
      if (done) break;
      unpacked += value.length;
      if (unpacked > LARGEST_FILE) throw tooLarge(); // a small file can unpack into a large one
      for (let at = 0; at < value.length; at += LARGEST_PIECE)
        yield {
          lines: splitter.push(value.subarray(at, at + LARGEST_PIECE)),
          share: counted.bytes() / file.size,
        };
    }
    yield { lines: splitter.end(), share: 1 };
  } finally {
    await reader.cancel().catch(() => undefined); // of a stream that has failed there is nothing left to cancel
  }
}

function countBytes() {
  let bytes = 0;
  const stream = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      bytes += chunk.length;
      controller.enqueue(chunk);
    },
  });
  return { stream, bytes: () => bytes };
}

async function readOrRefuse<T>(reader: ReadableStreamDefaultReader<T>): Promise<ReadableStreamReadResult<T>> {
  try {
    return await reader.read();
  } catch {
    throw brokenFile(); // cut off, not what its first bytes say, or gone from the disk
  }
}
