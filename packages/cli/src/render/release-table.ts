/**
 * A release as a table: the winners with their numbers of users or their leads, and how the list ended; or quantiles with the
 * errors of their ranks; and the cost. It has bars on a terminal and is plain in a pipe. Names come from strangers and are
 * neutralised here.
 * @module
 */
import { rational } from "winnow-dp";
import {
  answerRows,
  asSentence,
  CHANGES_NOTE,
  changesInWords,
  changesOf,
  countedInWords,
  countedShort,
  endInWords,
  forTerminal,
  frequenciesInWords,
  type GroupRelease,
  groupLimitInWords,
  groupReleases,
  kindOf,
  limitInWords,
  type Measured,
  mechanismFor,
  momentOf,
  quantileName,
  type Release,
  rankErrorInWords,
  unitInWords,
  wholeCount,
} from "winnow-release";
import { barOf, type Column, decimal, table, tableOrList } from "./table.js";
import type { Style } from "./terminal.js";

const WIDEST_BAR = 40;
const NARROWEST_BAR = 8;
const LONGEST_NAME = 48;

/** Labels by item. */
type Labels = ReadonlyMap<string, string>;

/** Ends with a newline. `before` is the release before it about the same question: then it says what changed. */
export function releaseTable(release: Release, style: Style, labels?: Labels, before?: Release): string {
  const { answer, question } = release;
  const groups = groupReleases(release);
  const body = groups === undefined ? bodyOf(release, style, labels) : groupBodies(groups, style, labels);
  const order = answer.released && !answer.ordered ? ["", `  ${style.faint(UNORDERED)}`] : [];
  const remarks = answer.released ? remarksOn(release) : [];
  return [
    "",
    ...body,
    ...order,
    ...(before === undefined
      ? []
      : [
          "",
          `  Since ${momentOf(before)}`,
          ...changeLines(before, release, style),
          `  ${style.faint(CHANGES_NOTE)}`,
        ]),
    ...remarks.flatMap((remark) => ["", `  ${style.faint(remark)}`]),
    ...release.notes.flatMap((note) => ["", `  ${style.faint(forTerminal(note, 300))}`]),
    "",
    `  ${style.strong(release.loss.readable)}${style.faint(`  ${forTerminal(unitInWords(question), 200)}`)}`,
    ...chargeLine(release).map((line) => `  ${style.faint(line)}`),
    ...provenance(release).map((line) => `  ${style.faint(line)}`),
    "",
  ].join("\n");
}

function bodyOf(release: Release, style: Style, labels: Labels | undefined): string[] {
  return release.answer.released ? rowsOf(release, style, labels) : [`  ${style.strong(nothing(release))}`];
}

/** As many groups as someone reads. */
const MOST_CHANGED_GROUPS = 12;

/** What changed since an earlier release, from the two published answers. */
export function changeLines(before: Release, release: Release, style: Style): string[] {
  const lists = changesOf(before, release);
  const named = (name: string) => forTerminal(name, LONGEST_NAME);
  const lines = lists.slice(0, MOST_CHANGED_GROUPS).flatMap(({ label, changes }) => {
    const said = changesInWords(changes, named);
    if (label !== undefined) {
      const what = said.map(([what, who]) => `${what} ${who}`).join(" · ");
      return [`    ${style.strong(named(label))}  ${what === "" ? "nothing to compare" : what}`];
    }
    return said.map(([what, who]) => `    ${style.faint(what.padEnd("as before".length))}  ${who}`);
  });
  const rest = lists.length - MOST_CHANGED_GROUPS;
  return [
    ...(lines.length === 0 ? ["    nothing to compare"] : lines),
    ...(rest > 0 ? [`    ${style.faint(`and ${rest} more ${rest === 1 ? "group" : "groups"}`)}`] : []),
  ];
}

/** As many tables as someone reads; files have all of them. */
const MOST_TABLES = 50;

