/**
 * docs/coverage.md as its tests read it, row by row.
 * @module
 */
import { read } from "./project.js";

export interface Row {
  readonly paper: string;
  readonly item: string;
  readonly code: string;
  readonly test: string;
  readonly command: string;
}

export function rowsOf(page: string): Row[] {
  return page.split(/^## /m).flatMap((section) => {
    const paper = /^\[(\w+)\]/.exec(section)?.[1];
    if (paper === undefined) return [];
    const lines = section.split("\n").filter((line) => line.startsWith("| "));
    return lines.slice(2).map((line) => {
      const [item, , code, test, command] = line
        .slice(2, -2)
        .split(" | ")
        .map((cell) => cell.trim());
      return { paper, item, code, test, command };
    });
  });
}

const isNone = (cell: string) => /^not applicable\b/.test(cell);

export const rows = rowsOf(read("docs/coverage.md"));
/** Those that aren't called not applicable. */
export const present = rows.filter(({ code }) => !isNone(code));
export const absent = rows.filter(({ code }) => isNone(code));

/** The names in a cell. */
export const named = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
export const label = ({ paper, item }: Row) => `${paper}, ${item}`;

/** Whether a text cites the item in brackets, alone or with others: "[ZW22, Theorems 11 and 20]". */
export function cites(text: string, { paper, item }: Row): boolean {
  const [, kind, number] = /^(.*?) ?([\dA-Z][\d.]*)?$/.exec(item) ?? [];
  const digits = number === undefined ? "" : `[^\\]]*[ ,]${number.replace(".", "\\.")}[ab]?(?=[ ,\\]])`;
  const words = kind.replace(/y$/, "(?:y|ies)");
  return new RegExp(`\\[${paper},[^\\]]*\\b${words}s?\\b${digits}[^\\]]*\\]`).test(text);
}
