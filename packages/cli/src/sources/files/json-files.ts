/**
 * NDJSON and JSON files.
 *
 * NDJSON lines of the shape of the first one (the same names in the same order, plain values without escapes, as
 * one writer writes them) are matched by a regular expression in SQL. Every other line is read by `parseJsonLine`
 * itself, which DuckDB calls as a function. Both give the same texts, so the first line affects how fast a line is
 * read, never the result.
 *
 * To see where an element of a JSON array ends, a reader must count brackets and quotes from the start of the file. So one
 * person can open a bracket in one element and close it in another, 300 elements later, and swallow everyone in between.
 * Therefore Winnow reads arrays only if the writer of the file is trusted (`--multiline`).
 *
 * A file that contains one JSON array is copied to a private file with one element per line, which is then read
 * like NDJSON: byte for byte, in a single pass and in constant memory. Whatever separates elements becomes the end
 * of a line. Line ends within an element become spaces or, inside a string, where JSON forbids them, another
 * forbidden character, so the element stays as malformed as it was. If the array itself is broken, the file is
 * refused; a malformed element is skipped.
 * @module
 */

import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type DuckDBConnection, DuckDBScalarFunction, STRUCT, structValue, VARCHAR } from "@duckdb/node-api";
import { parseJsonLine, Refusal } from "winnow-release";
import { unpacked } from "./compressed.js";
import { sqlText } from "./engine.js";
import { emptySource } from "./find-files.js";
import { type FoundFiles, firstNames, LineFiles, namedRoles, type Relation, type Roles } from "./relation.js";

/** The pattern doesn't pay off for objects with more members. */
const MOST_MEMBERS = 100;
const PLAIN_TEXT = String.raw`"[^"\\\x00-\x1f]*"`;
const PLAIN_VALUE = String.raw`${PLAIN_TEXT}|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null`;
const OPTIONAL_SPACE = "[ \\t]*";

export function jsonRelation(
  connection: DuckDBConnection,
  files: FoundFiles,
  firstLine: string | undefined,
  format: string,
): Relation {
  const lines = new LineFiles(files, "");
  const parsers: string[] = []; // each has the columns that it gives in its type, so it is a function of its own
  const rows = (roles: Roles) => {
    const columns = JSON.stringify([...firstNames(roles)]);
    if (!parsers.includes(columns)) registerParser(connection, parserName(parsers.push(columns) - 1), roles);
    return rowsSql(lines.linesSql(), roles, firstLine ?? "", parserName(parsers.indexOf(columns)));
  };
  return {
    columns: [],
    dialect: {
      format,
      encoding: "utf-8",
      lines: format === "json" ? "elements of an array, writer trusted" : "each on its own",
    },
    lines,
    rows,
    malformedSql: (roles) => `SELECT count(*) FROM (${rows(roles)}) WHERE item IS NULL`,
  };
}

function parserName(place: number): string {
  return `winnow_json_line_${place}`;
}

/** A NULL item marks a line that is skipped. */
function rowsSql(lines: string, roles: Roles, firstLine: string, parser: string): string {
  const names = firstNames(roles);
  const token = ([name, column]: readonly [string, string]) => {
    const part = names.get(column)!;
    return `CASE WHEN tokens.user = '' THEN parsed.${part}
    WHEN starts_with(tokens.${part}, '"') THEN substring(tokens.${part}, 2, length(tokens.${part}) - 2)
    WHEN tokens.${part} = 'null' THEN '' ELSE tokens.${part} END AS "${name}"`;
  };
  // A token is never empty, so an empty one means that the pattern didn't match. The sign before the line protects a byte
  // order mark, which would be lost on the way to JavaScript.
  return `SELECT ${namedRoles(roles).map(token)} FROM (SELECT tokens,
      CASE WHEN tokens.user = '' THEN ${parser}('=' || line) END AS parsed
    FROM (SELECT line, ${tokensSql(roles, firstLine)} AS tokens FROM (${lines})))`;
}

function tokensSql(roles: Roles, firstLine: string): string {
  const names = namesIn(firstLine);
  const wanted = firstNames(roles);
  if (names === undefined || [...wanted.keys()].some((column) => !names.includes(column)))
    return `{${Array.from(wanted.values(), (name) => `'${name}': ''`)}}`;
  const isWanted = (name: string) => wanted.has(name);
  const members = names.map(
    (name) =>
      `"${literal(name)}"${OPTIONAL_SPACE}:${OPTIONAL_SPACE}(${isWanted(name) ? "" : "?:"}${PLAIN_VALUE})`,
  );
  const pattern = `^${OPTIONAL_SPACE}\\{${OPTIONAL_SPACE}${members.join(`${OPTIONAL_SPACE},${OPTIONAL_SPACE}`)}${OPTIONAL_SPACE}\\}${OPTIONAL_SPACE}$`;
  const groups = names.flatMap((name) => wanted.get(name) ?? []).map(sqlText);
  return `regexp_extract(line, ${sqlText(pattern)}, [${groups.join(", ")}])`;
}

