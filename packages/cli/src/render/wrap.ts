/**
 * Words that fit the terminal: lines are broken between words, and each is moved in. Where nobody looks, in a pipe or a
 * log, a remark stays one line, which is easier to search.
 * @module
 */
import type { Style } from "./style.js";

const INDENT = "  ";
/** Longer lines are hard to read, however wide the terminal is. */
const WIDEST_LINE = 100;

/** "ε = 1" is one word. */
const WORDS = /(?<!=) (?!=)/;

/** The lines, without a newline at the end. */
export function wrap(text: string, { isTerminal, columns }: Pick<Style, "isTerminal" | "columns">): string {
  if (!isTerminal) return `${INDENT}${text}`;
  const room = Math.min(columns, WIDEST_LINE) - INDENT.length;
  const lines: string[] = [];
  for (const word of text.split(WORDS)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= room) lines.push(`${lines.pop()} ${word}`);
    else lines.push(word);
  }
  return lines.map((line) => `${INDENT}${line}`).join("\n");
}
