/**
 * The physical lines of a text file, plain or compressed with gzip, in memory that does not grow with the file.
 * @module
 */
import { LineSplitter, type PhysicalLine } from "winnow-release";
import { brokenFile, LARGEST_FILE, tooLarge } from "./data-file.js";

/** Browsers hand out chunks of any size; so many bytes are one turn's work. */
const LARGEST_PIECE = 262_144;

export interface TextLines {
  readonly lines: readonly PhysicalLine[];
  /** The share of the file that has been read. */
  readonly share: number;
}

/** Batch after batch, as the file comes in. Leaving the loop closes the file. */
export async function* textLines(file: File, isCompressed: boolean): AsyncGenerator<TextLines, void> {
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
