/**
 * The one error class of Winnow. An error is data first (`code`, `field`, `expected`, `got`) and text second,
 * in one pattern: `epsilon must be a rational > 0; got "-1/2"`.
 *
 * Errors are thrown before any randomness is drawn or budget is spent. `got` repeats a *parameter*, which is public. A private
 * value (a score, a row) never enters an error: of data, an error says the rule (`invalidData`), or of which kind the whole of
 * them was (`invalidKind`).
 * @module
 */

/**
 * Stable names of what can go wrong; programs switch on these, never on the text.
 *
 * See docs/guide/errors.md.
 */
export type ErrorCode =
  | "invalid-parameter" // a public parameter is out of its range or of the wrong kind
  | "invalid-score" // a score is not a finite number; says neither which nor what
  | "stream-finished" // a stream was used after its answer was taken or it was merged into another
  | "stream-busy" // a stream was called from inside a call to it: by its bits, its iterator or a getter
  | "entropy-unavailable" // there is no cryptographic source of randomness, or it failed
  | "sample-out-of-range" // a drawn value does not fit the array it was drawn into
  | "budget-exceeded"; // a charge is larger than what is left of a privacy budget

/**
 * What an error says about the parameter that was refused, as data.
 *
 * @inline
 */
export interface ErrorFields {
  /** The parameter that was refused. */
  readonly field?: string;
  /** What would have been accepted, in words. */
  readonly expected?: string;
  /** The refused parameter as text. */
  readonly got?: string;
  /** The error that led to this one, if another did. */
  readonly cause?: unknown;
}

/**
 * The one class of Winnow's errors: data first (`code`, `field`, `expected`, `got`), text second.
 *
 * The text has one pattern: `epsilon must be a rational > 0; got "-1/2"`. An error repeats parameters, which are
 * public, and never a private value such as a score.
 *
 * @example
 * ```ts
 * import { topK, WinnowError } from "winnow-dp";
 *
 * try {
 *   topK([3, 1], { k: 9, epsilon: 1 });
 * } catch (error) {
 *   if (error instanceof WinnowError) console.log(error.code, error.field, error.expected);
 * }
 * ```
 */
export class WinnowError extends Error {
  /** Always `"WinnowError"`, for where an error has left its realm and `instanceof` fails. */
  override readonly name = "WinnowError";
  /** What went wrong. */
  readonly code: ErrorCode;
  /** The parameter that was refused. */
  readonly field: string | undefined;
  /** What would have been accepted, in words. */
  readonly expected: string | undefined;
  /** The refused parameter as text. */
  readonly got: string | undefined;

  /** An error with a code, a sentence, and the same as data. */
  constructor(code: ErrorCode, message: string, fields: ErrorFields = {}) {
    super(message, fields); // of which an Error takes the cause, if there is one
    this.code = code;
    this.field = fields.field;
    this.expected = fields.expected;
    this.got = fields.got;
  }
}

/**
 * The error for a refused parameter. It repeats the value, if there is one: leave it out for data and for secrets.
 *
 * @example
 * ```ts
 * import { invalidParameter } from "winnow-dp";
 *
 * invalidParameter("k", "an integer >= 1", 0).message; // → "k must be an integer >= 1; got 0"
 * ```
 */
export function invalidParameter(
  field: string,
  expected: string,
  ...value: readonly [got?: unknown]
): WinnowError {
  return value.length === 0
    ? invalidData(field, expected, "invalid-parameter")
    : refused(field, expected, describe(value[0]));
}

function refused(field: string, expected: string, got: string): WinnowError {
  return new WinnowError("invalid-parameter", `${field} must be ${expected}; got ${got}`, {
    field,
    expected,
    got,
  });
}

/**
 * The refusal of data, or of what holds some: `votes must be 0 or 1 for each teacher and label`. It is told what would have been
 * accepted, never what came, so that it can't repeat a private value.
 */
export function invalidData(field: string, expected: string, code: ErrorCode = "invalid-score"): WinnowError {
  return new WinnowError(code, `${field} must be ${expected}`, { field, expected });
}

/**
 * The refusal of something of the wrong kind: `scores must be an array or a typed array; got a value of type string`. Only the
 * kind is named, because a list, an object or a function is asked for where data are passed, or where they land when arguments
 * are mixed up.
 */
export function invalidKind(field: string, expected: string, value: unknown): WinnowError {
  return refused(field, expected, nameOfKind(value));
}

function nameOfKind(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? "an array" : `a value of type ${typeof value}`;
}

const LONGEST_DESCRIPTION = 60;

/** A parameter as short text. Only kinds that print themselves are printed; of the others, the kind is named. */
function describe(value: unknown): string {
  if (typeof value === "string") return shorten(JSON.stringify(value));
  if (typeof value === "bigint") return shorten(`${value}n`);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (isFraction(value))
    return shorten(String(value.constructor === Object ? `${value.numerator}/${value.denominator}` : value));
  return nameOfKind(value);
}

function isFraction(value: unknown): value is { numerator: bigint; denominator: bigint } {
  const { numerator, denominator } = Object(value);
  return typeof numerator === "bigint" && typeof denominator === "bigint";
}

function shorten(text: string): string {
  return text.length <= LONGEST_DESCRIPTION
    ? text
    : `${text.slice(0, LONGEST_DESCRIPTION)}… (${text.length} characters)`;
}
