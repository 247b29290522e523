/**
 * CSV with newlines inside quoted fields, for files whose writer is trusted: the engine's own reader with a fixed dialect and
 * every column as text. A quote that nobody closed may then swallow the lines of others, which is why it must be asked for
 * and is recorded in the release.
 * @module
 */
import type { Header } from "winnow-release";
import type { FoundFiles, Relation } from "./relation.js";
import { sqlList, sqlName, sqlText } from "./sql-text.js";

export function multilineRelation(files: FoundFiles, header: Header, format: string): Relation {
  const { columns, delimiter, quote } = header;
  const types = columns.map((column) => `${sqlText(column)}: 'VARCHAR'`).join(", ");
  const reader = `read_csv(${sqlList(files.paths)}, auto_detect = false, columns = {${types}}, header = true,
    delim = ${sqlText(delimiter)}, quote = ${sqlText(quote)}, escape = ${sqlText(quote)}, comment = '', nullstr = '',
    ignore_errors = true, null_padding = false, hive_partitioning = false, union_by_name = false,
    compression = '${files.isGzip ? "gzip" : "none"}')`;
  return {
    columns,
    dialect: {
      format,
      delimiter,
      quote,
      header: "first line",
      encoding: "utf-8",
      lines: "newlines in quotes, writer trusted",
    },
    isReadByLine: false,
    rows: ({ item, user }) => `SELECT ${sqlName(item)} AS item, ${sqlName(user)} AS "user" FROM ${reader}`,
  };
}
