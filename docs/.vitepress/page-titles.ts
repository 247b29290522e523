/**
 * What the pages of the site are called.
 * @module
 */
import { readFileSync } from "node:fs";

const docs = new URL("../", import.meta.url);

/** The title that a page gives itself, as plain text. */
export function titleOf(page: string): string {
  const [, title] = /^# (.*)$/m.exec(readFileSync(new URL(page, docs), "utf8")) ?? [];
  if (title === undefined) throw new Error(`docs/${page} has no title`);
  return title.replaceAll("`", "").replaceAll("\\", "");
}
