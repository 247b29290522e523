/**
 * Which rows count: a condition on one row, such as `country = 'DE' and date(day) >= '2026-10-01'`. It is read by us and never passed
 * on as SQL, has two values and the same meaning on every engine:
 *
 *   a column        the text of a value; `date(x)`: its day, for texts that start with a valid YYYY-MM-DD; `decimal(x)`: its number, for
 *                   plain numbers of at most 18 digits on each side of the point; `lower(x)`, `trim(x)`: ASCII letters and spaces only
 *   comparisons     =, <>, <, <=, >, >=, between, in, not in, like, not like with a constant; texts in the order of their bytes
 *   not readable    a missing or empty value, or one that isn't a day or number, makes its comparison false, also <>, not in and not like
 *   is null         a missing or empty value; and, or, not
 *   constants       'text', 12.5, date '2026-10-01' with + or − days or interval '3' month
 *
 * A row that doesn't fit is skipped without a word, and nothing can fail on one. The condition is part of the question: the canonical text
 * is recorded, and equal conditions have equal texts.
 * @module
 */
import { invalidParameter, type WinnowError } from "winnow-dp";
import { type Token, tokensOf } from "./tokens.js";

/**
 * How the text of a column is read.
 *
 * @inline
 */
export type ColumnType = "text" | "date" | "decimal";

/** A column, and what happens to its text before it is compared: the innermost function first. */
export interface Operand {
  readonly column: string;
  readonly type: ColumnType;
  readonly functions: readonly ("lower" | "trim")[];
}

export type Comparison = "=" | "<>" | "<" | "<=" | ">" | ">=";

/** A condition on one row. */
export type Predicate =
  | { readonly kind: "and" | "or"; readonly parts: readonly Predicate[] }
  | { readonly kind: "not"; readonly part: Predicate }
  | {
      readonly kind: "compare";
      readonly operand: Operand;
      readonly operator: Comparison;
      readonly value: string;
    }
  | {
      readonly kind: "in";
      readonly operand: Operand;
      readonly values: readonly string[];
      readonly isNot: boolean;
    }
  /** The texts between the % of the pattern: there is one more than there are signs. */
  | {
      readonly kind: "like";
      readonly operand: Operand;
      readonly parts: readonly string[];
      readonly isNot: boolean;
    }
  | { readonly kind: "null"; readonly operand: Operand; readonly isNot: boolean };

/** The types of columns, by name; the others are texts. */
export type ColumnTypes = Readonly<Record<string, ColumnType>>;

/** A day of the calendar, YYYY-MM-DD. It has no special signs but those that all engines' patterns have. */
export const DAY_PATTERN =
  "^(([0-9][0-9](0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29|[0-9][0-9][0-9][0-9]-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8])))$";

/** A plain number. */
export const DECIMAL_PATTERN = "^-?[0-9]{1,18}([.][0-9]{1,18})?$";

/** What `trim` takes off both ends. */
export const SPACES = " \t\n\v\f\r";

const LONGEST = 10_000;
const DEEPEST = 100;
const MOST_VALUES = 1000;

const DAY = new RegExp(DAY_PATTERN);
const DECIMAL = new RegExp(DECIMAL_PATTERN);

/** Reads a condition. Throws `invalid-parameter` with a sentence that quotes the condition, which is public. */
export function readPredicate(text: string, types: ColumnTypes = {}): Predicate {
  if (typeof text !== "string" || text.length > LONGEST)
    throw mistake(`a text of at most ${LONGEST} characters`);
  return new Parser(text, types).whole();
}

/**
 * The canonical text of conditions that must all hold; undefined if there are none. Each is read on its own, so that no parenthesis in one
 * opens or closes another: the condition of a period holds whatever someone types beside it.
 */
export function allConditions(
  texts: readonly (string | undefined)[],
  types: ColumnTypes = {},
): string | undefined {
  const parts = texts.flatMap((text) => (text === undefined ? [] : [readPredicate(text, types)]));
  if (parts.length < 2) return parts[0] && predicateText(parts[0]);
  const flat = parts.flatMap((part) => (part.kind === "and" ? part.parts : [part]));
  return predicateText({ kind: "and", parts: flat });
}

/** `day:date,price:decimal`. */
export function readTypes(text: string): ColumnTypes {
  const types = new Map<string, ColumnType>();
  for (const part of text.split(",")) {
    const [, column = "", type = ""] = /^\s*(.*\S)\s*:\s*(\w+)\s*$/.exec(part) ?? [];
    if ((type !== "date" && type !== "decimal" && type !== "text") || types.has(column))
      throw invalidParameter("types", "columns with their types, such as day:date,price:decimal", text);
    types.set(column, type);
  }
  return Object.fromEntries(types);
}

