/**
 * The refusal of a parameter, in the pattern of all of Winnow's errors: `k must be an integer >= 1; got 0`. Only what
 * is public may be quoted: a parameter, never a row, a count or a name from private data.
 *
 * And what everyone is told about a count that failed after it began, whatever the reason: rows can raise any error, break a
 * connection, damage a file or take too long. The command line and the service charge it in full and say this. That the count
 * failed is an exact event, and no price makes it private: it is outside the promise (docs/limits.md).
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

export const COUNT_FAILED = "The rows couldn't be counted to their end, and the price counts in full.";
