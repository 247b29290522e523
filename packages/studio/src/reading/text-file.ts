/**
 * Text files: CSV, TSV and NDJSON, plain or compressed with gzip, in memory that doesn't grow with the file.
 *
 * The name of the file decides the format, never its rows. A name that doesn't tell means CSV, whose delimiter the
 * header shows. In CSV and TSV the header line fixes columns, dialect and encoding, unless the curator sets them. Where
 * the curator says that there is no header, the first line is someone's row and decides nothing: columns are numbers,
 * and a line is read if it has at least the two that are asked for. NDJSON has one JSON object on each line and no
 * header, so someone who knows the file types the names of the two members.
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
  MOST_COLUMNS,
  mustBe,
  type PhysicalLine,
  parseDelimitedLine,
  parseJsonLine,
  Refusal,
  splitHeader,
} from "winnow-release";
import type { Encoding, FileShape, ReadAs } from "../worker/api.js";
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
function textFile<Name extends TextFormat["name"]>(
  file: File,
  { name, isCompressed }: TextFormat<Name>,
  encoding: Encoding,
) {
  return {
    name: file.name,
    format: name,
    bytes: file.size,
    encoding,
    dialect: {
      format: name,
      encoding,
      lines: "each on its own",
      ...(isCompressed && { compression: "gzip" }),
    },
  };
}

/** Without an encoding, the one that the header is in. */
export async function openDelimited(
  file: File,
  format: TextFormat<"csv" | "tsv">,
  as: ReadAs,
): Promise<DataFile> {
  if (as.hasHeader === false) return openHeaderless(file, format, as);
  const encoding = as.encoding ?? (await encodingOf(file, format.isCompressed));
  const text = { file, isCompressed: format.isCompressed, encoding };
  const header = headerOf(await firstLine(text), format.name);
  const { columns, delimiter, quote } = header;
  const shared = textFile(file, format, encoding);
  const shape: FileShape = {
    ...shared,
    columns,
    hasHeader: true,
    dialect: { ...shared.dialect, header: "first line", delimiter, quote },
    guess: guessColumns(columns),
  };
  const read = async (names: readonly string[], reading: Reading) => {
    const places = names.map((name) => placeOf(columns, name));
    const parse = (line: string) => {
      const fields = parseDelimitedLine(line, header);
      if (fields?.length === columns.length) return places.map((place) => fields[place]!);
      return hasOpenQuote(line, quote) ? "quotes" : "fields";
    };
    return readLines({ ...text, hasHeader: true, parse }, reading);
  };
  return { shape, read };
}

function openHeaderless(
  file: File,
  format: TextFormat<"csv" | "tsv">,
  { encoding = "utf-8", delimiter = format.name === "tsv" ? "\t" : "," }: ReadAs,
): DataFile {
  const dialect = { delimiter, quote: '"' };
  const shared = textFile(file, format, encoding);
  const shape: FileShape = {
    ...shared,
    columns: [],
    hasHeader: false,
    dialect: { ...shared.dialect, header: "none, columns by number", ...dialect },
    guess: { why: "Without a header, type the numbers of the two columns; the first column is 1." },
  };
  const read = async (names: readonly string[], reading: Reading) => {
    const places = names.map((name) => columnNumber(name) - 1);
    const width = Math.max(...places) + 1;
    const parse = (line: string) => {
      const fields = parseDelimitedLine(line, dialect);
      if (fields !== undefined && fields.length >= width) return places.map((place) => fields[place]!);
      return hasOpenQuote(line, dialect.quote) ? "quotes" : "fields";
    };
    const { isCompressed } = format;
    return readLines({ file, isCompressed, encoding, hasHeader: false, parse }, reading);
  };
  return { shape, read };
}

function columnNumber(text: string): number {
  const number = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= MOST_COLUMNS) return number;
  throw new Refusal(
    "unknown-column",
    mustBe("Without a header, a column", `a number from 1 to ${MOST_COLUMNS}`, text),
  );
}

function hasOpenQuote(line: string, quote: string): boolean {
  return quote !== "" && line.split(quote).length % 2 === 0;
}

/** As much as a header needs to show its encoding. */
const SAMPLE = 4_096;

/**
 * UTF-16 by its mark or by its zero bytes, else UTF-8 if the header is so, else Windows-1252, which contains Latin-1.
 * Only the header decides, because rows belong to people.
 */
async function encodingOf(file: File, isCompressed: boolean): Promise<Encoding> {
  const bytes = await sampleOf(file, isCompressed);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const end = bytes.findIndex((byte) => byte === 10 || byte === 13);
  const line = bytes.subarray(0, end < 0 ? bytes.length : end);
  const zeros = (parity: number) =>
    line.filter((byte, place) => byte === 0 && place % 2 === parity).length / Math.max(line.length / 2, 2);
  if (zeros(1) > 0.6 && zeros(0) < 0.1) return "utf-16le";
  if (zeros(0) > 0.6 && zeros(1) < 0.1) return "utf-16be";
  const isBinary = line.some((byte) => byte < 32 && byte !== 9) || (line[0]! >= 0x80 && line[0]! < 0xa0);
  return isBinary || isUtf8(line) ? "utf-8" : "windows-1252";
}

