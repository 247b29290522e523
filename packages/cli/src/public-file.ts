/**
 * Files that are public as a whole: lists of candidates, scores to plan with, the configuration. They are read at once and
 * their text may be quoted in messages. Text that is not UTF-8 is refused rather than repaired: two spellings that a repair
 * makes equal would be one candidate.
 * @module
 */
import { readFile } from "node:fs/promises";
import { fileRefusal } from "./file-refusal.js";
import { Refusal } from "./refusal.js";

/** The text of a public file without its byte order mark. */
export async function readPublicFile(what: string, path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw fileRefusal(what, path, error);
  });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal("unreadable-source", `${what} ${JSON.stringify(path)} is not text in UTF-8.`);
  }
}

/** Its lines, whichever way they end; a last empty one is none. */
export async function readPublicLines(what: string, path: string): Promise<string[]> {
  const lines = (await readPublicFile(what, path)).split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