/** The columns that a condition reads, each once. */
export function columnsOf(predicate: Predicate): readonly string[] {
  switch (predicate.kind) {
    case "and":
    case "or":
      return [...new Set(predicate.parts.flatMap(columnsOf))];
    case "not":
      return columnsOf(predicate.part);
    default:
      return [predicate.operand.column];
  }
}

/** The canonical text, which reads as the same condition. */
export function predicateText(predicate: Predicate): string {
  switch (predicate.kind) {
    case "and":
    case "or":
      return predicate.parts.map((part) => inParentheses(part)).join(` ${predicate.kind} `);
    case "not":
      return `not ${inParentheses(predicate.part)}`;
    case "compare":
      return `${operandText(predicate.operand)} ${predicate.operator} ${quoted(predicate.value)}`;
    case "in":
      return `${operandText(predicate.operand)} ${notText(predicate)}in (${predicate.values.map(quoted).join(", ")})`;
    case "like":
      return `${operandText(predicate.operand)} ${notText(predicate)}like ${quoted(predicate.parts.join("%"))}`;
    case "null":
      return `${operandText(predicate.operand)} is ${notText(predicate)}null`;
  }
}

function inParentheses(predicate: Predicate): string {
  const text = predicateText(predicate);
  return predicate.kind === "and" || predicate.kind === "or" ? `(${text})` : text;
}

function notText({ isNot }: { readonly isNot: boolean }): string {
  return isNot ? "not " : "";
}

/** A column as it is written in canonical texts. */
export function columnText(column: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(column) && !isReserved(column)
    ? column
    : `"${column.replaceAll('"', '""')}"`;
}

function operandText({ column, type, functions }: Operand): string {
  const text = functions.reduce((inner, each) => `${each}(${inner})`, columnText(column));
  return type === "text" ? text : `${type}(${text})`;
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** Whether a row fits. `textOf` gives the text of a column, empty or undefined where it is missing. */
export function fits(predicate: Predicate, textOf: (column: string) => string | undefined): boolean {
  switch (predicate.kind) {
    case "and":
      return predicate.parts.every((part) => fits(part, textOf));
    case "or":
      return predicate.parts.some((part) => fits(part, textOf));
    case "not":
      return !fits(predicate.part, textOf);
    case "null":
      return ((textOf(predicate.operand.column) ?? "") === "") !== predicate.isNot;
    default:
      return compares(predicate, readable(predicate.operand, textOf(predicate.operand.column)));
  }
}

function compares(predicate: Exclude<Predicate, { kind: "and" | "or" | "not" | "null" }>, value?: string) {
  if (value === undefined) return false;
  const { type } = predicate.operand;
  switch (predicate.kind) {
    case "compare":
      return holds(predicate.operator, order(type, value, predicate.value));
    case "in":
      return predicate.values.some((other) => order(type, value, other) === 0) !== predicate.isNot;
    case "like":
      return isLike(value, predicate.parts) !== predicate.isNot;
  }
}

/** The text that is compared, if there is one. */
function readable({ type, functions }: Operand, given: string | undefined): string | undefined {
  if (given === undefined || given === "") return undefined;
  const text = functions.reduce(
    (value, each) => (each === "lower" ? asciiLower(value) : asciiTrim(value)),
    given,
  );
  if (type === "text") return text;
  if (type === "decimal") return DECIMAL.test(text) ? text : undefined;
  return dayIn(text);
}

/** The day that a text starts with, if there is one. */
export function dayIn(text: string): string | undefined {
  const day = text.slice(0, 10);
  return DAY.test(day) && (text.length === 10 || text[10] === " " || text[10] === "T") ? day : undefined;
}

export function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

export function asciiTrim(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && SPACES.includes(text[start]!)) start++;
  while (end > start && SPACES.includes(text[end - 1]!)) end--;
  return text.slice(start, end);
}

function holds(operator: Comparison, sign: number): boolean {
  switch (operator) {
    case "=":
      return sign === 0;
    case "<>":
      return sign !== 0;
    case "<":
      return sign < 0;
    case "<=":
      return sign <= 0;
    case ">":
      return sign > 0;
    case ">=":
      return sign >= 0;
  }
}

function order(type: ColumnType, one: string, other: string): number {
  if (type !== "decimal") return byBytes(one, other);
  const [a, b] = [one, other].map(scaled) as [bigint, bigint];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** In units of 10⁻¹⁸. */
function scaled(text: string): bigint {
  const [, sign, whole = "", part = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)!;
  const size = BigInt(whole + part.padEnd(18, "0"));
  return sign === "-" ? -size : size;
}

/** The order of UTF-8 bytes is that of code points: surrogates come after all other code units but those from U+E000 on. */
function byBytes(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let i = 0; i < length; i++) {
    const [a, b] = [one.charCodeAt(i), other.charCodeAt(i)];
    if (a !== b) return rank(a) - rank(b);
  }
  return one.length - other.length;
}

