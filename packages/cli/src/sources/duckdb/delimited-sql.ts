/**
 * The fields of a line in SQL: the grammar of `parseDelimitedLine` as regular expressions. RE2 matches them in linear time
 * whatever a line holds. Lines without a doubled quote, nearly all, take the simple form, whose groups hold the text
 * without its quotes; the others take the general one and are unquoted afterwards.
 * @module
 */
import type { Header } from "winnow-release";
import { linesSql } from "./lines-sql.js";
import type { FoundFiles, Relation, Roles } from "./relation.js";
import { sqlText } from "./sql-text.js";

export function delimitedRelation(files: FoundFiles, header: Header, format: string): Relation {
  const { columns, delimiter, quote } = header;
  return {
    columns,
    dialect: { format, delimiter, quote, header: "first line", encoding: "utf-8", lines: "each on its own" },
    isReadByLine: true,
    rows: (roles) => rowsSql(linesSql(files, true), header, roles),
  };
}

/** An item that is NULL stands for a malformed line. */
function rowsSql(lines: string, header: Header, roles: Roles): string {
  const fields = header.quote === "" ? plainSql(lines, header, roles) : quotedSql(lines, header, roles);
  const grammar = sqlText(pattern(header, () => `(?:${generalField(header)})`));
  return `SELECT "user", CASE WHEN item = '' AND "user" = '' AND NOT regexp_full_match(line, ${grammar})
    THEN NULL ELSE item END AS item FROM (${fields})`;
}

/** Where no field is quoted. */
function plainSql(lines: string, header: Header, roles: Roles): string {
  const plain = pattern(header, (column) =>
    isWanted(column, roles) ? `(${plainField(header)})` : plainField(header),
  );
  return `SELECT line, fields.item AS item, fields.user AS "user" FROM
    (SELECT line, regexp_extract(line, ${sqlText(plain)}, [${groups(header, roles, ["$"])}]) AS fields FROM (${lines}))`;
}

function quotedSql(lines: string, header: Header, roles: Roles): string {
  const simple = pattern(header, (column) => simpleField(header, isWanted(column, roles)));
  const general = pattern(
    header,
    (column) => `(${isWanted(column, roles) ? "" : "?:"}${generalField(header)})`,
  );
  const field = (name: string) => `CASE WHEN is_doubled THEN ${unquoted(`general.${name}`, header.quote)}
    WHEN simple.quoted_${name} = '' THEN simple.plain_${name} ELSE simple.quoted_${name} END AS "${name}"`;
  // Each CASE keeps an expression from running on the lines of the other form.
  return `SELECT line, ${field("item")}, ${field("user")} FROM (SELECT line, is_doubled,
      CASE WHEN NOT is_doubled THEN
        regexp_extract(line, ${sqlText(simple)}, [${groups(header, roles, ["quoted_$", "plain_$"])}]) END AS simple,
      CASE WHEN is_doubled THEN
        regexp_extract(line, ${sqlText(general)}, [${groups(header, roles, ["$"])}]) END AS general
    FROM (SELECT line, contains(line, ${sqlText(header.quote + header.quote)}) AS is_doubled FROM (${lines})))`;
}

function pattern({ columns, delimiter }: Header, field: (column: string) => string): string {
  return `^${columns.map(field).join(character(delimiter))}$`;
}

/** The names of the groups of a pattern, in the order in which the columns stand. */
function groups({ columns }: Header, roles: Roles, templates: readonly string[]): string {
  const names = columns
    .filter((column) => isWanted(column, roles))
    .map((column) => (column === roles.item ? "item" : "user"));
  return names
    .flatMap((name) => templates.map((template) => sqlText(template.replace("$", name))))
    .join(", ");
}

function isWanted(column: string, { item, user }: Roles): boolean {
  return column === item || column === user;
}

function plainField({ delimiter, quote }: Header): string {
  return `[^${character(delimiter)}${quote === "" ? "" : character(quote)}]*`;
}

/** With no quote inside the quotes. */
function simpleField(header: Header, isWanted: boolean): string {
  const quote = character(header.quote);
  const open = isWanted ? "(" : "(?:";
  return `(?:${quote}${open}[^${quote}]*)${quote}|${open}${plainField(header)}))`;
}

/** After a closing quote another one opens again: so a doubled quote needs no look ahead, and RE2 no second pass. */
function generalField(header: Header): string {
  const quote = character(header.quote);
  const quoted = `${quote}[^${quote}]*${quote}`;
  return header.quote === "" ? plainField(header) : `${quoted}(?:${quoted})*|${plainField(header)}`;
}

function unquoted(field: string, quote: string): string {
  const inner = `substring(${field}, 2, length(${field}) - 2)`;
  return `CASE WHEN starts_with(${field}, ${sqlText(quote)})
    THEN replace(${inner}, ${sqlText(quote + quote)}, ${sqlText(quote)}) ELSE ${field} END`;
}

/** A character by its number, so that none has a meaning of its own in a pattern. */
function character(text: string): string {
  return text === "" ? "" : `\\x{${text.codePointAt(0)!.toString(16)}}`;
}
