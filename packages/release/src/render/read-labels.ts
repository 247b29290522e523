/**
 * A public file of labels, read from text: what to call the items in a table or a picture, such as the titles of films that the rows
 * know by number. The first two columns of a CSV file; the first line of an item counts.
 * @module
 */
import { parseDelimitedLine } from "../lines/parse-line.js";
import { ListError, listHeader } from "./read-list.js";

/** Labels by item. Throws a `ListError`, whose message goes on after the name of the file. */
export function readLabels(text: string): ReadonlyMap<string, string> {
  const [header = "", ...lines] = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  const { columns, ...dialect } = listHeader(header);
  if (columns.length < 2) throw new ListError("usage", "must have a column of items and one of labels.");
  const labels = new Map<string, string>();
  for (const [i, line] of lines.entries()) {
    if (line === "") continue;
    const fields = parseDelimitedLine(line, dialect);
    // The file is public, so the message may say which line is wrong.
    if (fields?.length !== columns.length) throw new ListError("usage", `can't be parsed at line ${i + 2}.`);
    if (!labels.has(fields[0])) labels.set(fields[0], fields[1]);
  }
  return labels;
}
