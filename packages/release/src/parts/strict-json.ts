/**
 * JSON of which nothing is lost when it is parsed. `JSON.parse` keeps the last of two fields with one name, and turns 1e400 into infinity and
 * 1e-400 into 0: a request, an operator's limit or a published release would silently say something else than a person reads. Those are refused by name.
 * @module
 */
import { mustBeButIs } from "../refusal/must-be.js";

/** The parsed text, or what is wrong with it: a sentence that begins with the field. */
export type Read = { readonly value: unknown; readonly fault?: undefined } | { readonly fault: string };

/** Throws a `SyntaxError` for text that isn't JSON. */
export function readStrictJson(text: string): Read {
  const value: unknown = JSON.parse(text);
  const fault = faultIn(text);
  return fault === undefined ? { value } : { fault };
}

/** A string, a number, or a sign of a text that is JSON. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[{}[\],:]/g;

interface Open {
  /** The names so far; undefined for a list. */
  readonly names: Set<string> | undefined;
  /** The field, or the place in a list, that is read now. */
  at: string | number;
}

function faultIn(text: string): string | undefined {
  const open: Open[] = [];
  let isName = false;
  for (const [token] of text.matchAll(TOKEN)) {
    const inner = open.at(-1);
    if (token === "{" || token === "[") {
      isName = token === "{";
      open.push({ names: isName ? new Set() : undefined, at: 0 });
    } else if (token === "}" || token === "]") {
      open.pop();
      isName = false;
    } else if (token === "," && inner !== undefined) {
      isName = inner.names !== undefined;
      if (typeof inner.at === "number") inner.at++;
    } else if (token === ":") isName = false;
    else if (isName && inner?.names !== undefined) {
      inner.at = JSON.parse(token) as string;
      if (inner.names.has(inner.at)) return `${pathOf(open)} must be given once; it is there twice.`;
      inner.names.add(inner.at);
    } else if (token[0] !== '"' && !isKept(token))
      return mustBeButIs(
        pathOf(open),
        "a number that a computer keeps as it is written, or text",
        shortened(token),
      );
  }
  return undefined;
}

function pathOf(open: readonly Open[]): string {
  return shortened(open.map(({ at }) => at).join(".")) || "The body";
}

const LONGEST = 100;

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}

/** Whether it is neither infinite nor lost in 0. */
function isKept(token: string): boolean {
  const number = Number(token);
  return Number.isFinite(number) && (number !== 0 || !/[1-9]/.test(token.replace(/[eE].*/, "")));
}
