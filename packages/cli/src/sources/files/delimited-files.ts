/**
 * CSV and TSV files. The header of the first file fixes columns and dialect, and the others must have the same.
 *
 * The fields of a line are the grammar of `parseDelimitedLine` as regular expressions in SQL, which RE2 matches in
 * linear time whatever a line contains. Lines without a doubled quote, nearly all of them, take the simple form,
 * whose groups hold the text without its quotes. The others take the general form and are unquoted afterwards.
 *
 * Most files contain no quote and no malformed line. Then the engine's own reader splits the lines at the delimiters, which
 * is faster. Both ways give the same fields for the same line, so the content of a file affects how fast it is read, never
 * the result.
 *
 * CSV with newlines inside quoted fields is for files whose writer is trusted: the engine's own reader with a fixed
 * dialect and every column as text. An unclosed quote may then swallow other people's lines, so this must be requested
 * and is recorded in the release.
 * @module
 */
import { WinnowError } from "winnow-dp";
import { type Header, type LineDialect, MOST_COLUMNS, mustBe, Refusal, splitHeader } from "winnow-release";
import { FIRST_LINE, NO_HEADER, type SourceOptions } from "../source.js";
import type { Compression } from "./compressed.js";
import { sqlList, sqlName, sqlText } from "./engine.js";
import { emptySource, readStart } from "./find-files.js";
import {
  type FileGroup,
  type FoundFiles,
  firstNames,
  LineFiles,
  namedRoles,
  type Relation,
  type Roles,
} from "./relation.js";

export async function openDelimited(
  files: FoundFiles,
  format: "csv" | "tsv",
  options: SourceOptions,
): Promise<Relation> {
  const given = givenDialect(format, options);
  if (options.header === false) return headerlessRelation(files, format, given, options);
  const starts = await Promise.all(files.paths.map((path) => readHeader(path, files.compression, given)));
  const headers = starts.map(({ header }) => header);
  const [header] = headers;
  if (headers.some((other) => JSON.stringify(other) !== JSON.stringify(header)))
    throw new Refusal("broken-header", "The files that match the pattern have different header lines.");
  const blank = starts.map(({ blank }) => blank);
  if (!options.multiline)
    return delimitedRelation(new LineFiles(files, header!.quote, blank), header!, format);
  // The engine's own reader skips lines by the line ends that it expects, which may differ from those in the file.
  if (blank.some((lines) => lines > 0))
    throw new Refusal("broken-header", "With --multiline the header must be the first line of the file.");
  return multilineRelation(files, header!, format);
}

/** The dialect as far as the format and the options determine it; the header determines the rest. */
export function givenDialect(
  format: "csv" | "tsv",
  { delimiter, quote }: SourceOptions,
): Partial<LineDialect> {
  return {
    ...(format === "tsv" && { delimiter: "\t" }),
    ...(delimiter !== undefined && { delimiter }),
    ...(quote !== undefined && { quote }),
  };
}

/** Skips blank lines before it. */
async function readHeader(
  path: string,
  compression: Compression,
  given: Partial<LineDialect>,
): Promise<{ header: Header; blank: number }> {
  const { lines, blank } = await readStart(path, compression);
  if (lines.length === 0) throw emptySource(path);
  const [line] = lines;
  const where = `The header line of ${JSON.stringify(path)}`;
  if (line === undefined) throw new Refusal("broken-header", `${where} isn't UTF-8 text, or is too long.`);
  try {
    return { header: splitHeader(line, given), blank };
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
    if (error.field !== "header") throw new Refusal("usage", `${error.message}.`);
    throw new Refusal("broken-header", `${where} must be ${error.expected}.`);
  }
}

function delimitedRelation(lines: LineFiles, header: Header, format: string): Relation {
  const { columns, delimiter, quote } = header;
  return {
    columns,
    dialect: { format, delimiter, quote, header: FIRST_LINE, encoding: "utf-8", lines: "each on its own" },
    lines,
    rows: (roles) => rowsSql(lines, header, roles),
    malformedSql: () => malformedSql(lines, header),
  };
}

/**
 * Without a header nothing public determines the number of fields in a line, and the first line is someone's row. So a
 * line is valid if it has at least the two requested columns, whatever follows them.
 */
