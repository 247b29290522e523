/**
 * How the writer of a file puts a row on a line, in every way that is right: fields quoted because they must be or for no
 * reason, members of an object in any order, any end of the line.
 * @module
 */
import type { Entropy } from "winnow-dp";
import { type LineDialect, parseDelimitedLine, parseJsonLine } from "winnow-release";
import { chance, HOSTILE_TEXTS, pick } from "./hostile-text.js";

export type LineFormat = "csv" | "tsv" | "ndjson";

export interface Row {
  readonly user: string;
  readonly item: string;
}

export interface LineLayout {
  readonly format: LineFormat;
  /** Those of the header, or the members of an object. */
  readonly columns: readonly string[];
  readonly dialect: LineDialect;
  /** Which columns hold the item and the user. */
  readonly roles: Row;
}

export class LineWriter {
  readonly #layout: LineLayout;

  constructor(layout: LineLayout) {
    this.#layout = layout;
  }

  /** The first line with its end, or nothing where the format has none. */
  header(entropy: Entropy): string {
    const { format, columns, dialect } = this.#layout;
    return format === "ndjson" ? "" : `${columns.join(dialect.delimiter)}${lineEnd(entropy)}`;
  }

  /** The row, with anything in the other columns. */
  line({ user, item }: Row, entropy: Entropy): string {
    const { format, columns, dialect, roles } = this.#layout;
    const values = columns.map((column) =>
      column === roles.user ? user : column === roles.item ? item : pick(HOSTILE_TEXTS, entropy),
    );
    if (format !== "ndjson")
      return values.map((value) => field(value, dialect, entropy)).join(dialect.delimiter);
    return objectOf(
      columns.map((column, i) => [column, values[i]]),
      entropy,
    );
  }

  /** Who a physical line is about by the grammar, and with what; undefined if it counts for nobody. */
  read(line: string): Row | undefined {
    const { format, columns, dialect, roles } = this.#layout;
    if (format === "ndjson") return rowOf(parseJsonLine(line, [roles.user, roles.item]) ?? []);
    const fields = parseDelimitedLine(line, dialect);
    if (fields?.length !== columns.length) return undefined;
    return rowOf([roles.user, roles.item].map((column) => fields[columns.indexOf(column)]));
  }
}

function rowOf([user = "", item = ""]: readonly string[]): Row | undefined {
  return user === "" || item === "" ? undefined : { user, item };
}

function field(text: string, { delimiter, quote }: LineDialect, entropy: Entropy): string {
  const mustQuote = text.includes(quote) || text.includes(delimiter);
  return mustQuote || chance(4, entropy) ? quote + text.replaceAll(quote, quote + quote) + quote : text;
}

function objectOf(members: readonly (readonly [string, string])[], entropy: Entropy): string {
  const space = chance(3, entropy) ? " " : "";
  const inOrder = chance(3, entropy) ? [...members].reverse() : members;
  const texts = inOrder.map(
    ([name, value]) => `${JSON.stringify(name)}:${space}${memberText(value, entropy)}`,
  );
  return `{${space}${texts.join(`${space},`)}${space}}`;
}

/** A number may also stand without quotes, and absent values may be null. */
function memberText(text: string, entropy: Entropy): string {
  const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(text);
  if (isNumber && chance(2, entropy)) return text;
  return text === "" && chance(2, entropy) ? "null" : JSON.stringify(text);
}

export function lineEnd(entropy: Entropy): string {
  return pick(["\n", "\n", "\n", "\r\n", "\r"], entropy);
}
