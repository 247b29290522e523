/**
 * The relation to read from a database server: a table by its name, one SELECT as a subquery, or the column of a public
 * table with the candidates, chosen by the schema, never by rows. A name is split at its dots and quoted part by part,
 * so it can only ever be a name.
 * @module
 */

import { didYouMean } from "winnow-release";
import { Refusal } from "../refusal.js";
import type { PublicTable, SourceOptions } from "./source.js";

/** How an engine quotes a name. */
type Quote = (name: string) => string;

export interface Relation {
  /** For the FROM clause; a subquery still needs an alias. */
  readonly sql: string;
  readonly kind: "table" | "query";
}

export function readRelation({ table, query }: SourceOptions, quote: Quote): Relation {
  if ((table === undefined) === (query === undefined))
    throw new Refusal("usage", "A database server needs one of --table and --query.");
  if (query !== undefined) return { kind: "query", sql: asSubquery(query) };
  return tableNamed(table ?? "", quote, "--table");
}

/** `option` is the option with the name. */
export function tableNamed(name: string, quote: Quote, option: string): Relation {
  return { kind: "table", sql: splitName(name, option).map(quote).join(".") };
}

/** A comment at the end can't swallow the parenthesis, and one semicolon at the end doesn't make a second statement. */
function asSubquery(query: string): string {
  const statement = query.trim().replace(/;$/, "").trim();
  if (!/^(select|with)\b/i.test(statement))
    throw new Refusal("bad-query", "--query must be one statement that starts with SELECT or WITH.");
  return `(${statement}\n)`;
}

/** `schema.table` has two parts; dots between double quotes or backticks belong to the name, doubled quotes are one. */
export function splitName(name: string, option = "--table"): string[] {
  const parts = [...name.matchAll(/\s*(?:"((?:[^"]|"")+)"|`((?:[^`]|``)+)`|([^."`\s]+))\s*(\.|$)/gy)];
  const length = parts.reduce((sum, [whole]) => sum + whole.length, 0);
  const isWhole = parts.length > 0 && length === name.length && parts.at(-1)?.[4] === "";
  if (!isWhole || name.includes("\0"))
    throw new Refusal(
      "usage",
      `${option} must be the name of a table, such as visits or "my schema".visits.`,
    );
  return parts.map(
    ([, quoted, backticked, plain]) =>
      quoted?.replaceAll('""', '"') ?? backticked?.replaceAll("``", "`") ?? plain,
  );
}

/** The named column, or the only one. */
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
      ? `The public table ${JSON.stringify(table)} has several columns: choose the one with the candidates with --domain-column.`
      : `The public table ${JSON.stringify(table)} has no column ${JSON.stringify(column)}.${didYouMean(column, names)}`,
  );
}
