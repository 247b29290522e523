/**
 * What all formats have in common: columns that are known before a row is read, SQL that selects the two wanted
 * ones as text, and physical lines.
 *
 * Lines are read by DuckDB's CSV reader with a dialect that has neither delimiter nor quote, so each line is one
 * value and nothing in it can reach the next. Lines end with LF, CR LF or CR. A line that isn't UTF-8 or is too
 * long is skipped (and counted), as in `LineSplitter`. The reader works in parallel and out of core.
 * @module
 */
import { LONGEST_LINE } from "winnow-release";
import { sqlList } from "./engine.js";

export interface Roles {
  readonly item: string;
  readonly user: string;
}

export interface Relation {
  /** None where the format has no schema: then any name may be asked for. */
  readonly columns: readonly string[];
  readonly dialect: Readonly<Record<string, string>>;
  /** Whether a row without item stands for a line that could not be read. */
  readonly isReadByLine: boolean;
  /** A SELECT with the columns `item` and `"user"`; empty or NULL where absent. */
  rows(roles: Roles): string;
}

/** Files that were found, of one format. */
export interface FoundFiles {
  /** Absolute. */
  readonly paths: readonly string[];
  readonly isGzip: boolean;
  /** Of each file, how many ends of lines stand before its header. */
  readonly blank?: readonly number[];
}

/** A SELECT with the column `line`. The first line of each file is left out if it is a header. */
export function linesSql(files: FoundFiles, hasHeader: boolean): string {
  const groups = groupedByBlank(files);
  return groups.map((group) => physicalLinesSql(group, hasHeader)).join(" UNION ALL ");
}

/** Files with as many blank lines before the header are read together: in nearly all cases, all of them. */
function groupedByBlank({ paths, isGzip, blank }: FoundFiles): FoundFiles[] {
  const counts = [...new Set(paths.map((_, i) => blank?.[i] ?? 0))];
  return counts.map((count) => {
    const same = paths.filter((_, i) => (blank?.[i] ?? 0) === count);
    return { paths: same, isGzip, blank: same.map(() => count) };
  });
}

function physicalLinesSql({ paths, isGzip, blank }: FoundFiles, hasHeader: boolean): string {
  // The delimiter is the end of a line, and there can be none within; without its E it would be a backslash and an n, which
  // can. Lax mode is what makes CR, LF and both end a line alike.
  return `SELECT CASE WHEN strlen(line) <= ${LONGEST_LINE} THEN line ELSE '' END AS line FROM read_csv(${sqlList(paths)}, auto_detect = false, columns = {'line': 'VARCHAR'},
    header = ${hasHeader}, skip = ${blank?.[0] ?? 0}, delim = E'\\n', new_line = '\\n', quote = '', escape = '', comment = '', nullstr = '',
    strict_mode = false, ignore_errors = true, store_rejects = true, rejects_limit = 0,
    max_line_size = ${LONGEST_LINE + ROOM_FOR_LINE_END}, buffer_size = ${BUFFER_BYTES}, hive_partitioning = false, union_by_name = false,
    compression = '${isGzip ? "gzip" : "none"}') WHERE line IS NOT NULL`;
}

/** A thread holds a few of these: small ones let it work in little memory, and are not slower. */
const BUFFER_BYTES = 4 * 2 ** 20;

/** DuckDB counts what ends a line as part of it; the exact limit is drawn by `strlen`, and what is too long is no line. */
const ROOM_FOR_LINE_END = 16;

/** How many lines the reader itself left out since it was told to forget. */
export const REJECTED_LINES_SQL = "SELECT count(*) FROM temp.reject_errors";
export const FORGET_REJECTED_LINES_SQL =
  "DROP TABLE IF EXISTS temp.reject_errors; DROP TABLE IF EXISTS temp.reject_scans";
