/**
 * The header line of a file that this program reads itself, or a refusal that says what is wrong with it. Headers are public.
 * @module
 */
import { WinnowError } from "winnow-dp";
import { type Header, splitHeader } from "winnow-release";
import { Refusal } from "./refusal.js";

export function readHeader(what: string, path: string, line: string): Header {
  try {
    return splitHeader(line);
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
    throw new Refusal(
      "broken-header",
      `The header of ${what} ${JSON.stringify(path)} must be ${error.expected}.`,
    );
  }
}
