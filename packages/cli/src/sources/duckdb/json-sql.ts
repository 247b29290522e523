/**
 * NDJSON in SQL. Lines of the shape of the first one (the same names in the same order, plain values without escapes, as
 * one writer writes them) are matched by a regular expression; every other line is read by `parseJsonLine` itself, which
 * DuckDB calls as a function. Both give the same texts, so the first line decides how fast a line is read, never how.
 * @module
 */
import { type DuckDBConnection, DuckDBScalarFunction, STRUCT, structValue, VARCHAR } from "@duckdb/node-api";
import { parseJsonLine } from "winnow-release";
import { linesSql } from "./lines-sql.js";
import type { FoundFiles, Relation, Roles } from "./relation.js";
import { sqlText } from "./sql-text.js";

/** Shapes with more members gain nothing from the pattern. */
const MOST_MEMBERS = 100;
const TEXT = String.raw`"[^"\\\x00-\x1f]*"`;
const VALUE = String.raw`${TEXT}|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null`;
const SPACE = "[ \\t]*";

export function jsonRelation(
  connection: DuckDBConnection,
  files: FoundFiles,
  firstLine: string | undefined,
  format: string,
): Relation {
  return {
    columns: [],
    dialect: { format, encoding: "utf-8", lines: "each on its own" },
    isReadByLine: true,
    rows(roles) {
      registerParser(connection, roles);
      return rowsSql(linesSql(files, false), roles, firstLine ?? "");
    },
  };
}

/** An item that is NULL stands for a line that counts for nobody. */
function rowsSql(lines: string, roles: Roles, firstLine: string): string {
  const token = (name: string) => `CASE WHEN tokens.user = '' THEN parsed.${name}
    WHEN starts_with(tokens.${name}, '"') THEN substring(tokens.${name}, 2, length(tokens.${name}) - 2)
    WHEN tokens.${name} = 'null' THEN '' ELSE tokens.${name} END AS "${name}"`;
  // A token is never empty, so an empty one means that the pattern did not match. The sign before the line protects a byte
  // order mark, which would be lost on the way into JavaScript.
  return `SELECT ${token("item")}, ${token("user")} FROM (SELECT tokens,
      CASE WHEN tokens.user = '' THEN winnow_json_line('=' || line) END AS parsed
    FROM (SELECT line, ${tokensSql(roles, firstLine)} AS tokens FROM (${lines})))`;
}

function tokensSql(roles: Roles, firstLine: string): string {
  const names = namesIn(firstLine);
  if (names === undefined || !names.includes(roles.item) || !names.includes(roles.user))
    return "{'item': '', 'user': ''}";
  const isWanted = (name: string) => name === roles.item || name === roles.user;
  const members = names.map(
    (name) => `"${literal(name)}"${SPACE}:${SPACE}(${isWanted(name) ? "" : "?:"}${VALUE})`,
  );
  const pattern = `^${SPACE}\\{${SPACE}${members.join(`${SPACE},${SPACE}`)}${SPACE}\\}${SPACE}$`;
  const groups = names.filter(isWanted).map((name) => (name === roles.item ? "'item'" : "'user'"));
  return `regexp_extract(line, ${sqlText(pattern)}, [${groups.join(", ")}])`;
}

/** The distinct names of a line's members, if it has a plain shape. */
function namesIn(line: string): string[] | undefined {
  const shape = new RegExp(
    `^${SPACE}\\{(?:${SPACE}${TEXT}${SPACE}:${SPACE}(?:${VALUE})${SPACE}(?:,(?!${SPACE}\\})|(?=\\})))+\\}${SPACE}$`,
  );
  if (!shape.test(line)) return undefined;
  const names = [...line.matchAll(new RegExp(`(${TEXT})${SPACE}:${SPACE}(?:${VALUE})`, "g"))].map(
    ([, name]) => name!.slice(1, -1),
  );
  return names.length <= MOST_MEMBERS && new Set(names).size === names.length ? names : undefined;
}

/** A text that stands for itself in a pattern. */
function literal(text: string): string {
  return [...text].map((sign) => `\\x{${sign.codePointAt(0)!.toString(16)}}`).join("");
}

function registerParser(connection: DuckDBConnection, { item, user }: Roles): void {
  connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name: "winnow_json_line",
      returnType: STRUCT({ item: VARCHAR, user: VARCHAR }),
      parameterTypes: [VARCHAR],
      mainFunction(_, lines, parsed) {
        for (const [i, line] of lines.getColumnValues(0).entries()) {
          const texts = parseJsonLine(String(line).slice(1), [item, user]);
          parsed.setItem(i, texts === undefined ? null : structValue({ item: texts[0]!, user: texts[1]! }));
        }
        parsed.flush();
      },
    }),
  );
}
