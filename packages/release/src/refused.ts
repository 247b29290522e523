/**
 * The refusal of a parameter, in the pattern of all of Winnow's errors: `k must be an integer >= 1; got 0`. Only what
 * is public may be quoted: a parameter, never a row, a count or a name from private data.
 * @module
 */
import { WinnowError } from "winnow-dp";

const LONGEST_QUOTE = 60;

/** `got` is quoted if it is given. */
export function refused(field: string, expected: string, got?: unknown): WinnowError {
  const quoted = quote(got);
  const message = `${field} must be ${expected}${quoted === undefined ? "" : `; got ${quoted}`}`;
  return new WinnowError("invalid-parameter", message, {
    field,
    expected,
    ...(quoted !== undefined && { got: quoted }),
  });
}

function quote(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === "object" ? "an object" : (JSON.stringify(value) ?? typeof value);
  return text.length <= LONGEST_QUOTE ? text : `${text.slice(0, LONGEST_QUOTE)}…`;
}