function headerlessRelation(
  files: FoundFiles,
  format: string,
  { delimiter = ",", quote = '"' }: Partial<LineDialect>,
  { multiline }: SourceOptions,
): Relation {
  if (multiline) throw new Refusal("usage", "--no-header and --multiline cannot be combined.");
  const { columns: _, ...dialect } = checkedHeader(["1", "2"], { delimiter, quote });
  const lines = new LineFiles(files, dialect.quote);
  const formOf = ({ item, user, also = [] }: Roles): LineForm => {
    const numbers = [columnNumber("--item", item), columnNumber("--user", user)];
    const width = Math.max(...numbers, ...also.map((column) => columnNumber("--by", column)));
    return { ...dialect, columns: Array.from({ length: width }, (_, i) => String(i + 1)), isOpen: true };
  };
  return {
    columns: [],
    dialect: { format, ...dialect, header: NO_HEADER, encoding: "utf-8", lines: "each on its own" },
    lines,
    rows: (roles) => rowsSql(lines, formOf(roles), roles),
    malformedSql: (roles) => malformedSql(lines, formOf(roles)),
  };
}

/** The same checks of delimiter and quote as with a header. */
function checkedHeader(columns: readonly string[], dialect: LineDialect): Header {
  try {
    return splitHeader(columns.join(dialect.delimiter), dialect);
  } catch (error) {
    throw error instanceof WinnowError ? new Refusal("usage", `${error.message}.`) : error;
  }
}

function columnNumber(option: string, column: string): number {
  const number = /^[1-9]\d{0,3}$/.test(column) ? Number(column) : Number.NaN;
  if (!(number <= MOST_COLUMNS))
    throw new Refusal(
      "usage",
      mustBe(option, `the number of a column, from 1 to ${MOST_COLUMNS}, with --no-header`, column),
    );
  return number;
}

/** Columns and dialect; `isOpen` if more fields may follow. */
interface LineForm extends Header {
  readonly isOpen?: boolean;
}

/** An item that is NULL stands for a malformed line. */
function rowsSql(lines: LineFiles, form: LineForm, roles: Roles): string {
  const groups = lines.groups();
  const isSplit = ({ isPlain }: FileGroup) => isPlain && isOneByte(form.delimiter);
  const others = groups.filter((group) => !isSplit(group));
  return [
    ...groups.filter(isSplit).map((group) => splitSql(lines, group, form, roles)),
    ...(others.length > 0 ? [delimitedRowsSql(lines.linesSql(others), form, roles)] : []),
  ].join(" UNION ALL ");
}

function malformedSql(lines: LineFiles, form: LineForm): string {
  return `SELECT count(*) FROM (${lines.linesSql()}) WHERE NOT regexp_full_match(line, ${grammarOf(form)})`;
}

function isOneByte(character: string): boolean {
  return (character.codePointAt(0) ?? 128) < 128;
}

/** A line is malformed if its last field is missing, or if it has one more. */
function splitSql(
  lines: LineFiles,
  group: FileGroup,
  { columns, delimiter, isOpen }: LineForm,
  roles: Roles,
): string {
  const field = (column: string) => `"${columns.indexOf(column) + 1}"`;
  const more = isOpen ? "" : ` OR "${columns.length + 1}" IS NOT NULL`;
  const from = lines.fieldsSql(group, columns.length + (isOpen ? 0 : 1), delimiter);
  const others = namedRoles(roles).slice(1);
  return `SELECT ${others.map(([name, column]) => `${field(column)} AS "${name}"`)}, CASE WHEN "${columns.length}" IS NULL${more} THEN NULL
    ELSE ${field(roles.item)} END AS item FROM ${from}`;
}

function delimitedRowsSql(lines: string, header: LineForm, roles: Roles): string {
  const fields = header.quote === "" ? plainSql(lines, header, roles) : quotedSql(lines, header, roles);
  const others = namedRoles(roles).slice(1);
  return `SELECT ${others.map(([name]) => `"${name}"`)}, CASE WHEN item = '' AND "user" = '' AND NOT regexp_full_match(line, ${grammarOf(header)})
    THEN NULL ELSE item END AS item FROM (${fields})`;
}

function grammarOf(form: LineForm): string {
  return sqlText(linePattern(form, () => `(?:${generalField(form)})`));
}

/** Where no field is quoted. */
function plainSql(lines: string, header: LineForm, roles: Roles): string {
  const plain = linePattern(header, (column) =>
    isWanted(column, roles) ? `(${plainField(header)})` : plainField(header),
  );
  const names = firstNames(roles);
  const fields = namedRoles(roles).map(([name, column]) => `fields.${names.get(column)} AS "${name}"`);
  return `SELECT line, ${fields} FROM
    (SELECT line, regexp_extract(line, ${sqlText(plain)}, [${groupNames(header, roles, ["$"])}]) AS fields FROM (${lines}))`;
}

