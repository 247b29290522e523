/**
 * The items of a row, where they aren't one column as it is: `lower(trim(name))`, `date_trunc('month', day)`, or several columns (a
 * basket), each of which gives the row an item. The functions are few, so that they mean the same on every engine:
 *
 *   lower(x), trim(x)          ASCII letters and spaces only, as in conditions on rows
 *   date_trunc('month', x)     the first day of the month or year of a text that starts with a valid YYYY-MM-DD, or the day
 *
 * A value that is missing or can't be read gives no item, without a word. The text is part of the question, and equal expressions have
 * equal texts. A public map may then replace each item by another name; items that it doesn't have are skipped.
 * @module
 */
import { invalidParameter, type WinnowError } from "winnow-dp";
import { type Token, tokensOf } from "./tokens.js";
import { asciiLower, asciiTrim, columnText, dayIn, isReserved } from "./where.js";

/**
 * How far a day is cut.
 *
 * @inline
 */
export type DateUnit = "day" | "month" | "year";

/** One item of a row: the text of a column after some functions. */
export interface ItemPart {
  readonly column: string;
  /** The innermost first. */
  readonly functions: readonly ("lower" | "trim")[];
  /** Then its day is cut to this. */
  readonly unit?: DateUnit;
}

/** A public map of items: how many there are, and which map it was. */
export interface ItemMap {
  readonly size: number;
  /** The hash of the list of its pairs. */
  readonly hash: string;
}

const UNITS = ["day", "month", "year"] as const;
const MOST_ITEMS = 20;
const LONGEST = 1000;
const RULE = "a column, or lower(x), trim(x) and date_trunc('month', x) of one";
const CALL = /^\s*(lower|trim|date_trunc)\s*\(.*\)\s*$/is;

/** Whether a typed item is more than the name of a column. A column with such a name is typed in double quotes. */
export function isItemExpression(text: string): boolean {
  return CALL.test(text) || /^".+"$/s.test(text);
}

/** Reads canonical texts, or texts as typed. Throws `invalid-parameter` with a sentence that quotes them; they are public. */
export function readItems(texts: readonly string[]): readonly ItemPart[] {
  if (!Array.isArray(texts) || texts.length < 1 || texts.length > MOST_ITEMS)
    throw invalidParameter("items", `a list of 1 to ${MOST_ITEMS} items`, texts);
  const parts = texts.map((text: unknown) => {
    if (typeof text !== "string" || text.length > LONGEST) throw mistake(text);
    return new ItemParser(text).whole();
  });
  const repeated = parts.map(itemText).find((text, i, all) => all.indexOf(text) < i);
  if (repeated !== undefined) throw invalidParameter("items", "different items", repeated);
  return parts;
}

/** The canonical text. */
export function itemText({ column, functions, unit }: ItemPart): string {
  const text = functions.reduce((inner, each) => `${each}(${inner})`, columnText(column));
  return unit === undefined ? text : `date_trunc('${unit}', ${text})`;
}

/** The item that a row has by this part; undefined if it has none. */
export function itemOf(
  { column, functions, unit }: ItemPart,
  textOf: (column: string) => string | undefined,
): string | undefined {
  const given = textOf(column);
  if (given === undefined || given === "") return undefined;
  const text = functions.reduce(
    (value, each) => (each === "lower" ? asciiLower(value) : asciiTrim(value)),
    given,
  );
  if (unit === undefined) return text === "" ? undefined : text;
  const day = dayIn(text);
  if (day === undefined) return undefined;
  return unit === "day"
    ? day
    : `${day.slice(0, unit === "month" ? 7 : 4)}${unit === "month" ? "-01" : "-01-01"}`;
}

function mistake(got: unknown): WinnowError {
  return invalidParameter("item", RULE, got);
}

class ItemParser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #place = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokensOf(text, () => mistake(text));
  }

  whole(): ItemPart {
    const part = this.#part();
    if (this.#next.kind !== "end") throw mistake(this.#text);
    return part;
  }

  #part(): ItemPart {
    const { kind, text } = this.#next;
    this.#place++;
    if (kind === "name") return { column: text, functions: [] };
    if (kind !== "word") throw mistake(this.#text);
    if (!this.#takes("(")) {
      if (isReserved(text)) throw mistake(this.#text);
      return { column: text, functions: [] };
    }
    const word = text.toLowerCase();
    const unit = word === "date_trunc" ? this.#unit() : undefined;
    const inner = this.#part();
    if (!this.#takes(")") || inner.unit !== undefined) throw mistake(this.#text);
    if (unit !== undefined) return { ...inner, unit };
    if (word !== "lower" && word !== "trim") throw mistake(this.#text);
    return { ...inner, functions: [...inner.functions, word] };
  }

  #unit(): DateUnit {
    const { kind, text } = this.#next;
    const unit = UNITS.find((each) => kind === "text" && each === text.toLowerCase());
    this.#place++;
    if (unit === undefined || !this.#takes(",")) throw mistake(this.#text);
    return unit;
  }

  #takes(sign: string): boolean {
    const isIt = this.#next.kind === "sign" && this.#next.text === sign;
    if (isIt) this.#place++;
    return isIt;
  }

  get #next(): Token {
    return this.#tokens[Math.min(this.#place, this.#tokens.length - 1)]!;
  }
}
