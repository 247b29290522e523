/**
 * The wanted members of one line of NDJSON: one JSON object on one line (RFC 8259), read on its own.
 *
 *   a string        its text, with escapes resolved
 *   a number        as written: 17, 17.0 and 1.7e1 are three values, and a long number keeps every digit
 *   true, false     as text
 *   null, missing   absent, like the empty string
 *
 * If a name occurs twice, its last value counts. A line is skipped if it isn't a JSON object, or if a wanted member is
 * an object, an array or text with half a surrogate pair.
 * @module
 */

/** The texts in the order of the names, "" where absent; undefined if the line is skipped. */
export function parseJsonLine(line: string, names: readonly string[]): string[] | undefined {
  const members = objectIn(line);
  if (members === undefined) return undefined;
  const texts: string[] = [];
  for (const name of names) {
    const text = textOf(Object.hasOwn(members, name) ? members[name] : null, line, name);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return texts;
}

type Members = Readonly<Record<string, unknown>>;

function objectIn(line: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Members)
      : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown, line: string, name: string): string | undefined {
  switch (typeof value) {
    case "string":
      return /\p{Surrogate}/u.test(value) ? undefined : value;
    case "number":
      return numberAsWritten(line, name);
    case "boolean":
      return String(value);
    default:
      return value === null ? "" : undefined;
  }
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]]|[^\s,:{}[\]"]+/g;

/** The last number of that name in a line that is known to be a JSON object. */
function numberAsWritten(line: string, name: string): string | undefined {
  let depth = 0;
  let key: string | undefined;
  let written: string | undefined;
  for (const [token] of line.matchAll(TOKEN)) {
    if (token === "}" || token === "]") depth--;
    else {
      if (depth === 1 && key === undefined) key = token;
      else if (depth === 1) {
        if (JSON.parse(key!) === name) written = token;
        key = undefined;
      }
      if (token === "{" || token === "[") depth++;
    }
  }
  return written;
}