function quotedSql(lines: string, header: LineForm, roles: Roles): string {
  const simple = linePattern(header, (column) => simpleField(header, isWanted(column, roles)));
  const general = linePattern(
    header,
    (column) => `(${isWanted(column, roles) ? "" : "?:"}${generalField(header)})`,
  );
  const names = firstNames(roles);
  const field = ([name, column]: readonly [string, string]) => {
    const part = names.get(column)!;
    return `CASE WHEN is_doubled THEN ${unquoted(`general.${part}`, header.quote)}
    WHEN simple.quoted_${part} = '' THEN simple.plain_${part} ELSE simple.quoted_${part} END AS "${name}"`;
  };
  // Each CASE keeps an expression from running on lines of the other form.
  return `SELECT line, ${namedRoles(roles).map(field)} FROM (SELECT line, is_doubled,
      CASE WHEN NOT is_doubled THEN
        regexp_extract(line, ${sqlText(simple)}, [${groupNames(header, roles, ["quoted_$", "plain_$"])}]) END AS simple,
      CASE WHEN is_doubled THEN
        regexp_extract(line, ${sqlText(general)}, [${groupNames(header, roles, ["$"])}]) END AS general
    FROM (SELECT line, contains(line, ${sqlText(header.quote + header.quote)}) AS is_doubled FROM (${lines})))`;
}

function linePattern(form: LineForm, field: (column: string) => string): string {
  const delimiter = characterPattern(form.delimiter);
  const more = form.isOpen ? `(?:${delimiter}(?:${generalField(form)}))*` : "";
  return `^${form.columns.map(field).join(delimiter)}${more}$`;
}

/** The names of the groups of a pattern, in the order of the columns. */
function groupNames({ columns }: Header, roles: Roles, templates: readonly string[]): string {
  const names = firstNames(roles);
  return columns
    .flatMap((column) => names.get(column) ?? [])
    .flatMap((name) => templates.map((template) => sqlText(template.replace("$", name))))
    .join(", ");
}

function isWanted(column: string, roles: Roles): boolean {
  return firstNames(roles).has(column);
}

function plainField({ delimiter, quote }: Header): string {
  return `[^${characterPattern(delimiter)}${quote === "" ? "" : characterPattern(quote)}]*`;
}

/** With no quote inside the quotes. */
function simpleField(header: Header, isWanted: boolean): string {
  const quote = characterPattern(header.quote);
  const open = isWanted ? "(" : "(?:";
  return `(?:${quote}${open}[^${quote}]*)${quote}|${open}${plainField(header)}))`;
}

/** A quote right after a closing quote opens again, so a doubled quote needs no look-ahead, and RE2 no second pass. */
function generalField(header: Header): string {
  const quote = characterPattern(header.quote);
  const quoted = `${quote}[^${quote}]*${quote}`;
  return header.quote === "" ? plainField(header) : `${quoted}(?:${quoted})*|${plainField(header)}`;
}

function unquoted(field: string, quote: string): string {
  const inner = `substring(${field}, 2, length(${field}) - 2)`;
  return `CASE WHEN starts_with(${field}, ${sqlText(quote)})
    THEN replace(${inner}, ${sqlText(quote + quote)}, ${sqlText(quote)}) ELSE ${field} END`;
}

/** A character by its number, so that no character is special in a pattern. */
function characterPattern(text: string): string {
  return text === "" ? "" : `\\x{${text.codePointAt(0)!.toString(16)}}`;
}

function multilineRelation(files: FoundFiles, header: Header, format: string): Relation {
  const { columns, delimiter, quote } = header;
  const types = columns.map((column) => `${sqlText(column)}: 'VARCHAR'`).join(", ");
  const reader = `read_csv(${sqlList(files.paths)}, auto_detect = false, columns = {${types}}, header = true,
    delim = ${sqlText(delimiter)}, quote = ${sqlText(quote)}, escape = ${sqlText(quote)}, comment = '', nullstr = '',
    ignore_errors = true, null_padding = false, hive_partitioning = false, union_by_name = false,
    compression = '${files.compression}')`;
  return {
    columns,
    dialect: {
      format,
      delimiter,
      quote,
      header: FIRST_LINE,
      encoding: "utf-8",
      lines: "newlines in quotes, writer trusted",
    },
    rows: (roles) =>
      `SELECT ${namedRoles(roles).map(([name, column]) => `${sqlName(column)} AS "${name}"`)} FROM ${reader}`,
  };
}