/** One table a group, each under the name of its group. */
function groupBodies(
  groups: readonly GroupRelease<Release>[],
  style: Style,
  labels: Labels | undefined,
): string[] {
  const shown = groups
    .slice(0, MOST_TABLES)
    .flatMap(({ label, release }, i) => [
      ...(i === 0 ? [] : [""]),
      `  ${style.strong(forTerminal(label, LONGEST_NAME))}`,
      ...(release.answer.released ? rowsOf(release, style, labels) : [`  ${style.faint(NOTHING)}`]),
    ]);
  const rest = groups.length - Math.min(groups.length, MOST_TABLES);
  const more =
    rest === 0
      ? []
      : ["", `  ${style.faint(`and ${decimal(rest)} more groups: --csv and --json have all of them.`)}`];
  const none = groups.length === 0 ? [`  ${style.strong(NO_GROUPS)}`] : [];
  return [...none, ...shown, ...more];
}

const NOTHING = "Nothing can be released: this is the answer, and it was charged.";
const NO_GROUPS =
  "No group has so many people that naming it would be safe. This is the answer, and it was charged.";

/** What a reader should know about the numbers, and why the list is short. */
function remarksOn(release: Release): string[] {
  const { question } = release;
  const isQuantile = kindOf(question).shape === "values";
  const { groups } = question;
  const limit = question.counts || question.resolution !== undefined ? limitInWords(question) : undefined;
  const who = groups === undefined || limit !== undefined ? "" : groupLimitInWords(groups);
  return [who, isQuantile ? `Quantiles of ${countedInWords(question)}` : "", limit ?? "", endInWords(release)]
    .filter((remark) => remark !== "")
    .map(asSentence);
}

function nothing({ question }: Release): string {
  const why =
    mechanismFor(question).words.whyNone?.short ??
    `no item has enough ${countedInWords(question)} to be named safely`;
  return `Nothing can be released: ${why}. This is the answer, and it was charged.`;
}

/** The loss that the account counts, if it is less than the release promises. */
function chargeLine({ charge }: Release): string[] {
  if (charge === undefined) return [];
  const { reserved, settled } = charge;
  return [`reserved ${reserved.readable} · counted towards the budget ${settled.readable}`];
}

const UNORDERED = "Sorted by name: the order says nothing about the counts.";

/** The data set, the mechanism and the software; where the release is recorded. */
function provenance({ dataset, id, software, ledger, mechanism }: Release): string[] {
  const place = ledger === undefined ? "" : ` · no. ${ledger.sequence} of its ledger`;
  return [
    `${forTerminal(dataset)} · ${mechanism.name} · ${software.name} ${software.version}`,
    `release ${forTerminal(id)}${place}`,
  ];
}

function rowsOf(release: Release, style: Style, labels: Labels | undefined): string[] {
  const { shape } = kindOf(release.question);
  if (shape === "frequencies") return frequenciesOf(release, style);
  return shape === "values" ? quantilesOf(release, style) : winnersOf(release, style, labels);
}

const MOST_FREQUENCIES = 24;

/** How many items have how many people, most people first; a file has the whole list. */
function frequenciesOf({ answer, question }: Release, style: Style): string[] {
  const { frequencies = [] } = answer;
  const rows = frequencies.slice(0, MOST_FREQUENCIES).map(({ users, items }) => ({
    users: style.strong(decimal(users)),
    items: decimal(items),
  }));
  const rest = frequencies.length - rows.length;
  const columns: Column[] = [
    { name: "users", title: countedShort(question), alignment: "right" },
    { name: "items", title: "items that have so many", alignment: "right" },
  ];
  return [
    ...table(rows, columns).split("\n"),
    ...(rest > 0
      ? [`  ${style.faint(`and ${decimal(rest)} more rows: --csv and --json have all of them.`)}`]
      : []),
    "",
    `  ${style.faint(`In total ${frequenciesInWords({ question, answer })}.`)}`,
  ];
}