async function sampleOf(file: File, isCompressed: boolean): Promise<Uint8Array> {
  const reader = bytesOf(file, isCompressed).getReader();
  try {
    const { value } = await readOrRefuse(reader);
    return value?.subarray(0, SAMPLE) ?? new Uint8Array();
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

async function firstLine(text: TextSource): Promise<string> {
  for await (const { lines } of textLines(text)) {
    const filled = lines.filter((line) => line !== "");
    if (filled.length === 0) continue;
    const [line] = filled;
    if (line === undefined || line.includes("\0"))
      throw new Refusal("not-text", "The file does not begin with a line of text.");
    return line;
  }
  throw new Refusal("empty-file", "The file is empty.");
}

function headerOf(line: string, format: "csv" | "tsv"): Header {
  try {
    return splitHeader(line, format === "tsv" ? { delimiter: "\t" } : {});
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
    throw new Refusal("broken-header", `The first line is not a header: it must be ${error.expected}.`);
  }
}

function placeOf(columns: readonly string[], name: string): number {
  const place = columns.indexOf(name);
  if (place < 0) throw unknownColumn(name);
  return place;
}

/** By the name alone: the first line is one person's, so it must not decide the format. */
const IS_ARRAY = /\.json(\.gz)?$/i;

export async function openJsonLines(
  file: File,
  format: TextFormat<"ndjson">,
  encoding: Encoding = "utf-8",
): Promise<DataFile> {
  if (IS_ARRAY.test(file.name))
    throw new Refusal(
      "not-text",
      "A .json file is one JSON array, and the page reads one object on each line. If this file has one on each line, rename it to .ndjson.",
    );
  const shape = {
    ...textFile(file, format, encoding),
    columns: [],
    guess: { why: "A file of JSON lines has no header, so type the names of the two members." },
  };
  const read = async (names: readonly string[], reading: Reading) => {
    if (names.includes("")) throw new Refusal("unknown-column", "Type the names of the two members.");
    const parse = (line: string) => parseJsonLine(line, names) ?? "fields";
    return readLines({ file, isCompressed: format.isCompressed, encoding, hasHeader: false, parse }, reading);
  };
  return { shape, read };
}

/** The texts of a line, or why it is skipped. */
type ParseLine = (line: string) => readonly string[] | "quotes" | "fields";

interface TextSource {
  readonly file: File;
  readonly isCompressed: boolean;
  readonly encoding: Encoding;
}

interface LinesToRead extends TextSource {
  readonly hasHeader: boolean;
  readonly parse: ParseLine;
}

async function readLines(
  { hasHeader, parse, ...text }: LinesToRead,
  { task, onProgress, take }: Reading,
): Promise<RowTotals> {
  let [rows, isHeader] = [0, hasHeader];
  const skippedBy = { encoding: 0, quotes: 0, fields: 0 };
  for await (const { lines, share } of textLines(text)) {
    for (const line of lines) {
      if (line === "") continue; // only the first line of a file can come empty
      if (isHeader) {
        isHeader = false;
        continue;
      }
      rows++;
      const fields = line === undefined ? "encoding" : parse(line);
      if (typeof fields === "string") skippedBy[fields]++;
      else take(fields);
    }
    onProgress(share);
    await task.checkpoint();
  }
  const { encoding, quotes, fields } = skippedBy;
  return { rows, skipped: encoding + quotes + fields, skippedBy };
}

/** Browsers hand out chunks of any size; one turn works on at most this many bytes. */
const LARGEST_PIECE = 262_144;

interface TextLines {
  readonly lines: readonly PhysicalLine[];
  /** The share of the file that has been read. */
  readonly share: number;
}

/** Batch after batch, as the file comes in. Leaving the loop closes the file. */
async function* textLines({ file, isCompressed, encoding }: TextSource): AsyncGenerator<TextLines, void> {
  const splitter = new LineSplitter();
  const counted = countBytes();
  let unpacked = 0;
  const bytes = bytesOf(file, isCompressed, counted.stream);
  const isUtf8 = encoding === "utf-8";
  const reader = (isUtf8 ? bytes : asUtf8(bytes, encoding)).getReader();
  const whole = (lines: readonly PhysicalLine[]) => (isUtf8 ? lines : lines.map(unlessReplaced));
  try {
    for (;;) {
      const { done, value } = await readOrRefuse(reader);
      if (done) break;
      unpacked += value.length;
      if (unpacked > LARGEST_FILE) throw tooLarge(); // a small file can unpack into a large one
      for (let at = 0; at < value.length; at += LARGEST_PIECE)
        yield {
          lines: whole(splitter.push(value.subarray(at, at + LARGEST_PIECE))),
          share: counted.bytes() / file.size,
        };
    }
    yield { lines: whole(splitter.end()), share: 1 };
  } finally {
    await reader.cancel().catch(() => undefined); // a stream that failed has nothing left to cancel
  }
}

type ByteStream = ReadableStream<Uint8Array<ArrayBuffer>>;

function bytesOf(
  file: File,
  isCompressed: boolean,
  through?: TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>,
): ByteStream {
  const bytes = through === undefined ? file.stream() : file.stream().pipeThrough(through);
  return isCompressed ? bytes.pipeThrough(new DecompressionStream("gzip")) : bytes;
}

function asUtf8(bytes: ByteStream, encoding: Encoding): ByteStream {
  return bytes
    .pipeThrough(new TextDecoderStream(encoding))
    .pipeThrough(new TextEncoderStream()) as ByteStream;
}

/** The decoder writes U+FFFD for bytes it can't read. Two names could become one that way, so the line is skipped. */
function unlessReplaced(line: PhysicalLine): PhysicalLine {
  return line?.includes("\u{fffd}") ? undefined : line;
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