function rank(unit: number): number {
  return unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit;
}

function isLike(value: string, parts: readonly string[]): boolean {
  const [first, ...rest] = parts as readonly [string, ...string[]];
  if (rest.length === 0) return value === first;
  if (!value.startsWith(first)) return false;
  let place = first.length;
  const last = rest.at(-1)!;
  for (const part of rest.slice(0, -1)) {
    const found = value.indexOf(part, place);
    if (found < 0) return false;
    place = found + part.length;
  }
  return value.length - last.length >= place && value.endsWith(last);
}

const RESERVED = new Set(
  "and or not in like between is null date decimal lower trim interval true false case when select cast".split(
    " ",
  ),
);

export function isReserved(word: string): boolean {
  return RESERVED.has(word.toLowerCase());
}

function mistake(expected: string, got?: unknown): WinnowError {
  return invalidParameter("where", expected, got);
}

const RULE = "a condition on one row, such as country = 'DE' and day >= '2026-10-01'";

class Parser {
  readonly #tokens: readonly Token[];
  readonly #types: ColumnTypes;
  #place = 0;
  #depth = 0;

  constructor(text: string, types: ColumnTypes) {
    this.#tokens = tokensOf(text, (got) => mistake(RULE, got));
    this.#types = types;
  }

  whole(): Predicate {
    const predicate = this.#or();
    if (this.#next.kind !== "end") throw this.#unexpected();
    return predicate;
  }

  #or(): Predicate {
    if (++this.#depth > DEEPEST) throw mistake(`less than ${DEEPEST} conditions within each other`);
    const parts = this.#chain("or", () => this.#chain("and", () => this.#negation()));
    this.#depth--;
    return parts;
  }

  #chain(word: "and" | "or", part: () => Predicate): Predicate {
    const parts = [part()];
    while (this.#takeWord(word)) parts.push(part());
    const [only] = parts;
    if (parts.length === 1) return only!;
    return { kind: word, parts: parts.flatMap((each) => (each.kind === word ? each.parts : [each])) };
  }

  #negation(): Predicate {
    let isNot = false;
    while (this.#takeWord("not")) isNot = !isNot;
    const part = this.#takeSign("(") ? this.#inner() : this.#comparison();
    return isNot ? { kind: "not", part } : part;
  }

  #inner(): Predicate {
    const inner = this.#or();
    this.#expectSign(")");
    return inner;
  }

