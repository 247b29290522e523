/**
 * The rows of a text file, each line read on its own: one that is no text, or that cannot be parsed, counts for nobody.
 * @module
 */
import type { Reading, RowTotals } from "./data-file.js";
import { textLines } from "./text-lines.js";

/** The item and the user of a line, or undefined if it counts for nobody. */
export type ParseLine = (line: string) => readonly [item: string, user: string] | undefined;

export interface LinesToRead {
  readonly file: File;
  readonly isCompressed: boolean;
  readonly hasHeader: boolean;
  readonly parse: ParseLine;
}

export async function readLines(
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
