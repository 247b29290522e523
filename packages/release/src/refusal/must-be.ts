/**
 * The one pattern of sentences about something that can't be used: what it is, what it must be, and what came. The sentence is
 * the library's, as of its own parameters: `--recall must be a number above 0 and at most 1; got "2".` A value that isn't public
 * is left out.
 * @module
 */
import { invalidParameter } from "winnow-dp";

/** The sentence with the value that came, if one is given. */
export function mustBe(what: string, rule: string, ...got: readonly [] | readonly [value: unknown]): string {
  return `${invalidParameter(what, rule, ...got).message}.`;
}

/** Where words say better than a value what came: "ε = 11". */
export function mustBeButIs(what: string, rule: string, is: string): string {
  return `${what} must be ${rule}; got ${is}.`;
}