  #comparison(): Predicate {
    const operand = this.#operand();
    const operator = (["=", "<>", "!=", "<=", ">=", "<", ">"] as const).find((each) => this.#takeSign(each));
    if (operator !== undefined)
      return {
        kind: "compare",
        operand,
        operator: operator === "!=" ? "<>" : operator,
        value: this.#value(operand),
      };
    if (this.#takeWord("is")) {
      const isNot = this.#takeWord("not");
      if (!this.#takeWord("null")) throw this.#unexpected();
      if (operand.type !== "text" || operand.functions.length > 0)
        throw mistake("is null of a column as it is", operandText(operand));
      return { kind: "null", operand, isNot };
    }
    return this.#membership(operand, this.#takeWord("not"));
  }

  #membership(operand: Operand, isNot: boolean): Predicate {
    if (this.#takeWord("in")) {
      this.#expectSign("(");
      const values = [this.#value(operand)];
      while (this.#takeSign(",")) values.push(this.#value(operand));
      this.#expectSign(")");
      if (values.length > MOST_VALUES) throw mistake(`at most ${MOST_VALUES} values after in`, values.length);
      return { kind: "in", operand, values, isNot };
    }
    if (this.#takeWord("like")) {
      if (operand.type !== "text") throw mistake("like of a text", operandText(operand));
      const pattern = this.#value(operand);
      if (pattern.includes("_")) throw mistake("patterns with % only (_ isn't a wildcard here)", pattern);
      return { kind: "like", operand, parts: pattern.split("%"), isNot };
    }
    if (!this.#takeWord("between")) throw this.#unexpected();
    const lowest = this.#value(operand);
    if (!this.#takeWord("and")) throw this.#unexpected();
    const ends: Predicate[] = [
      { kind: "compare", operand, operator: ">=", value: lowest },
      { kind: "compare", operand, operator: "<=", value: this.#value(operand) },
    ];
    const both: Predicate = { kind: "and", parts: ends };
    return isNot ? { kind: "not", part: both } : both;
  }

  #operand(): Operand {
    const { kind, text } = this.#next;
    const word = text.toLowerCase();
    const isCall = kind === "word" && this.#after.kind === "sign" && this.#after.text === "(";
    if (!isCall) {
      const column = this.#column();
      return { column, type: typeIn(this.#types, column), functions: [] };
    }
    if (word !== "lower" && word !== "trim" && word !== "date" && word !== "decimal")
      throw mistake("one of the functions lower, trim, date and decimal", `${text}(…)`);
    this.#place += 2;
    const inner = this.#operand();
    this.#expectSign(")");
    if (word === "date" || word === "decimal") {
      if (inner.type !== "text" && inner.type !== word)
        throw mistake("one type for each column", `${word}(${operandText(inner)})`);
      return { ...inner, type: word };
    }
    if (inner.type !== "text") throw mistake(`${word} of a text`, operandText(inner));
    return { ...inner, functions: [...inner.functions, word] };
  }

  #column(): string {
    const { kind, text } = this.#next;
    if (kind !== "name" && (kind !== "word" || isReserved(text))) throw this.#unexpected();
    this.#place++;
    return text;
  }

  /** A constant of the operand's type, in the form that is compared. */
  #value({ type }: Operand): string {
    if (type === "date") return this.#day();
    const minus = type === "decimal" && this.#takeSign("-") ? "-" : "";
    const { kind, text } = this.#next;
    if (kind !== "text" && !(kind === "number" && type === "decimal")) throw this.#unexpected();
    this.#place++;
    if (type === "text") return text;
    const number = minus + text;
    if (!DECIMAL.test(number))
      throw mistake("numbers of at most 18 digits on each side of the point", number);
    return decimalText(number);
  }

  #day(): string {
    this.#takeWord("date");
    const { kind, text } = this.#next;
    if (kind !== "text") throw this.#unexpected();
    if (!DAY.test(text)) throw mistake("days such as '2026-10-01'", text);
    this.#place++;
    let day = text;
    for (;;) {
      const sign = this.#takeSign("+") ? 1 : this.#takeSign("-") ? -1 : 0;
      if (sign === 0) return day;
      day = this.#moved(day, sign);
    }
  }

  #moved(day: string, sign: number): string {
    const isInterval = this.#takeWord("interval");
    const { kind, text } = this.#next;
    if (kind !== (isInterval ? "text" : "number") || !/^\d{1,6}$/.test(text)) throw this.#unexpected();
    this.#place++;
    const unit = isInterval ? this.#next.text.toLowerCase().replace(/s$/, "") : "day";
    if (isInterval) this.#place++;
    const moved = movedDay(day, sign * Number(text), unit);
    if (moved === undefined) throw mistake("intervals in day, week, month or year", unit);
    return moved;
  }

  get #next(): Token {
    return this.#tokens[Math.min(this.#place, this.#tokens.length - 1)]!;
  }

  get #after(): Token {
    return this.#tokens[Math.min(this.#place + 1, this.#tokens.length - 1)]!;
  }

  #takeWord(word: string): boolean {
    const isIt = this.#next.kind === "word" && this.#next.text.toLowerCase() === word;
    if (isIt) this.#place++;
    return isIt;
  }

  #takeSign(sign: string): boolean {
    const isIt = this.#next.kind === "sign" && this.#next.text === sign;
    if (isIt) this.#place++;
    return isIt;
  }

  #expectSign(sign: string): void {
    if (!this.#takeSign(sign)) throw this.#unexpected();
  }

  #unexpected(): WinnowError {
    const { kind, text } = this.#next;
    return mistake(RULE, kind === "end" ? "a condition that ends too early" : text);
  }
}

function typeIn(types: ColumnTypes, column: string): ColumnType {
  return Object.hasOwn(types, column) ? types[column]! : "text";
}

/** One text for each number. */
function decimalText(text: string): string {
  const size = scaled(text);
  const digits = String(size < 0n ? -size : size).padStart(19, "0");
  const part = digits.slice(-18).replace(/0+$/, "");
  return `${size < 0n ? "-" : ""}${digits.slice(0, -18)}${part === "" ? "" : `.${part}`}`;
}

/** In the calendar; the last day of a shorter month. Undefined for another unit, or a year that has no four digits. */
export function movedDay(day: string, count: number, unit: string): string | undefined {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  const months = unit === "month" ? count : unit === "year" ? 12 * count : undefined;
  if (months !== undefined) {
    const last = new Date(Date.UTC(2000, 0, 1));
    last.setUTCFullYear(year, month + months, 0);
    const first = new Date(Date.UTC(2000, 0, 1));
    first.setUTCFullYear(year, month - 1 + months, Math.min(date, last.getUTCDate()));
    return dayText(first);
  }
  const days = unit === "day" ? count : unit === "week" ? 7 * count : undefined;
  if (days === undefined) return undefined;
  const moved = new Date(Date.UTC(2000, 0, 1));
  moved.setUTCFullYear(year, month - 1, date + days);
  return dayText(moved);
}

function dayText(date: Date): string | undefined {
  const text = date.toISOString().slice(0, 10);
  return DAY.test(text) ? text : undefined;
}
