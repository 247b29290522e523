/**
 * The first line of a file, which is all that is looked at before the dialect is fixed.
 * @module
 */
import { createReadStream } from "node:fs";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { LineSplitter, type PhysicalLine } from "winnow-release";
import { fileRefusal } from "../../file-refusal.js";
import { Refusal } from "../../refusal.js";

/** Without what ends it; [undefined] if it is no text or too long, and [] if there is none. */
export async function firstLine(path: string, isGzip: boolean): Promise<PhysicalLine[]> {
  const splitter = new LineSplitter();
  try {
    for await (const chunk of unpacked(createReadStream(path), isGzip)) {
      const lines = splitter.push(chunk);
      if (lines.length > 0) return lines.slice(0, 1);
    }
    return splitter.end();
  } catch (error) {
    throw startRefusal(path, error);
  }
}

export function emptySource(path: string): Refusal {
  return new Refusal("empty-source", `The file ${JSON.stringify(path)} is empty.`);
}

/** The bytes of a file that may be compressed. Whoever reads them gets every failure, and whoever stops early none. */
export function unpacked(file: Readable, isGzip: boolean): Readable {
  if (!isGzip) return file;
  const bytes = createGunzip().on("error", () => {});
  pipeline(file, bytes, () => {});
  return bytes;
}

function startRefusal(path: string, error: unknown): Refusal {
  const isCompression = String((error as NodeJS.ErrnoException).code).startsWith("Z_");
  return isCompression
    ? new Refusal(
        "unreadable-source",
        `The file ${JSON.stringify(path)} is not compressed by gzip as its name says.`,
      )
    : fileRefusal("The file", path, error);
}
