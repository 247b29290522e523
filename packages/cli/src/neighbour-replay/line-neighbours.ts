/**
 * Neighbours of a file of lines. Every line of the others is copied byte for byte, and so is the header: it is nobody's, also
 * where somebody is called like a column.
 * @module
 */
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Entropy } from "winnow-dp";
import { shuffle, uniformBelow } from "winnow-dp/sample";
import { LineSplitter } from "winnow-release";
import { type FileNeighbours, STRANGER } from "./file-neighbours.js";
import { hostileLine } from "./hostile-line.js";
import { HOSTILE_TEXTS, pick } from "./hostile-text.js";
import { type LineLayout, LineWriter, type Row } from "./line-writer.js";
import { rawLines } from "./raw-lines.js";

const STRANGERS_LINES = 40;

export interface LineFile {
  readonly path: string;
  readonly isGzip: boolean;
  readonly layout: LineLayout;
}

/** The neighbours are written into a private folder. */
export function lineNeighbours({ path, isGzip, layout }: LineFile, folder: string): FileNeighbours {
  const writer = new LineWriter(layout);
  const copy = join(folder, `neighbour.${layout.format}`);
  const headerLines = layout.format === "ndjson" ? 0 : 1;
  const items: string[] = [];
  const write = async (lines: AsyncIterable<Uint8Array>) => {
    await pipeline(lines, createWriteStream(copy, { mode: 0o600 }));
    return copy;
  };
  return {
    roles: layout.roles,
    async people(most, entropy) {
      const rows = await sampleRows(afterHeader(rawLines(path, isGzip), headerLines), writer, most, entropy);
      items.push(...rows.map(({ item }) => item));
      return [...new Set(rows.map(({ user }) => user))];
    },
    without: (person) => write(linesWithout(rawLines(path, isGzip), headerLines, writer, person)),
    withStranger(entropy) {
      const lines = Array.from({ length: STRANGERS_LINES }, () =>
        hostileLine({ user: STRANGER, item: pick([...HOSTILE_TEXTS, ...items], entropy) }, writer, entropy),
      );
      return write(linesWith(rawLines(path, isGzip), headerLines, lines, uniformBelow(2, entropy) === 0));
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

/** Rows drawn from the lines, each with the same chance. */
async function sampleRows(
  lines: AsyncIterable<Uint8Array>,
  writer: LineWriter,
  most: number,
  entropy: Entropy,
): Promise<Row[]> {
  const sample: Row[] = [];
  let seen = 0;
  for await (const line of lines) {
    const row = rowIn(line, writer);
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
  for await (const line of lines)
    if (place++ < headerLines || rowIn(line, writer)?.user !== person) yield line;
}

/** The stranger's lines come first or last. */
async function* linesWith(
  lines: AsyncIterable<Uint8Array>,
  headerLines: number,
  added: readonly Uint8Array[],
  isFirst: boolean,
): AsyncGenerator<Uint8Array> {
  let place = 0;
  for await (const line of lines) {
    if (isFirst && place++ === headerLines) yield* added;
    yield line;
  }
  if (isFirst && place > headerLines) return;
  yield Buffer.from("\n");
  yield* added;
}

function rowIn(line: Uint8Array, writer: LineWriter): Row | undefined {
  const [text] = new LineSplitter().push(line);
  return text === undefined ? undefined : writer.read(text);
}
