/**
 * Shared by all formats: columns that are known before a row is read, SQL that selects the two requested ones as text,
 * and physical lines.
 *
 * Lines are read by DuckDB's CSV reader with a dialect that has neither delimiter nor quote, so each line is one
 * value and nothing in it can reach the next. Lines end with LF, CR LF or CR. The reader works in parallel and out of core.
 * A line that isn't UTF-8 or is too long is skipped, as in `LineSplitter`.
 *
 * The engine skips such lines silently, so `LineSurvey` reads all bytes of a file before or while the engine reads its lines,
 * and finds how many lines are unusable and whether the file contains a quote: the lines of a file without quotes can be
 * read faster. The survey costs a fraction of the engine's time for the same bytes, because it checks whole stretches of
 * lines at once.
 * @module
 */

import { isUtf8 } from "node:buffer";
import { LONGEST_LINE } from "winnow-release";
import { type Compression, unpacked } from "./compressed.js";
import { sqlList, sqlText } from "./engine.js";

export interface Roles {
  readonly item: string;
  readonly user: string;
  /** Columns that are read besides, as `also_0`, `also_1` …; perhaps one of the two once more. */
  readonly also?: readonly string[] | undefined;
}

/** The columns that are selected, each under the name of its role: `item`, `user`, `also_0` … */
export function namedRoles({
  item,
  user,
  also = [],
}: Roles): readonly (readonly [name: string, column: string])[] {
  return [["item", item], ["user", user], ...also.map((column, i) => [`also_${i}`, column] as const)];
}

/** For each column that is read the first name of its roles. */
export function firstNames(roles: Roles): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, column] of namedRoles(roles)) if (!names.has(column)) names.set(column, name);
  return names;
}

export interface Relation {
  /** Empty if the format has no schema: then any name may be requested. */
  readonly columns: readonly string[];
  readonly dialect: Readonly<Record<string, string>>;
  /** If the format has lines: then a row whose item is NULL marks a skipped line. */
  readonly lines?: LineFiles;
  /** A SELECT that counts these. The rows only show whether there are any: the engine may read a line twice. */
  malformedSql?(roles: Roles): string;
  /** The type of a column, if the schema has types. */
  typeOf?(column: string): string | undefined;
  /** A SELECT with the columns `item`, `"user"` and `also_0` …; empty or NULL where absent. */
  rows(roles: Roles): string;
}

/** Files that were found, of one format. */
export interface FoundFiles {
  /** Absolute. */
  readonly paths: readonly string[];
  readonly compression: Compression;
}

/** The properties that may differ between the files of a source. */
interface LineFile {
  readonly path: string;
  /** The number of line ends before its header. */
  readonly blank: number;
  survey?: LineSurvey;
}

/** Files that are read the same way. */
export interface FileGroup {
  readonly paths: readonly string[];
  readonly blank: number;
  /** Whether all of their lines are valid, and none has a quote. */
  readonly isPlain: boolean;
}

export class LineFiles {
  readonly #files: readonly LineFile[];
  readonly #compression: Compression;
  readonly #quote: string;
  readonly #header: boolean;

  /** `blank` is the number of line ends before the header of each file; 0 without a header. */
  constructor({ paths, compression }: FoundFiles, quote: string, blank?: readonly number[]) {
    this.#files = paths.map((path, i) => ({ path, blank: blank?.[i] ?? 0 }));
    this.#compression = compression;
    this.#quote = quote;
    this.#header = blank !== undefined;
  }

