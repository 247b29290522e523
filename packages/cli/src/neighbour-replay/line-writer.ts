/**
 * How the writer of a file puts a row on a line, in every way that is right: fields quoted because they must be or for no
 * reason, members of an object in any order, any end of the line.
 * @module
 */
import type { Entropy } from "winnow-dp";
import { parseDelimitedLine, parseJsonLine } from "winnow-release";
import { chance, pick } from "./hostile-text.js";

export type LineFormat = "csv" | "tsv" | "ndjson";

export interface Row {
  readonly user: string;
  readonly item: string;
}

const OTHER = "other";

export class LineWriter {
  readonly format: LineFormat;
  readonly #columns: readonly string[];

  /** The columns come in an order that the bits decide. */
  constructor(format: LineFormat, entropy: Entropy) {
    this.format = format;
    this.#columns = pick(
      [
        ["user", "item"],
        ["item", "user"],
        ["item", OTHER, "user"],
      ],
      entropy,
    );
  }

  /** The first line with its end, or nothing where the format has none. */
  header(entropy: Entropy): string {
    return this.format === "ndjson" ? "" : `${this.#columns.join(this.#delimiter)}${lineEnd(entropy)}`;
  }

  line(row: Row, other: string, entropy: Entropy): string {
    const values: Readonly<Record<string, string>> = { ...row, [OTHER]: other };
    if (this.format === "ndjson") return this.#object(values, entropy);
    return this.#columns.map((column) => this.#field(values[column], entropy)).join(this.#delimiter);
  }

  /** Who a physical line is about by the grammar: "" for nobody. */
  userOf(line: string): string {
    if (this.format === "ndjson") return parseJsonLine(line, ["item", "user"])?.[1] ?? "";
    const fields = parseDelimitedLine(line, { delimiter: this.#delimiter, quote: '"' });
    return fields?.length === this.#columns.length ? fields[this.#columns.indexOf("user")] : "";
  }

  get #delimiter(): string {
    return this.format === "tsv" ? "\t" : ",";
  }

  #field(text: string, entropy: Entropy): string {
    const mustQuote = text.includes('"') || text.includes(this.#delimiter);
    return mustQuote || chance(4, entropy) ? `"${text.replaceAll('"', '""')}"` : text;
  }

  #object(values: Readonly<Record<string, string>>, entropy: Entropy): string {
    const names = chance(3, entropy) ? [...this.#columns].reverse() : this.#columns;
    const space = chance(3, entropy) ? " " : "";
    const members = names.map((name) => `${JSON.stringify(name)}:${space}${member(values[name], entropy)}`);
    return `{${space}${members.join(`${space},`)}${space}}`;
  }
}

/** A number may also stand without quotes, and absent values may be null. */
function member(text: string, entropy: Entropy): string {
  const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(text);
  if (isNumber && chance(2, entropy)) return text;
  return text === "" && chance(2, entropy) ? "null" : JSON.stringify(text);
}

export function lineEnd(entropy: Entropy): string {
  return pick(["\n", "\n", "\n", "\r\n", "\r"], entropy);
}
