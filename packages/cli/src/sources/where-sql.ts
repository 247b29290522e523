/**
 * A condition on rows (winnow-release's `Predicate`) as SQL: the same meaning on every engine, because it is made of few parts that are
 * alike everywhere. Texts are compared by their bytes; days are texts of ten characters that a pattern has accepted; numbers are
 * decimals that a pattern has accepted. Every comparison is true or false: what can't be read makes it false, and nothing fails.
 * @module
 */
import { DAY_PATTERN, DECIMAL_PATTERN, type Operand, type Predicate, Refusal } from "winnow-release";

/** What differs between engines. */
export interface WhereDialect {
  /** The text of a column's value, compared by its bytes; NULL where there is none. */
  column(name: string): string;
  /** A text as a literal. It has neither a backslash nor NUL. */
  literal(text: string): string;
  /** Whether a text matches a pattern from `^` to `$`. */
  matches(text: string, pattern: string): string;
  /** The first characters of a text, and the next one; characters may be bytes. */
  first(text: string, count: number): string;
  /** The character at a place, from 1; empty beyond the end. */
  at(text: string, place: number): string;
  /** A text that matches `DECIMAL_PATTERN` as an exact number, and NULL for other texts. */
  decimal(text: string): string;
  lower(text: string): string;
  trim(text: string): string;
  /** LIKE with a pattern in which only % is special. */
  like(text: string, parts: readonly string[]): string;
  /** The value of a comparison that is false. */
  readonly no: string;
}

/** True or false for each row. */
export function whereSql(predicate: Predicate, dialect: WhereDialect): string {
  switch (predicate.kind) {
    case "and":
    case "or":
      return `(${predicate.parts.map((part) => whereSql(part, dialect)).join(predicate.kind === "and" ? " AND " : " OR ")})`;
    case "not":
      return `(NOT ${whereSql(predicate.part, dialect)})`;
    case "null": {
      const isMissing = `(coalesce(${dialect.column(predicate.operand.column)}, '') = '')`;
      return predicate.isNot ? `(NOT ${isMissing})` : isMissing;
    }
    default:
      return `(CASE WHEN ${isReadable(predicate.operand, dialect)} THEN coalesce(${compared(predicate, dialect)}, ${dialect.no}) ELSE ${dialect.no} END)`;
  }
}

/** There is a value, and it is one of the type. */
export function isReadable(operand: Operand, dialect: WhereDialect): string {
  const isThere = `coalesce(${dialect.column(operand.column)}, '') <> ''`;
  const text = textOf(operand, dialect);
  if (operand.type === "text") return isThere;
  if (operand.type === "decimal") return `${isThere} AND ${dialect.matches(text, DECIMAL_PATTERN)}`;
  const isDay = dialect.matches(dialect.first(text, 10), DAY_PATTERN);
  return `${isThere} AND ${isDay} AND ${dialect.at(text, 11)} IN ('', ' ', 'T')`;
}

function compared(
  predicate: Exclude<Predicate, { kind: "and" | "or" | "not" | "null" }>,
  dialect: WhereDialect,
): string {
  const { operand } = predicate;
  const { type } = operand;
  const text = textOf(operand, dialect);
  const value = type === "decimal" ? dialect.decimal(text) : type === "date" ? dialect.first(text, 10) : text;
  const constant = (given: string) =>
    type === "decimal" ? dialect.decimal(dialect.literal(given)) : dialect.literal(given);
  switch (predicate.kind) {
    case "compare":
      return `${value} ${predicate.operator} ${constant(predicate.value)}`;
    case "in":
      return `${predicate.isNot ? "NOT " : ""}(${predicate.values.map((given) => `${value} = ${constant(given)}`).join(" OR ")})`;
    case "like":
      return `${predicate.isNot ? "NOT " : ""}(${dialect.like(text, predicate.parts)})`;
  }
}

export function textOf({ column, functions }: Operand, dialect: WhereDialect): string {
  return functions.reduce(
    (text, each) => (each === "lower" ? dialect.lower(text) : dialect.trim(text)),
    dialect.column(column),
  );
}

/** The pattern of LIKE, with a sign before each that would be special. */
export function likePattern(parts: readonly string[], sign: "!" | "\\"): string {
  return parts.map((part) => part.replace(sign === "!" ? /[%_!]/g : /[%_\\]/g, `${sign}$&`)).join("%");
}

/** The letters that `lower` changes, and what it makes of them, as literals. */
export const LETTERS = "'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'";

/** A column of the condition that the source doesn't have. */
export function columnOfWhere<Column extends { readonly name: string }>(
  schema: readonly Column[],
  name: string,
): Column {
  const column = schema.find((one) => one.name === name);
  if (column !== undefined) return column;
  throw new Refusal("unknown-column", `The source has no column ${JSON.stringify(name)} for --where.`);
}
