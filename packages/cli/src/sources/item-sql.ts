/**
 * The items of a row as SQL, where they aren't one column as it is: an expression over texts with the same meaning on every engine
 * (winnow-release's `ItemPart`), one for each item of a row. An item that is missing, can't be read, or that a public map doesn't have
 * is an empty text, which isn't counted; nothing fails.
 * @module
 */
import { columnsOf, type ItemPart, Refusal } from "winnow-release";
import type { HistogramRequest } from "./source.js";
import { isReadable, textOf, type WhereDialect } from "./where-sql.js";

export interface ItemDialect extends WhereDialect {
  /** Two texts after one another. */
  concat(one: string, other: string): string;
}

/** The item, or an empty text. */
export function itemSql({ column, functions, unit }: ItemPart, dialect: ItemDialect): string {
  const text = textOf({ column, type: "text", functions }, dialect);
  if (unit === undefined) return `coalesce(${text}, '')`;
  const rest = { day: undefined, month: "-01", year: "-01-01" }[unit];
  const start = dialect.first(text, unit === "day" ? 10 : unit === "month" ? 7 : 4);
  const day = rest === undefined ? start : dialect.concat(start, dialect.literal(rest));
  return `CASE WHEN ${isReadable({ column, type: "date", functions }, dialect)} THEN coalesce(${day}, '') ELSE '' END`;
}

/** What differs between servers. */
export interface ServerItems extends ItemDialect {
  /** How the relation is called in a statement, if it must be. */
  readonly alias: string;
  /** A column of the relation, to be selected as it is. */
  select(name: string): string;
  quote(name: string): string;
  /** The name that a map has for a text, and an empty text where it has none. */
  mapped(text: string, map: readonly (readonly [string, string])[]): string;
  /** An item, or an empty text if it can't be computed. */
  safe(text: string): string;
}

/** The relation with the items as a column of this name, and of the other columns those that the request reads. */
export function withItems<Relation extends { readonly sql: string }>(
  relation: Relation,
  { computed, user, groups, where }: HistogramRequest,
  made: string,
  dialect: ServerItems,
): Relation {
  if (computed === undefined) return relation;
  const { parts, map } = computed;
  if (map !== undefined) checkMap(map);
  const columns = [
    ...new Set([user, ...(groups?.by ?? []), ...(where === undefined ? [] : columnsOf(where))]),
  ];
  const others = columns.map((name) => dialect.select(name)).join(", ");
  const selects = parts.map((part) => {
    const text = itemSql(part, dialect);
    const item = dialect.safe(map === undefined ? text : dialect.mapped(text, map));
    return `SELECT ${others}, ${item} AS ${dialect.quote(made)} FROM ${relation.sql}${dialect.alias}`;
  });
  return { ...relation, sql: `(${selects.join(" UNION ALL ")})` };
}

/** A name for the column of items that the relation doesn't have. */
export function madeName(schema: readonly { readonly name: string }[]): string {
  let name = "winnow_made";
  while (schema.some((column) => column.name === name)) name += "_";
  return name;
}

/** Signs that servers read in different ways within a text. */
const UNCLEAR = /[\\"\p{Cc}]/u;

function checkMap(map: readonly (readonly [string, string])[]): void {
  if (map.flat().some((name) => UNCLEAR.test(name)))
    throw new Refusal(
      "usage",
      "--map on a server must have names without quotes, backslashes and control characters.",
    );
}

/** In UTF-16 units, with the signs around each name. */
export function lengthOfMap(map: readonly (readonly [string, string])[]): number {
  return map.reduce((sum, [from, to]) => sum + from.length + to.length + SIGNS, 0);
}

const SIGNS = 8;
