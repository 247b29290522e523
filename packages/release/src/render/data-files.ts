/**
 * A release as data. CSV (RFC 4180) is for spreadsheets: one row for each winner, with names made safe to open and to
 * look at (`forCsvField`). Where that changed a name, the column is called `item_escaped` and not `item`, so that a reader
 * can tell, and the names can be read back exactly (candidates.ts). JSON is for programs and for the record: exact names and
 * numbers, with every character that could hide or act written as an escape.
 * @module
 */
import { rational } from "winnow-dp";
import { readRelease } from "../document/read-release.js";
import type { NewRelease, Release } from "../document/release-document.js";
import { kindOf } from "../kinds/kinds.js";
import { countsIn } from "../mechanisms/of-question.js";
import { countedColumn } from "../question/labels.js";
import { forCsvField, forJson, forSpreadsheet } from "../words/neutralise.js";
import { type AnswerRow, answerRows } from "./answer-rows.js";
import { type GroupRelease, groupReleases, releaseOfOne } from "./group-releases.js";

/** What the column of names is called, and what it is called if a name had to be escaped. */
export const ITEMS = "item";
/** The column of a CSV file that has names exactly as they are. */
export const ESCAPED_ITEMS = "item_escaped";

/** A spreadsheet would take 1/3 for a date. */
function decimal(text: string | undefined): string | undefined {
  return text?.includes("/") ? String(rational(text).toNumber()) : text;
}

const LINE_END = "\r\n";

/**
 * Columns: of frequencies `users,items`; of quantiles `quantile,value,rank_error`; otherwise `rank` where the order says
 * something, `item` (`item_escaped` if a name had to be escaped), then `gap,gap_low,gap_high` with leads and
 * `count,count_low,count_high,count_fitted` with counts (above a threshold `count` alone), then `count_all_low,count_all_high`, which
 * hold all at once, and `count_in_order_low,count_in_order_high`, which do if the order is right; with public labels also `label`,
 * last. Where people count for a limited number of items or values, the columns that depend on it say so:
 * `count_max_2_items_per_user`. A release in groups has all its answers in one file, with the column `group` first.
 */
export function toCsv(release: Release | NewRelease, labels?: ReadonlyMap<string, string>): string {
  const groups = groupReleases(release);
  if (groups !== undefined) return groupsCsv(release, groups, labels);
  if (kindOf(release.question).shape === "frequencies") return frequencyCsv(release);
  const { header, rowsOf } = tableOf(release, release.answer.winners, labels);
  return csvText([header, ...rowsOf(release)]);
}

/** The answers of all groups, with the columns `group`, and `group_2` where groups have two: `group_escaped` like `item_escaped`. */
function groupsCsv(
  whole: Release | NewRelease,
  groups: readonly GroupRelease<Release | NewRelease>[],
  labels: ReadonlyMap<string, string> | undefined,
): string {
  const names = whole.question.groups!.by.map((_, column) => {
    const name = column === 0 ? "group" : `group_${column + 1}`;
    const isEscaped = groups.some((group) => forSpreadsheet(group.name[column]!) !== group.name[column]);
    return isEscaped ? `${name}_escaped` : name;
  });
  const one = groups[0]?.release ?? releaseOfOne(whole);
  if (kindOf(whole.question).shape === "frequencies")
    return csvText([
      [...names, countedColumn("users", one.question), "items"],
      ...groups.flatMap(({ name, release: { answer } }) =>
        (answer.frequencies ?? []).map(({ users, items }) => [...name, String(users), String(items)]),
      ),
    ]);
  const winners = groups.flatMap(({ release: { answer } }) => answer.winners);
  const { header, rowsOf } = tableOf({ ...one, answer: { ...one.answer, winners } }, winners, labels);
  const nothing = [header.map(() => "")]; // a group that names nothing has a row too
  const rows = groups.flatMap(({ name, release }) => {
    const own = rowsOf(release);
    return (own.length > 0 ? own : nothing).map((row) => [...name, ...row]);
  });
  return csvText([[...names, ...header], ...rows]);
}

function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((fields) => fields.map(forCsvField).join(",") + LINE_END).join("");
}

function tableOf(
  release: Release | NewRelease,
  winners: Release["answer"]["winners"],
  labels: ReadonlyMap<string, string> | undefined,
) {
  const columns = COLUMNS.filter(({ isShown }) => isShown(release));
  const header = [
    ...columns.map((column) => columnName(column, release.question, winners)),
    ...(labels === undefined ? [] : ["label"]),
  ];
  const rowsOf = (one: Release | NewRelease) =>
    answerRows(one).map((row) => [
      ...columns.map(({ of }) => of(row) ?? ""),
      ...(labels === undefined ? [] : [labels.get(row.item) ?? ""]),
    ]);
  return { header, rowsOf };
}

