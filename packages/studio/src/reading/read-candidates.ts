/**
 * The public list of candidates: one on each line. Text that is not UTF-8 is refused rather than repaired, because a repair
 * could make one candidate of two. A candidate that is listed twice counts once; an empty line is none.
 * @module
 */
import { StudioRefusal } from "../worker/studio-refusal.js";
import { tooLarge } from "./data-file.js";

const LARGEST_LIST = 100_000_000; // bytes

/** Each once, in the order of the list. */
export async function readCandidates(list: File | readonly string[]): Promise<readonly string[]> {
  const lines = list instanceof File ? await linesOf(list) : list;
  const names = [...new Set(lines)].filter((name) => name !== "");
  if (names.length === 0) throw new StudioRefusal("no-candidates", "The list has no candidate.");
  return names;
}

async function linesOf(file: File): Promise<string[]> {
  if (file.size > LARGEST_LIST) throw tooLarge();
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).split(/\r\n|\n|\r/);
  } catch {
    throw new StudioRefusal("not-text", "The list of candidates is not text in UTF-8.");
  }
}
