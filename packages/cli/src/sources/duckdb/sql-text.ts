/**
 * Values and names as they stand in SQL. Only text that was quoted here enters a statement of ours.
 * @module
 */

/** A text as a literal. */
export function sqlText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** The name of a column or table. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A list of texts as a literal. */
export function sqlList(values: readonly string[]): string {
  return `[${values.map(sqlText).join(", ")}]`;
}
