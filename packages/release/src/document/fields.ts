/**
 * Reading JSON that somebody else wrote: every field has the kind it should have and none is there that should not be. What
 * is refused is named by its path, not quoted.
 * @module
 */
import { refused } from "../refused.js";

export type Fields = Readonly<Record<string, unknown>>;

/** An object with these fields and no others; those that end in "?" may be absent. */
export function fieldsOf(value: unknown, path: string, names: readonly string[]): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw refused(path, "an object");
  const fields: Fields = { ...value };
  const known = new Set(names.map((name) => name.replace(/\?$/, "")));
  const missing = names.find((name) => !name.endsWith("?") && fields[name] === undefined);
  if (missing !== undefined) throw refused(path, `an object with the field "${missing}"`);
  if (Object.keys(fields).some((name) => !known.has(name)))
    throw refused(path, `an object without fields other than ${[...known].join(", ")}`);
  return fields;
}

export function textAt(fields: Fields, path: string, name: string): string {
  const value = fields[name];
  if (typeof value !== "string") throw refused(`${path}.${name}`, "a text");
  return value;
}

export function trueOrFalse(fields: Fields, path: string, name: string): boolean {
  const value = fields[name];
  if (typeof value !== "boolean") throw refused(`${path}.${name}`, "true or false");
  return value;
}

export function integerAt(fields: Fields, path: string, name: string, least: number): number {
  const value = fields[name];
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < least)
    throw refused(`${path}.${name}`, `an integer >= ${least}`);
  return value;
}

export function listAt(fields: Fields, path: string, name: string): readonly unknown[] {
  const value = fields[name];
  if (!Array.isArray(value)) throw refused(`${path}.${name}`, "a list");
  return value;
}

/** An object whose fields, of any name, are texts; in the order of the names, so that it has one form. */
export function textsAt(fields: Fields, path: string, name: string): Readonly<Record<string, string>> {
  const value = fields[name];
  const at = `${path}.${name}`;
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw refused(at, "an object");
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  if (!entries.every(([, text]) => typeof text === "string")) throw refused(at, "an object of texts");
  return Object.fromEntries(entries) as Record<string, string>;
}
