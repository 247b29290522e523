/**
 * Tables without lines, bars, and readable numbers. A table has a header, a rule, and rows with aligned columns, as wide
 * as their text is on a terminal; a terminal that is too narrow gets a list instead. Callers must neutralise the cells
 * first; cells may contain colour.
 * @module
 */
import { Table } from "console-table-printer";
import type { Style } from "./terminal.js";

export interface Column {
  readonly name: string;
  readonly title: string;
  readonly alignment?: "left" | "right";
  /** Longer text wraps. */
  readonly maxLen?: number;
}

const NO_LINE = { left: "", mid: "", right: "", other: "" };
const RULE = { left: " ", mid: "─", right: "", other: "─" };

/** The rows as text, without a newline at the end. */
export function table(rows: readonly Readonly<Record<string, string>>[], columns: readonly Column[]): string {
  const printer = new Table({
    // Otherwise titles would be coloured even where colour is off.
    shouldDisableColors: true,
    style: {
      headerTop: NO_LINE,
      headerBottom: RULE,
      tableBottom: NO_LINE,
      rowSeparator: NO_LINE,
      vertical: " ",
    },
    columns: columns.map(({ alignment = "left", ...column }) => ({ ...column, alignment })),
  });
  // Keep only the cells that have a column: the printer would add a column for the others.
  const names = columns.map(({ name }) => name);
  printer.addRows(rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? ""]))));
  const lines = printer.render().split("\n");
  return lines
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .join("\n");
}

/** A table or, on a terminal that is too narrow for it, a list with a block of titles and cells for each row. */
export function tableOrList(
  rows: readonly Readonly<Record<string, string>>[],
  columns: readonly Column[],
  style: Pick<Style, "isTerminal" | "columns" | "faint">,
): string {
  const whole = table(rows, columns);
  const isTooWide = whole.split("\n").some((line) => line.length > style.columns);
  return style.isTerminal && isTooWide ? list(rows, columns, style) : whole;
}

function list(
  rows: readonly Readonly<Record<string, string>>[],
  columns: readonly Column[],
  { faint }: Pick<Style, "faint">,
): string {
  const width = Math.max(...columns.map(({ title }) => title.length));
  const blocks = rows.map((row) =>
    columns
      .filter(({ name }) => row[name])
      .map(({ name, title }) => `  ${faint(title.padEnd(width))}  ${row[name]}\n`)
      .join(""),
  );
  return blocks.join("\n").trimEnd();
}

const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A bar for a share of the width, to an eighth of a character. */
export function barOf(share: number, width: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * Math.max(0, width) * 8);
  return "█".repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
}

/** From here on there are too many digits to read. */
const MANY = 1e15;

/** 1,234.5 with at most this many decimals; 1.23e+45 for very large numbers. */
export function decimal(number: number, places = 6): string {
  if (Math.abs(number) >= MANY) return number.toExponential(2);
  return number.toLocaleString("en", { maximumFractionDigits: places });
}
