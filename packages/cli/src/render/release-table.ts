/**
 * A release as people read it: the winners, by how much each leads the next, and what that cost. With bars on a terminal,
 * plain in a pipe. Names come from strangers and are neutralised here.
 * @module
 */
import { rational } from "winnow-dp";
import { forTerminal, gapRows, type Release } from "winnow-release";
import { decimal } from "./numbers.js";
import type { Style } from "./style.js";
import { barOf, type Column, table } from "./table.js";

const WIDEST_BAR = 40;
const NARROWEST_BAR = 8;
const LONGEST_NAME = 48;

/** Ends with a newline. */
export function releaseTable(release: Release, style: Style): string {
  const { answer, question } = release;
  const body = answer.released ? winnersOf(release, style) : [`  ${style.strong(NOTHING)}`];
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

function winnersOf(release: Release, style: Style): string[] {
  const { answer, source } = release;
  const winners = gapRows(release);
  const names = winners.map(({ item }) => forTerminal(item, LONGEST_NAME));
  const sizes = winners.map(({ gap }) => (gap === undefined ? 0 : rational(gap.value).toNumber()));
  const widest = sizes.reduce((most, size) => Math.max(most, size), 0);
  const room = barRoom(names, style.columns);
  const rows = winners.map(({ rank, gap }, place) => ({
    rank: String(rank),
    item: style.strong(names[place]),
    gap: gap === undefined ? "" : number(gap.value),
    likely: gap === undefined ? "" : style.faint(`${number(gap.low)} – ${number(gap.high)}`),
    bar: widest === 0 ? "" : style.accent(barOf(sizes[place] / widest, room)),
  }));
  const hasGaps = winners.some(({ gap }) => gap !== undefined);
  const columns: Column[] = [
    ...(answer.ordered ? [{ name: "rank", title: "rank", alignment: "right" } as const] : []),
    { name: "item", title: forTerminal(source.item, LONGEST_NAME) },
    ...(hasGaps ? GAP_COLUMNS : []),
    ...(hasGaps && style.isTerminal ? [{ name: "bar", title: "" }] : []),
  ];
  return table(rows, columns).split("\n");
}

const GAP_COLUMNS: readonly Column[] = [
  { name: "gap", title: "leads by", alignment: "right" },
  { name: "likely", title: "90 % within", alignment: "right" },
];

/** An exact number for people. */
function number(text: string): string {
  return decimal(rational(text).toNumber());
}

/** What is left of the line beside rank, name and number. */
function barRoom(names: readonly string[], columns: number): number {
  const longest = names.reduce((most, name) => Math.max(most, name.length), 0);
  return Math.max(NARROWEST_BAR, Math.min(WIDEST_BAR, columns - longest - 48));
}
