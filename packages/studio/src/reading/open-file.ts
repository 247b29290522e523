/**
 * Opens a file by its first bytes (gzip and Parquet have marks of their own) and its name. Only the header is read here.
 * @module
 */
import { StudioRefusal } from "../worker/studio-refusal.js";
import { type DataFile, LARGEST_FILE, tooLarge } from "./data-file.js";
import { openDelimited } from "./delimited-file.js";
import { exampleFile } from "./example-file.js";
import { openJsonLines } from "./json-lines-file.js";
import { openParquet } from "./parquet-file.js";
import { formatByName } from "./text-format.js";

export async function openFile(file: File | "example"): Promise<DataFile> {
  if (file === "example") return exampleFile();
  if (file.size === 0) throw new StudioRefusal("empty-file", "The file is empty.");
  if (file.size > LARGEST_FILE) throw tooLarge();
  const mark = await firstBytes(file);
  if (mark.startsWith("PAR1")) return openParquet(file);
  const isCompressed = mark.startsWith("\x1f\x8b");
  const name = formatByName(file.name);
  return name === "ndjson"
    ? openJsonLines(file, { name, isCompressed })
    : openDelimited(file, { name, isCompressed });
}

/** One character for each byte. */
async function firstBytes(file: File): Promise<string> {
  try {
    return String.fromCharCode(...new Uint8Array(await file.slice(0, 4).arrayBuffer()));
  } catch {
    throw new StudioRefusal("broken-file", "The browser cannot read the file any more.");
  }
}
