/**
 * The one text of a value: JSON with the keys of every object sorted and no spaces, numbers and strings as ECMAScript prints them. Equal
 * values have equal texts. A value without a plain form in JSON is refused.
 * @module
 */
import { invalidParameter, type WinnowError } from "winnow-dp";

/** JSON with sorted keys and no spaces, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${Array.from(value, canonicalJson).join(",")}]`;
  if (isRecord(value)) {
    const fields = Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
    return `{${fields.join(",")}}`;
  }
  if (typeof value === "number" && !Number.isFinite(value)) throw notJson("a number that is not finite");
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw notJson(`a value of type ${typeof value}`);
  return text;
}

/** A plain object; whatever has a JSON form of its own (a date, a rational) must be given in that form. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  if ("toJSON" in value && typeof value.toJSON === "function")
    throw notJson("an object with a JSON form of its own");
  return true;
}

function notJson(got: string): WinnowError {
  return invalidParameter("value", `plain JSON values, without ${got}`);
}
