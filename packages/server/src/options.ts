/**
 * How the parts of the service read their options: one reader for each kind of value, and the library's `readOptions` for objects of
 * them, with the path of each field.
 * Whatever isn't of its kind is refused with the pattern of all of Winnow's errors, `burst must be an integer from 1 to 1000;
 * got NaN`, and so is a name that isn't an option. Options come from the operator's file, so they are public, except for what
 * belongs to keys: `text` never repeats its value.
 * @module
 */
import { invalidParameter, readOptions as readLibraryOptions, type WinnowError } from "winnow-dp";

/** Reads the value of a field, or throws `invalid-parameter`. */
export type Reader<T> = (field: string, value: unknown) => T;

/** The error for an option that can't be used. Only numbers are repeated. */
export function refusedOption(field: string, expected: string, value?: unknown): WinnowError {
  return typeof value === "number"
    ? invalidParameter(field, expected, value)
    : invalidParameter(field, expected);
}

/** The reader of an integer in a range. NaN, fractions and texts are refused. */
export function integerFrom(least: number, most: number): Reader<number> {
  return (field, value) => {
    if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most)
      return value as number;
    throw refusedOption(field, `an integer from ${least} to ${most}`, value);
  };
}

/** The reader of a text that matches the pattern; `rule` says in words what that is. */
export function text(pattern: RegExp, rule: string): Reader<string> {
  return (field, value) => {
    if (typeof value === "string" && pattern.test(value)) return value;
    throw refusedOption(field, rule);
  };
}

/** The reader of a list, each entry by its own reader. */
export function listOf<T>(entry: Reader<T>): Reader<readonly T[]> {
  return (field, value) => {
    if (!Array.isArray(value)) throw refusedOption(field, "a list");
    return Array.from(value, (each, at) => entry(`${field}[${at}]`, each));
  };
}

/** The reader of an option that may be left out; `undefined` counts as left out. */
export function optional<T>(reader: Reader<T>): Reader<T | undefined>;
export function optional<T>(reader: Reader<T>, fallback: T): Reader<T>;
export function optional<T>(reader: Reader<T>, fallback?: T): Reader<T | undefined> {
  return (field, value) => (value === undefined ? fallback : reader(field, value));
}

/** The options, each read by its reader; the values that were read are those that are used. Unknown names are refused. */
export function readOptions<O extends object>(
  given: unknown,
  readers: { readonly [F in keyof O]-?: Reader<O[F]> },
  field = "options",
): O {
  const path = (name: string) => (field === "options" ? name : `${field}.${name}`);
  const withPaths = Object.entries<Reader<unknown>>(readers).map(
    ([name, reader]) => [name, (_: string, value: never) => reader(path(name), value)] as const,
  );
  // As if all were required: `optional` reads what was left out.
  return readLibraryOptions<object>(given as object, Object.fromEntries(withPaths), {}, field) as O;
}
