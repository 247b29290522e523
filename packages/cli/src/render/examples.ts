/**
 * The examples at the end of a command's help. Each is a line that can be typed, and a test parses them all.
 * @module
 */

/** Pairs of a command line and what it does; what needs no words has an empty one. */
export function examples(...pairs: readonly (readonly [line: string, meaning: string])[]): string {
  const lines = pairs.map(([line, meaning]) => `  $ ${line}${meaning === "" ? "" : `\n      ${meaning}`}`);
  return `\nExamples:\n${lines.join("\n")}\n`;
}
