/**
 * A release as people read it: the winners, by how much each leads the next, and what that cost. With bars on a terminal,
 * plain in a pipe. Names come from strangers and are neutralised here.
 * @module
 */
import { rational } from "winnow-dp";
import { forTerminal, type Release } from "winnow-release";
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
    `  ${style.faint(provenance(release))}`,
    "",
  ].join("\n");
}

const NOTHING =
  "Nothing can be released: no set of items is stable enough. This is the answer, and it was charged.";
const UNORDERED = "By name: the order says nothing about the counts.";
const NEIGHBOURS = { "add-remove": "there or not", replace: "replaced by any other" } as const;

function provenance({ dataset, id, software, ledger, mechanism }: Release): string {
  const place = ledger === undefined ? [] : [`no. ${ledger.sequence} of its ledger`];
  return [
    forTerminal(dataset),
    mechanism.name,
    `release ${forTerminal(id)}`,
    ...place,
    `${software.name} ${software.version}`,
  ].join(" · ");
}

function winnersOf({ answer, source }: Release, style: Style): string[] {
  const names = answer.winners.map(({ item }) => forTerminal(item, LONGEST_NAME));
  const gaps = answer.winners.map(({ gap }) => (gap === undefined ? undefined : rational(gap)));
  const widest = gaps.reduce((most, gap) => Math.max(most, gap?.toNumber() ?? 0), 0);
  const room = barRoom(names, style.columns);
  const hasGaps = gaps.some((gap) => gap !== undefined);
  const rows = names.map((name, place) => ({
    rank: String(place + 1),
    item: style.strong(name),
    gap: gaps[place] === undefined ? "" : decimal(gaps[place].toNumber()),
    bar: widest === 0 ? "" : style.accent(barOf((gaps[place]?.toNumber() ?? 0) / widest, room)),
  }));
  const columns: Column[] = [
    ...(answer.ordered ? [{ name: "rank", title: "rank", alignment: "right" } as const] : []),
    { name: "item", title: forTerminal(source.item, LONGEST_NAME) },
    ...(hasGaps ? [{ name: "gap", title: "leads by", alignment: "right" } as const] : []),
    ...(hasGaps && style.isTerminal ? [{ name: "bar", title: "" }] : []),
  ];
  return table(rows, columns).split("\n");
}

/** What is left of the line beside rank, name and number. */
function barRoom(names: readonly string[], columns: number): number {
  const longest = names.reduce((most, name) => Math.max(most, name.length), 0);
  return Math.max(NARROWEST_BAR, Math.min(WIDEST_BAR, columns - longest - 32));
}

function decimal(number: number): string {
  return number.toLocaleString("en", { maximumFractionDigits: 6 });
}
