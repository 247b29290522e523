/**
 * A line as one person writes it: right, or spoiled in any way. A person is one value of the user column, so a line that can
 * be read at all is about its writer: what would be a line about somebody else is that other person's, and left out.
 * @module
 */
import type { Entropy } from "winnow-dp";
import { LineSplitter, LONGEST_LINE } from "winnow-release";
import { chance, spoiled } from "./hostile-text.js";
import { type LineWriter, lineEnd, type Row } from "./line-writer.js";

/** With its end. */
export function hostileLine(row: Row, writer: LineWriter, entropy: Entropy): Uint8Array {
  if (chance(2000, entropy)) return Buffer.from(`${"x".repeat(LONGEST_LINE)},y\n`);
  const whole = Buffer.from(writer.line(row, entropy));
  const changed = chance(2, entropy) ? spoiled(whole, entropy) : whole;
  const bytes = isAboutNobodyElse(changed, row.user, writer) ? changed : whole;
  return Buffer.concat([bytes, Buffer.from(lineEnd(entropy))]);
}

/** An end of line in the middle makes two lines, and the second one might name somebody else. */
function isAboutNobodyElse(bytes: Uint8Array, user: string, writer: LineWriter): boolean {
  const splitter = new LineSplitter();
  const lines = [...splitter.push(bytes), ...splitter.end()];
  return lines.every((line) => line === undefined || (writer.read(line)?.user ?? user) === user);
}