/** The distinct names of a line's members, if it has a plain shape. */
function namesIn(line: string): string[] | undefined {
  const shape = new RegExp(
    `^${OPTIONAL_SPACE}\\{(?:${OPTIONAL_SPACE}${PLAIN_TEXT}${OPTIONAL_SPACE}:${OPTIONAL_SPACE}(?:${PLAIN_VALUE})${OPTIONAL_SPACE}(?:,(?!${OPTIONAL_SPACE}\\})|(?=\\})))+\\}${OPTIONAL_SPACE}$`,
  );
  if (!shape.test(line)) return undefined;
  const names = [
    ...line.matchAll(new RegExp(`(${PLAIN_TEXT})${OPTIONAL_SPACE}:${OPTIONAL_SPACE}(?:${PLAIN_VALUE})`, "g")),
  ].map(([, name]) => name!.slice(1, -1));
  return names.length <= MOST_MEMBERS && new Set(names).size === names.length ? names : undefined;
}

/** A text as a literal in a pattern. */
function literal(text: string): string {
  return [...text].map((sign) => `\\x{${sign.codePointAt(0)!.toString(16)}}`).join("");
}

function registerParser(connection: DuckDBConnection, name: string, roles: Roles): void {
  const wanted = firstNames(roles);
  const [columns, names] = [[...wanted.keys()], [...wanted.values()]];
  const byName = <T>(of: (i: number) => T) => Object.fromEntries(names.map((name, i) => [name, of(i)]));
  connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name,
      returnType: STRUCT(byName(() => VARCHAR)),
      parameterTypes: [VARCHAR],
      mainFunction(_, lines, parsed) {
        for (const [i, line] of lines.getColumnValues(0).entries()) {
          const texts = parseJsonLine(String(line).slice(1), columns);
          parsed.setItem(i, texts === undefined ? null : structValue(byName((place) => texts[place]!)));
        }
        parsed.flush();
      },
    }),
  );
}

/** The path of the copy. */
export async function spoolJsonArray({ paths, compression }: FoundFiles, folder: string): Promise<string> {
  const copy = join(folder, "array.ndjson");
  for (const path of paths) {
    const lines = new JsonArrayLines();
    async function* split(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      let bytes = 0;
      for await (const chunk of chunks) {
        bytes += chunk.length;
        yield lines.push(chunk) ?? refuseArray(path);
      }
      if (bytes === 0) throw emptySource(path);
      if (!lines.isComplete()) refuseArray(path);
    }
    const output = createWriteStream(copy, { flags: "a", mode: 0o600 });
    await pipeline(unpacked(path, compression), split, output);
  }
  return copy;
}

function refuseArray(path: string): never {
  throw new Refusal(
    "unreadable-source",
    `The file ${JSON.stringify(path)} isn't one JSON array; for one JSON object per line, add --format ndjson.`,
  );
}

const [QUOTE, BACKSLASH, COMMA, SPACE, LF, CR, FORBIDDEN] = [34, 92, 44, 32, 10, 13, 1];
const OPEN = [91, 123];
const CLOSE = [93, 125];
const BLANK = [SPACE, LF, CR, 9];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

class JsonArrayLines {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isOver = false;

  /** The next part, as long as the chunk; undefined if the file isn't an array. */
  push(chunk: Uint8Array): Uint8Array | undefined {
    const lines = new Uint8Array(chunk.length);
    for (let i = 0; i < chunk.length; i++) {
      const byte = this.#isInString ? this.#withinString(chunk[i]!) : this.#between(chunk[i]!);
      if (byte === undefined) return undefined;
      lines[i] = byte;
    }
    return lines;
  }

  /** Whether the array was closed. */
  isComplete(): boolean {
    return this.#isOver;
  }

  #withinString(byte: number): number {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInString = false;
    return byte === LF || byte === CR ? FORBIDDEN : byte;
  }

  #between(byte: number): number | undefined {
    if (byte === LF || byte === CR) return SPACE;
    if (this.#depth === 0) return this.#outside(byte);
    if (byte === QUOTE) this.#isInString = true;
    else if (OPEN.includes(byte)) this.#depth++;
    else if (CLOSE.includes(byte) && --this.#depth === 0) {
      this.#isOver = true;
      return LF;
    }
    return byte === COMMA && this.#depth === 1 ? LF : byte;
  }

  /** Before and behind the array. */
  #outside(byte: number): number | undefined {
    if (BLANK.includes(byte)) return SPACE;
    if (this.#isOver) return undefined;
    if (byte === OPEN[0]) {
      this.#depth = 1;
      return SPACE;
    }
    return BYTE_ORDER_MARK.includes(byte) ? SPACE : undefined;
  }
}
