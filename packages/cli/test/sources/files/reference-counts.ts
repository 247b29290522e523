import { LineSplitter, parseDelimitedLine, parseJsonLine, splitHeader } from "winnow-release";
import type { SourceOptions } from "../../../src/sources/source.js";
import type { Counted } from "./engine-folder.js";

/** The counts of a file by the reference reading of its lines, in plain TypeScript. */

export function referenceCounts(
  format: "csv" | "tsv" | "ndjson",
  bytes: Uint8Array,
  { delimiter, quote }: SourceOptions = {},
): Counted {
  const splitter = new LineSplitter();
  const lines = [...splitter.push(bytes), ...splitter.end()];
  if (lines[0] === "" && lines.length > 1) lines.shift(); // blank lines before the header
  const read =
    format === "ndjson"
      ? readObject
      : delimitedReader(lines.shift() ?? "", delimiter ?? (format === "tsv" ? "\t" : ","), quote);
  const users = new Map<string, Set<string>>();
  let unread = 0;
  for (const line of lines) {
    if (line === "") continue;
    const row = line === undefined ? undefined : read(line);
    if (row === undefined) unread++;
    else if (row[0] !== "" && row[1] !== "") users.set(row[0], (users.get(row[0]) ?? new Set()).add(row[1]));
  }
  return { counts: Object.fromEntries([...users].map(([item, set]) => [item, set.size])), unread };
}

type Reader = (line: string) => readonly string[] | undefined;

const readObject: Reader = (line) => parseJsonLine(line, ["item", "user"]);

function delimitedReader(header: string, delimiter: string, quote = '"'): Reader {
  const { columns, ...dialect } = splitHeader(header, { delimiter, quote });
  return (line) => {
    const fields = parseDelimitedLine(line, dialect);
    if (fields?.length !== columns.length) return undefined;
    return [fields[columns.indexOf("item")], fields[columns.indexOf("user")]];
  };
}
