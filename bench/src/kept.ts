/**
 * What other commands measured and the page keeps when it is written anew.
 * @module
 */
import { existsSync, readFileSync } from "node:fs";

export const MARK = "<!-- Below is what other commands measured; `npm run bench -- --write` keeps it. -->";

/** The part of the page from the mark on; only the mark if there is none. */
export function keptPart(page: URL): string {
  const text = existsSync(page) ? readFileSync(page, "utf8") : "";
  const start = text.indexOf(MARK);
  return start < 0 ? `${MARK}\n` : text.slice(start);
}