function columnName(
  { name, isCounted = false }: CsvColumn,
  question: Release["question"],
  winners: Release["answer"]["winners"],
): string {
  if (isCounted) return countedColumn(name, question);
  const isEscaped = name === ITEMS && winners.some(({ item }) => forSpreadsheet(item) !== item);
  return isEscaped ? ESCAPED_ITEMS : name;
}

function frequencyCsv({ question, answer: { frequencies = [] } }: Release | NewRelease): string {
  const header = `${countedColumn("users", question)},items`;
  return [header, ...frequencies.map(({ users, items }) => `${users},${items}`), ""].join(LINE_END);
}

interface CsvColumn {
  readonly name: string;
  /** Whether it is a number of users, or depends on which values of people are counted. */
  readonly isCounted?: boolean;
  readonly isShown: (release: Release | NewRelease) => boolean;
  readonly of: (row: AnswerRow) => string | undefined;
}

/** Whether a rank error grows with the number of values. */
function hasShare(row: AnswerRow | undefined): boolean {
  return row?.rankError !== undefined && row.rankError.share.numerator > 0n;
}

const hasGaps: CsvColumn["isShown"] = ({ question }) => question.resolution !== undefined;
const hasCounts: CsvColumn["isShown"] = ({ question }) => question.counts === true;
const hasIntervals: CsvColumn["isShown"] = (release) => countsIn(release) !== undefined;

/** Where there is one count, all of them are that one. */
const hasAll: CsvColumn["isShown"] = (release) =>
  release.answer.winners.length > 1 && countsIn(release)?.simultaneous !== undefined;
const hasOrdered: CsvColumn["isShown"] = (release) => answerRows(release)[0]?.inOrder !== undefined;

const isQuantile: CsvColumn["isShown"] = ({ question }) => kindOf(question).shape === "values";

const COLUMNS: readonly CsvColumn[] = [
  { name: "quantile", isShown: isQuantile, of: ({ quantile }) => decimal(quantile) },
  { name: "value", isCounted: true, isShown: isQuantile, of: ({ item }) => decimal(item) },
  { name: "rank_error", isShown: isQuantile, of: ({ rankError }) => String(rankError?.ranks.ceil()) },
  {
    name: "rank_error_share",
    isShown: (release) => isQuantile(release) && hasShare(answerRows(release)[0]),
    of: ({ rankError }) => decimal(String(rankError?.share)),
  },
  {
    name: "rank",
    isShown: (release) => release.answer.ordered && !isQuantile(release),
    of: ({ rank }) => String(rank),
  },
  { name: ITEMS, isShown: (release) => !isQuantile(release), of: ({ item }) => item },
  { name: "gap", isCounted: true, isShown: hasGaps, of: ({ gap }) => decimal(gap?.value) },
  { name: "gap_low", isCounted: true, isShown: hasGaps, of: ({ gap }) => decimal(gap?.low) },
  { name: "gap_high", isCounted: true, isShown: hasGaps, of: ({ gap }) => decimal(gap?.high) },
  { name: "count", isCounted: true, isShown: hasCounts, of: ({ count }) => decimal(count?.value) },
  { name: "count_low", isCounted: true, isShown: hasIntervals, of: ({ count }) => count?.low },
  { name: "count_high", isCounted: true, isShown: hasIntervals, of: ({ count }) => count?.high },
  { name: "count_fitted", isCounted: true, isShown: hasIntervals, of: ({ fitted }) => decimal(fitted) },
  { name: "count_all_low", isCounted: true, isShown: hasAll, of: ({ all }) => all?.low },
  { name: "count_all_high", isCounted: true, isShown: hasAll, of: ({ all }) => all?.high },
  { name: "count_in_order_low", isCounted: true, isShown: hasOrdered, of: ({ inOrder }) => inOrder?.low },
  { name: "count_in_order_high", isCounted: true, isShown: hasOrdered, of: ({ inOrder }) => inOrder?.high },
];

/** One text for one release, in whatever order a storage gave its fields back; `readRelease` reads it. */
export function toJson(release: Release | NewRelease): string {
  return `${forJson(readRelease(JSON.stringify(release)))}\n`;
}
