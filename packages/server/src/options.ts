/**
 * How the parts of the service read their options: one reader for each kind of value, and the library's `readOptions` for objects of
 * them, with the path of each field.
 * Whatever isn't of its kind is refused with the pattern of all of Winnow's errors, `burst must be an integer from 1 to 1000;
 * got NaN`, and so is a name that isn't an option. Options come from the operator's file, so they are public, except for what
 * belongs to keys: `text` never repeats its value.
 * @module
 */
import { invalidParameter, readers, readOptions as readLibraryOptions } from "winnow-dp";

/** Reads the value of a field, or throws `invalid-parameter`. */
export type Reader<T> = (field: string, value: unknown) => T;

/** The reader of an integer in a range. NaN, fractions and texts are refused. */
export function integerFrom(least: number, most: number): Reader<number> {
  return (field, value) => readers.integer(field, value as number, least, most);
}

/** The reader of a text that matches the pattern; `rule` says in words what that is. */
export function text(pattern: RegExp, rule: string): Reader<string> {
  return (field, value) => {
    if (typeof value === "string" && pattern.test(value)) return value;
    throw invalidParameter(field, rule);
  };
}

/** The reader of a list, each entry by its own reader. */
export function listOf<T>(entry: Reader<T>): Reader<readonly T[]> {
  return (field, value) => {
    if (!Array.isArray(value)) throw invalidParameter(field, "a list");
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
  fields: { readonly [F in keyof O]-?: Reader<O[F]> },
  field = "options",
): O {
  const path = (name: string) => (field === "options" ? name : `${field}.${name}`);
  const withPaths = Object.entries<Reader<unknown>>(fields).map(
    ([name, reader]) => [name, (_: string, value: never) => reader(path(name), value)] as const,
  );
  // As if all were required: `optional` reads what was left out.
  return readLibraryOptions<object>(given as object, Object.fromEntries(withPaths), {}, field) as O;
}
