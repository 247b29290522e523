/**
 * A release as data. CSV (RFC 4180) is for spreadsheets: one row for each winner, with names made safe to open and to
 * look at (`forCsvField`). JSON is for programs and for the record: exact names and numbers, with every character that
 * could hide or act written as an escape.
 * @module
 */
import { rational } from "winnow-dp";
import { readRelease } from "../document/read-release.js";
import type { NewRelease, Release } from "../document/release-document.js";
import { type GapRow, gapRows } from "./gap-intervals.js";
import { forCsvField, forJson } from "./neutralise.js";

/** A spreadsheet would take 1/3 for a date. */
function decimal(text: string): string {
  return text.includes("/") ? String(rational(text).toNumber()) : text;
}

const LINE_END = "\r\n";

/**
 * Columns: `rank,item,gap,gap_low,gap_high` with gaps, `rank,item` ranked without, `item` for a set in order of names;
 * with public labels also `label`, last.
 */
export function toCsv(release: Release | NewRelease, labels?: ReadonlyMap<string, string>): string {
  const { ordered } = release.answer;
  const withGaps = release.question.resolution !== undefined;
  const header = withGaps
    ? ["rank", "item", "gap", "gap_low", "gap_high"]
    : ordered
      ? ["rank", "item"]
      : ["item"];
  const rows = gapRows(release).map((row) => [
    ...fieldsOf(row, ordered),
    ...(labels === undefined ? [] : [labels.get(row.item) ?? ""]),
  ]);
  return [labels === undefined ? header : [...header, "label"], ...rows]
    .map((fields) => fields.map(forCsvField).join(",") + LINE_END)
    .join("");
}

function fieldsOf({ rank, item, gap }: GapRow, ordered: boolean): string[] {
  if (gap !== undefined) return [String(rank), item, ...[gap.value, gap.low, gap.high].map(decimal)];
  return ordered ? [String(rank), item] : [item];
}

/** One text for one release, in whatever order a storage gave its fields back; `readRelease` reads it. */
export function toJson(release: Release | NewRelease): string {
  return `${forJson(readRelease(JSON.stringify(release)))}\n`;
}
