/**
 * What all formats have in common: columns that are known before a row is read, SQL that selects the two wanted
 * ones as text, and physical lines.
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
  /** None where the format has no schema: then any name may be asked for. */
  readonly columns: readonly string[];
  readonly dialect: Readonly<Record<string, string>>;
  /** Where the format has lines: then a row whose item is NULL stands for one that could not be parsed. */
  readonly lines?: LineFiles;
  /** A SELECT that counts these. The rows tell only whether there are any: the engine may read a line twice. */
  malformedSql?(roles: Roles): string;
  /** The type of a column, where the schema has types. */
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

/** What may differ from one file of a source to the next. */
interface LineFile {
  readonly path: string;
  /** How many ends of lines stand before its header. */
  readonly blank: number;
  survey?: LineSurvey;
}

/** Files that are read in the same way. */
export interface FileGroup {
  readonly paths: readonly string[];
  readonly blank: number;
  /** Whether each of their lines can be read, and none has a quote. */
  readonly isPlain: boolean;
}

export class LineFiles {
  readonly #files: readonly LineFile[];
  readonly #compression: Compression;
  readonly #quote: string;
  readonly #header: boolean;

  /** `blank` is how many ends of lines stand before the header of each file; without header there are none. */
  constructor({ paths, compression }: FoundFiles, quote: string, blank?: readonly number[]) {
    this.#files = paths.map((path, i) => ({ path, blank: blank?.[i] ?? 0 }));
    this.#compression = compression;
    this.#quote = quote;
    this.#header = blank !== undefined;
  }

  /** Looks at all bytes. What does not unpack to its end is refused. */
  async survey(): Promise<void> {
    for (const file of this.#files) {
      const survey = new LineSurvey(this.#quote);
      for await (const chunk of unpacked(file.path, this.#compression)) survey.push(chunk);
      survey.end();
      file.survey = survey;
    }
  }

  /** Lines that are too long or not UTF-8, once the survey is over. */
  get unreadable(): number {
    return this.#files.reduce((sum, { survey }) => sum + (survey?.unreadable ?? 0), 0);
  }

  /** In nearly all cases one. */
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
    // The delimiter is the end of a line, and there can be none within; without its E it would be a backslash and an n, which
    // can.
    const readers = groups.map((group) => this.#reader(group, ["line"], "delim = E'\\n', nullstr = ''"));
    const lines = readers.map((reader) => `SELECT line FROM ${reader}`).join(" UNION ALL ");
    return `SELECT line FROM (${lines}) WHERE strlen(line) <= ${LONGEST_LINE}`;
  }

  /**
   * What stands behind FROM, for files whose lines are plain: the fields of each, named by their numbers from 1. A field that is
   * missing is NULL; what a line has beyond the columns is left out.
   */
  fieldsSql(group: FileGroup, columns: number, delimiter: string): string {
    const names = Array.from({ length: columns }, (_, i) => `${i + 1}`);
    // No field holds the end of a line, so none is taken for NULL.
    return this.#reader(group, names, `delim = ${sqlText(delimiter)}, nullstr = E'\\n', null_padding = true`);
  }

  /** The engine's reader without quotes. Lax mode is what makes CR, LF and both end a line alike. */
  #reader({ paths, blank }: FileGroup, columns: readonly string[], dialect: string): string {
    const types = columns.map((column) => `${sqlText(column)}: 'VARCHAR'`).join(", ");
    return `read_csv(${sqlList(paths)}, auto_detect = false, columns = {${types}},
      header = ${this.#header}, skip = ${blank}, ${dialect}, new_line = '\\n', quote = '', escape = '', comment = '',
      strict_mode = false, ignore_errors = true,
      max_line_size = ${LONGEST_LINE + ROOM_FOR_LINE_END}, buffer_size = ${BUFFER_BYTES}, hive_partitioning = false,
      union_by_name = false, compression = '${this.#compression}')`;
  }
}

/** A thread holds a few of these: small ones let it work in little memory, and are not slower. */
const BUFFER_BYTES = 4 * 2 ** 20;

/** DuckDB counts what ends a line as part of it; the exact limit is drawn by `strlen`. */
const ROOM_FOR_LINE_END = 16;
