/**
 * Shared by all formats: columns that are known before a row is read, SQL that selects the two requested ones as text,
 * and physical lines.
 *
 * Lines are read by DuckDB's CSV reader with a dialect that has neither delimiter nor quote, so each line is one
 * value and nothing in it can reach the next. Lines end with LF, CR LF or CR. A line that isn't UTF-8 or is too
 * long is skipped, as in `LineSplitter`, and counted by `LineSurvey`. The reader works in parallel and out of core.
 * @module
 */
import { LONGEST_LINE } from "winnow-release";
import { type Compression, unpacked } from "./compressed.js";
import { sqlList, sqlText } from "./engine.js";
import { LineSurvey } from "./line-survey.js";

export interface Roles {
  readonly item: string;
  readonly user: string;
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
  /** A SELECT with the columns `item` and `"user"`; empty or NULL where absent. */
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