  /** Reads all bytes, and refuses a file that doesn't unpack to its end. */
  async survey(): Promise<void> {
    for (const file of this.#files) {
      const survey = new LineSurvey(this.#quote);
      for await (const chunk of unpacked(file.path, this.#compression)) survey.push(chunk);
      survey.end();
      file.survey = survey;
    }
  }

  /** Lines that are too long or not UTF-8, after the survey. */
  get unreadable(): number {
    return this.#files.reduce((sum, { survey }) => sum + (survey?.unreadable ?? 0), 0);
  }

  /** Nearly always one. */
  groups(): FileGroup[] {
    const groups = new Map<string, FileGroup & { paths: string[] }>();
    for (const { path, blank, survey } of this.#files) {
      const isPlain = survey?.unreadable === 0 && !survey.hasQuote;
      const group = groups.get(`${blank} ${isPlain}`) ?? { paths: [], blank, isPlain };
      group.paths.push(path);
      groups.set(`${blank} ${isPlain}`, group);
    }
    return [...groups.values()];
  }

  /** A SELECT with the column `line`. Headers are left out. */
  linesSql(groups = this.groups()): string {
    // The delimiter is a line end, which a line can't contain. Without the E it would be a backslash and an n, which a line
    // can contain.
    const readers = groups.map((group) => this.#reader(group, ["line"], "delim = E'\\n', nullstr = ''"));
    const lines = readers.map((reader) => `SELECT line FROM ${reader}`).join(" UNION ALL ");
    return `SELECT line FROM (${lines}) WHERE strlen(line) <= ${LONGEST_LINE}`;
  }

  /**
   * The FROM clause for files with plain lines: the fields of each, named by their numbers from 1. A missing field is NULL;
   * fields beyond the columns are left out.
   */
  fieldsSql(group: FileGroup, columns: number, delimiter: string): string {
    const names = Array.from({ length: columns }, (_, i) => `${i + 1}`);
    // No field contains a line end, so no field reads as NULL.
    return this.#reader(group, names, `delim = ${sqlText(delimiter)}, nullstr = E'\\n', null_padding = true`);
  }

  /** The engine's reader without quotes. In lax mode CR, LF and CR LF all end a line. */
  #reader({ paths, blank }: FileGroup, columns: readonly string[], dialect: string): string {
    const types = columns.map((column) => `${sqlText(column)}: 'VARCHAR'`).join(", ");
    return `read_csv(${sqlList(paths)}, auto_detect = false, columns = {${types}},
      header = ${this.#header}, skip = ${blank}, ${dialect}, new_line = '\\n', quote = '', escape = '', comment = '',
      strict_mode = false, ignore_errors = true,
      max_line_size = ${LONGEST_LINE + ROOM_FOR_LINE_END}, buffer_size = ${BUFFER_BYTES}, hive_partitioning = false,
      union_by_name = false, compression = '${this.#compression}')`;
  }
}

/** Each thread holds a few of these buffers: small ones need little memory and aren't slower. */
const BUFFER_BYTES = 4 * 2 ** 20;

/** DuckDB counts the line end as part of the line; `strlen` applies the exact limit. */
const ROOM_FOR_LINE_END = 16;

const LF = 10;
const CR = 13;

export class LineSurvey {
  readonly #quote: number | undefined;
  /** The start of a line whose end hasn't arrived yet, unless it is already too long. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  /** Lines that are too long or not text. */
  unreadable = 0;
  hasQuote = false;

  /** The quote is one character, or "" if there is none. */
  constructor(quote: string) {
    const code = quote.codePointAt(0) ?? 0;
    this.#quote = quote === "" ? undefined : code;
    if (code > 127) this.hasQuote = true; // isn't searched for
  }

  push(chunk: Uint8Array): void {
    if (this.#quote !== undefined) this.hasQuote ||= chunk.includes(this.#quote);
    const rest = this.#pendingBytes > 0 ? this.#finishPending(chunk) : chunk;
    this.#keep(rest.subarray(this.#check(rest)));
  }

  end(): void {
    if (this.#pendingBytes > 0) this.#finishPending(Uint8Array.of(LF));
  }

  /** The rest after the line that began in an earlier chunk; nothing if that line continues. */
  #finishPending(chunk: Uint8Array): Uint8Array {
    const end = firstEnd(chunk, 0);
    this.#keep(end < 0 ? chunk : chunk.subarray(0, end));
    if (end < 0) return chunk.subarray(chunk.length);
    if (this.#pendingBytes > LONGEST_LINE || !isUtf8(Buffer.concat(this.#pending))) this.unreadable++;
    this.#pending = [];
    this.#pendingBytes = 0;
    return chunk.subarray(end + 1);
  }

  #keep(bytes: Uint8Array): void {
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes > LONGEST_LINE) this.#pending = [];
    else if (bytes.length > 0) this.#pending.push(bytes.slice());
  }

  /** Checks all lines that end here; returns the start of the last one, which doesn't. */
  #check(bytes: Uint8Array): number {
    let start = 0;
    while (start < bytes.length) {
      // All lines up to the last line end within the limit are short enough; without such a line end, this line is too long.
      const reach = bytes.subarray(start, start + LONGEST_LINE + 1);
      const lines = lastEnd(reach) + 1;
      if (lines > 0) {
        this.#checkText(reach.subarray(0, lines));
        start += lines;
        continue;
      }
      const end = reach.length > LONGEST_LINE ? firstEnd(bytes, start) : -1;
      if (end < 0) return start;
      this.unreadable++;
      start = end + 1;
    }
    return start;
  }

  /** A line end is never part of a longer character, so lines are UTF-8 together if each of them is. */
  #checkText(lines: Uint8Array): void {
    if (isUtf8(lines)) return;
    for (let start = 0; start < lines.length; ) {
      const end = firstEnd(lines, start);
      if (!isUtf8(lines.subarray(start, end))) this.unreadable++;
      start = end + 1;
    }
  }
}

/** The position of the next LF or CR, or −1. */
function firstEnd(bytes: Uint8Array, from: number): number {
  const lf = bytes.indexOf(LF, from);
  const cr = bytes.subarray(from, lf < 0 ? bytes.length : lf).indexOf(CR);
  return cr < 0 ? lf : from + cr;
}

/** The position of the last LF or CR, or −1. */
function lastEnd(bytes: Uint8Array): number {
  const lf = bytes.lastIndexOf(LF);
  const cr = bytes.subarray(lf + 1).lastIndexOf(CR);
  return cr < 0 ? lf : lf + 1 + cr;
}
