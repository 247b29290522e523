/**
 * Who is counted in a period, as SQL: those whose SHA-256 of a key and their text is in the ranges of the period. Every engine
 * computes the same, so a person is counted in the same periods wherever their rows are.
 *
 * The key stays the same for the whole horizon. An engine that can't keep it out of its logs shows who is counted when to those who
 * may read them, and they can read the rows as well.
 * @module
 */
import { measured, type TextSql } from "./groups.js";
import type { Panel } from "./source.js";

/** What differs between engines. */
export interface PanelDialect extends TextSql {
  /** The 64 hexadecimal digits, in small letters, of the SHA-256 of a text's bytes. They are compared by their bytes. */
  hash(text: string): string;
}

/** Whether a person is counted; the person has a text. `key` is SQL for the text of the key. */
export function isInPanel({ hashes }: Panel, person: string, key: string, dialect: PanelDialect): string {
  const hash = dialect.hash(dialect.concat(key, measured(person, dialect)));
  const ranges = hashes.map(([from, until]) =>
    until === undefined ? `${hash} >= '${from}'` : `(${hash} >= '${from}' AND ${hash} < '${until}')`,
  );
  return `(${ranges.join(" OR ")})`;
}
