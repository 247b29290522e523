/**
 * Which column of a public table has the candidates: told by the schema, never by rows.
 * @module
 */
import { didYouMean } from "../nearest.js";
import { Refusal } from "../refusal.js";
import type { PublicTable } from "./source.js";

/** The column that is named, or the only one that there is. */
export function chooseColumn<C extends { readonly name: string }>(
  columns: readonly C[],
  { table, column }: PublicTable,
): C {
  const names = columns.map(({ name }) => name);
  const chosen = column === undefined && columns.length === 1 ? 0 : names.indexOf(column ?? "");
  if (chosen >= 0) return columns[chosen];
  throw new Refusal(
    "unknown-column",
    column === undefined
      ? `The public table ${JSON.stringify(table)} has several columns: say by --domain-column which has the candidates.`
      : `The public table ${JSON.stringify(table)} has no column ${JSON.stringify(column)}.${didYouMean(column, names)}`,
  );
}
