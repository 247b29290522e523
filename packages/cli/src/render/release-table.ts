/**
 * A release as people read it: the winners, by how much each leads the next, and what that cost. With bars on a terminal,
 * plain in a pipe. Names come from strangers and are neutralised here.
 * @module
 */
import { rational } from "winnow-dp";
import { answerRows, forTerminal, type Release } from "winnow-release";
import { barOf, type Column, decimal, table } from "./table.js";
import type { Style } from "./terminal.js";

const WIDEST_BAR = 40;
const NARROWEST_BAR = 8;
const LONGEST_NAME = 48;

/** What items are called, by item. */
type Labels = ReadonlyMap<string, string>;

/** Ends with a newline. */
export function releaseTable(release: Release, style: Style, labels?: Labels): string {
  const { answer, question } = release;
  const body = answer.released ? winnersOf(release, style, labels) : [`  ${style.strong(NOTHING)}`];
  const order = answer.released && !answer.ordered ? ["", `  ${style.faint(UNORDERED)}`] : [];
  const fewer = answer.released && question.kind === "top" && answer.winners.length < question.k;
  return [
    "",
    ...body,
    ...order,
    ...(fewer
      ? [`  ${style.faint(`${answer.winners.length} of ${question.k}: no larger set is stable.`)}`]
      : []),
    "",
    `  ${style.strong(release.loss.readable)}${style.faint(`  for ${forTerminal(question.unit, 200)}, ${NEIGHBOURS[question.neighbours]}`)}`,
    ...provenance(release).map((line) => `  ${style.faint(line)}`),
    "",
  ].join("\n");
}

const NOTHING =
  "Nothing can be released: no set of items is stable enough. This is the answer, and it was charged.";
const UNORDERED = "By name: the order says nothing about the counts.";
const NEIGHBOURS = { "add-remove": "there or not", replace: "replaced by any other" } as const;

/** What it is about and how it was made; where it is recorded. */
function provenance({ dataset, id, software, ledger, mechanism }: Release): string[] {
  const place = ledger === undefined ? "" : ` · no. ${ledger.sequence} of its ledger`;
  return [
    `${forTerminal(dataset)} · ${mechanism.name} · ${software.name} ${software.version}`,
    `release ${forTerminal(id)}${place}`,
  ];
}

function winnersOf(release: Release, style: Style, labels: Labels | undefined): string[] {
  const { answer, source } = release;
  const rows = answerRows(release).map(({ rank, item, gap }) => ({
    rank: String(rank),
    item: forTerminal(item, LONGEST_NAME),
    label: forTerminal(labels?.get(item) ?? "", LONGEST_NAME),
    gap: gap === undefined ? "" : number(gap.value),
    likely: gap === undefined ? "" : `${number(gap.low)} – ${number(gap.high)}`,
    size: gap === undefined ? 0 : rational(gap.value).toNumber(),
  }));
  const hasGaps = rows.some(({ gap }) => gap !== "");
  const named: Column[] = [
    ...(answer.ordered ? [{ name: "rank", title: "rank", alignment: "right" } as const] : []),
    { name: "item", title: forTerminal(source.item, LONGEST_NAME) },
    ...(labels === undefined ? [] : [{ name: "label", title: "label" }]),
  ];
  const columns = hasGaps ? fitting(rows, named, style) : named;
  const room = Math.min(WIDEST_BAR, style.columns - widthOf(rows, columns) - SPACE);
  const hasBars = hasGaps && style.isTerminal && room >= NARROWEST_BAR;
  const widest = rows.reduce((most, { size }) => Math.max(most, size), 0);
  const painted = rows.map(({ size, ...row }) => ({
    ...row,
    item: style.strong(row.item),
    likely: style.faint(row.likely),
    bar: widest === 0 ? "" : style.accent(barOf(size / widest, room)),
  }));
  return table(painted, hasBars ? [...columns, { name: "bar", title: "" }] : columns).split("\n");
}

/** The gaps and where they likely are; on a terminal that is too narrow for both, the gaps. */
function fitting(
  rows: readonly Readonly<Record<string, unknown>>[],
  named: readonly Column[],
  style: Style,
): readonly Column[] {
  const all = [...named, ...GAP_COLUMNS];
  return style.isTerminal && widthOf(rows, all) > style.columns ? all.slice(0, -1) : all;
}

/** Between two columns. */
const SPACE = 3;

/** How wide the table will be. */
function widthOf(rows: readonly Readonly<Record<string, unknown>>[], columns: readonly Column[]): number {
  const widths = columns.map(({ name, title }) =>
    rows.reduce((most, row) => Math.max(most, String(row[name]).length), title.length),
  );
  return widths.reduce((sum, width) => sum + width + SPACE, 0);
}

const GAP_COLUMNS: readonly Column[] = [
  { name: "gap", title: "leads by", alignment: "right" },
  { name: "likely", title: "90 % within", alignment: "right" },
];

/** An exact number for people. */
function number(text: string): string {
  return decimal(rational(text).toNumber());
}