/** Values, and the errors of their ranks. */
function quantilesOf(release: Release, style: Style): string[] {
  const rows = answerRows(release).map(({ quantile = "0", item, rankError }) => ({
    quantile: quantileName(quantile),
    value: style.strong(number(item)),
    error: style.faint(rankError === undefined ? "" : `± ${rankErrorInWords(rankError)}`),
  }));
  const columns: Column[] = [
    { name: "quantile", title: "quantile" },
    {
      name: "value",
      title: `${forTerminal(release.source.item, LONGEST_NAME)} (${countedShort(release.question)})`,
      alignment: "right",
    },
    { name: "error", title: "95 % within", alignment: "right" },
  ];
  return tableOrList(rows, columns, style).split("\n");
}

function winnersOf(release: Release, style: Style, labels: Labels | undefined): string[] {
  const { answer, source, question } = release;
  const rows = answerRows(release).map(({ rank, item, gap, count }) => ({
    rank: String(rank),
    item: forTerminal(item, LONGEST_NAME),
    label: forTerminal(labels?.get(item) ?? "", LONGEST_NAME),
    count: count === undefined ? "" : number(wholeCount(count.value)),
    near: interval(count),
    gap: gap === undefined ? "" : number(gap.value),
    likely: interval(gap),
    size: rational(count?.value ?? gap?.value ?? 0n).toNumber(),
  }));
  const numbers = numberColumns(question).filter(({ name }) => rows.some((row) => row[name] !== ""));
  const named: Column[] = [
    ...(answer.ordered ? [{ name: "rank", title: "rank", alignment: "right" } as const] : []),
    { name: "item", title: forTerminal(source.item, LONGEST_NAME) },
    ...(labels === undefined ? [] : [{ name: "label", title: "label" }]),
  ];
  const columns = fitting(rows, named, numbers, style);
  const room = Math.min(WIDEST_BAR, style.columns - widthOf(rows, columns) - SPACE);
  const hasBars = numbers.length > 0 && style.isTerminal && room >= NARROWEST_BAR;
  const widest = rows.reduce((most, { size }) => Math.max(most, size), 0);
  const painted = rows.map(({ size, ...row }) => ({
    ...row,
    item: style.strong(row.item),
    near: style.faint(row.near),
    likely: style.faint(row.likely),
    bar: widest === 0 ? "" : style.accent(barOf(size / widest, room)),
  }));
  return table(painted, hasBars ? [...columns, { name: "bar", title: "" }] : columns).split("\n");
}

/** The numbers with their intervals; on a narrow terminal, the first number only. */
function fitting(
  rows: readonly Readonly<Record<string, unknown>>[],
  named: readonly Column[],
  numbers: readonly Column[],
  style: Style,
): readonly Column[] {
  const all = [...named, ...numbers];
  return style.isTerminal && widthOf(rows, all) > style.columns ? [...named, ...numbers.slice(0, 1)] : all;
}

function interval(measured: Partial<Measured> | undefined): string {
  const { low, high } = measured ?? {};
  return low === undefined || high === undefined ? "" : `${number(low)} – ${number(high)}`;
}

/** Between two columns. */
const SPACE = 3;

/** The width of the table. */
function widthOf(rows: readonly Readonly<Record<string, unknown>>[], columns: readonly Column[]): number {
  const widths = columns.map(({ name, title }) =>
    rows.reduce((most, row) => Math.max(most, String(row[name]).length), title.length),
  );
  return widths.reduce((sum, width) => sum + width + SPACE, 0);
}

type NumberColumn = Column & { readonly name: "count" | "near" | "gap" | "likely" };

function numberColumns(question: Release["question"]): readonly NumberColumn[] {
  const users = countedShort(question);
  return [
    { name: "count", title: users, alignment: "right" },
    { name: "near", title: "95 % within", alignment: "right" },
    { name: "gap", title: users === "users" ? "leads by" : `leads by ${users}`, alignment: "right" },
    { name: "likely", title: "90 % within", alignment: "right" },
  ];
}

/** An exact number in readable form. */
function number(text: string): string {
  return decimal(rational(text).toNumber());
}
