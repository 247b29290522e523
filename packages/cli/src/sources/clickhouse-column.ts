/**
 * What ClickHouse is told of a column, by its type in the schema: the text of a value, by which items are told apart, and the
 * value by which users are. Whatever the settings of server and account, each value has one text and each text one value:
 * ClickHouse takes that for granted, and groups by values where it is asked for their texts.
 * @module
 */
import { Refusal } from "../refusal.js";

export interface Column {
  readonly name: string;
  /** As the schema calls it. */
  readonly type: string;
}

const TEXT = /^(String|FixedString\(\d+\)|Enum(8|16)\(.*\))$/s;
const FLOAT = /^(Float(32|64)|BFloat16)$/;
const TIME = /^DateTime/;
const OTHER = /^(U?Int\d+|UUID|Decimal.*|Date|Date32|Bool|IPv[46])$/;

/** Names that the statements give to what they count. */
const OURS = ["winnow_item", "winnow_users"];

export function quoteClickhouse(name: string): string {
  return `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``;
}

/**
 * The text of a value. The zeros that fill up a `FixedString` are no part of it; zeros within it, as digests have them, are.
 * Times are written for UTC, since where clocks are set back two of them have one local text.
 */
export function textOf(column: Column): string {
  const type = valueType(column);
  const value = presentValue(column);
  if (type === "String") return value;
  if (FLOAT.test(type)) return floatText(value, value);
  return TIME.test(type) ? `toString(${value}, 'UTC')` : `toString(${value})`;
}

/** What items are grouped by: the value, which is faster than its text, if the same values are the same texts. */
export function itemKey(column: Column): string {
  return FLOAT.test(valueType(column)) ? textOf(column) : presentValue(column);
}

/** What users are told apart by: 0 and −0 are equal, and one person. */
export function userKey(column: Column): string {
  const value = presentValue(column);
  return FLOAT.test(valueType(column)) ? floatText(value, `${value} + 0`) : value;
}

/** Values that are not a number have different bits and one text, and none of them is equal to itself. */
function floatText(value: string, written: string): string {
  return `if(isNaN(${value}), 'nan', toString(${written}))`;
}

/** Not missing. */
export function isThere(column: Column): string {
  return isNullable(column) ? `isNotNull(${nameOf(column)})` : "1";
}

/** Not empty, if it is there. */
export function isWritten(column: Column): string {
  return isText(column) ? `notEmpty(${textOf(column)})` : "1";
}

/** Whether somebody can write a text that is empty or as long as they like. */
export function isText(column: Column): boolean {
  return TEXT.test(valueType(column));
}

/** The value of a row where it is not null. */
function presentValue(column: Column): string {
  const name = nameOf(column);
  if (!isNullable(column)) return name;
  const type = valueType(column);
  // Under a missing value lies the number 0, which need not have a name: another one is put there.
  const named = /^Enum.*= (-?\d+)\)$/s.exec(type)?.[1];
  return named === undefined
    ? `assumeNotNull(${name})`
    : `CAST(ifNull(CAST(${name} AS Nullable(Int16)), ${named}) AS ${type})`;
}

function nameOf({ name }: Column): string {
  if (OURS.includes(name))
    throw new Refusal(
      "unknown-column",
      `The column ${JSON.stringify(name)} must have another name, because the count uses this one. A query can rename it: SELECT ${name} AS named.`,
    );
  return quoteClickhouse(name);
}

function isNullable({ type }: Column): boolean {
  return /^(LowCardinality\()?Nullable\(/.test(type);
}

/** `LowCardinality` and `Nullable` taken off. */
function valueType({ name, type }: Column): string {
  let inner = type;
  for (const wrapper of ["LowCardinality(", "Nullable("])
    if (inner.startsWith(wrapper)) inner = inner.slice(wrapper.length, -1);
  if (![TEXT, FLOAT, TIME, OTHER].some((known) => known.test(inner)))
    throw new Refusal(
      "unknown-column",
      `The column ${JSON.stringify(name)} must have plain values such as text or numbers, not lists or states.`,
    );
  return inner;
}
