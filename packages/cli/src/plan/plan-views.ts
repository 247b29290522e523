/**
 * A plan to look at: as a table, grouped by mechanism. `planChart` of winnow-release draws the picture.
 *
 * For each mechanism and ε the table shows the share of the true winners that are named, with a bar on a terminal; the number
 * of names where there can be fewer; how often there are none; the errors of released leads and counts; and the counted
 * share of the price where only used rounds are charged. Estimates come with two standard errors.
 * @module
 */
import {
  asSentence,
  candidatesInWords,
  curvesOf,
  type EpsilonForRecall,
  type Estimate,
  kindOf,
  mechanismFor,
  type PlanRow,
  percent,
  visible,
} from "winnow-release";
import { barOf, type Column, decimal, table } from "../render/table.js";
import type { Style } from "../render/terminal.js";
import type { PlanRequest } from "./plan-request.js";

const WIDEST_BAR = 30;
const NARROWEST_BAR = 6;
/** The width of the other columns. */
const TEXT_WIDTH = 96;

export function planTable(rows: readonly PlanRow[], request: PlanRequest, style: Style): string {
  const room = Math.min(WIDEST_BAR, style.columns - TEXT_WIDTH);
  const cells = grouped(rows).map(({ mechanism, epsilon, question, utility }) => ({
    mechanism,
    candidates: candidatesInWords(question),
    epsilon,
    recall: percent(utility.recall.mean),
    error: uncertainty(utility.recall),
    bar: style.accent(barOf(utility.recall.mean, room)),
    names: question.domain.kind === "unknown" ? decimal(utility.winners.mean, 1) : "",
    nothing: question.domain.kind === "unknown" ? percent(1 - utility.released.mean) : "",
    gaps: utility.gapError === undefined ? "" : decimal(utility.gapError.mean, 1),
    counts: utility.countError === undefined ? "" : decimal(utility.countError.mean, 1),
    charged: utility.charged === undefined ? "" : percent(utility.charged.mean),
  }));
  const isShown = (name: keyof (typeof cells)[number]) => cells.some((row) => row[name] !== "");
  const columns: Column[] = [
    { name: "mechanism", title: "mechanism" },
    { name: "candidates", title: "candidates" },
    { name: "epsilon", title: request.symbol, alignment: "right" },
    { name: "recall", title: "recall", alignment: "right" },
    { name: "error", title: "", alignment: "right" },
    ...OPTIONAL_COLUMNS.filter(({ name }) => isShown(name)),
    ...(style.isTerminal && room >= NARROWEST_BAR ? [{ name: "bar", title: "" }] : []),
  ];
  const body = table(withoutRepeats(cells), columns);
  return framed(body, request, rows[0].utility.runs, style, [
    ...(isShown("charged") ? COUNTED : []),
    ...caveatsOf(rows),
  ]);
}

const OPTIONAL_COLUMNS = [
  { name: "names", title: "names", alignment: "right" },
  { name: "nothing", title: "none at all", alignment: "right" },
  { name: "gaps", title: "lead off by", alignment: "right" },
  { name: "counts", title: "count off by", alignment: "right" },
  { name: "charged", title: "counted", alignment: "right" },
] as const satisfies readonly Column[];

export function goalTable(
  rows: readonly EpsilonForRecall[],
  goal: number,
  request: PlanRequest,
  style: Style,
): string {
  const cells = rows.map(({ epsilon, recall, question }) => ({
    mechanism: question.mechanism,
    candidates: candidatesInWords(question),
    epsilon: epsilon === undefined ? "more than 100" : style.strong(epsilon),
    recall: percent(recall.mean),
    error: uncertainty(recall),
  }));
  const columns: Column[] = [
    { name: "mechanism", title: "mechanism" },
    { name: "candidates", title: "candidates" },
    { name: "epsilon", title: `ε for a recall of ${goal}`, alignment: "right" },
    { name: "recall", title: "recall", alignment: "right" },
    { name: "error", title: "", alignment: "right" },
  ];
  return framed(table(cells, columns), request, rows[0].runs, style);
}

/** What everyone must know about a mechanism of the plan. */
function caveatsOf(rows: readonly PlanRow[]): string[] {
  const names = [...new Set(rows.map(({ mechanism }) => mechanism))];
  return names.flatMap((mechanism) => {
    const { caveat } = mechanismFor({ mechanism }).words;
    return caveat === undefined ? [] : [`${mechanism}: ${caveat}`];
  });
}

const COUNTED = [
  "counted: the share of the price that counts towards a budget, on average; never more than all of it.",
];

function framed(
  body: string,
  request: PlanRequest,
  runs: number,
  style: Style,
  more: readonly string[] = [],
): string {
  const { origin, counts, inputs, note } = request;
  const [{ kind, k = 0 }] = inputs;
  const asked = asSentence(kindOf({ kind }).asked(k)).slice(0, -1);
  const about = [
    `${asked} of ${counts.length.toLocaleString("en")} on ${visible(origin)}.`,
    `${runs} exact simulations each, ± two standard errors.`,
    ...more,
    ...(note === undefined ? [] : [note]),
  ];
  return `\n${body}\n\n${about.map((line) => `  ${style.faint(line)}\n`).join("")}`;
}

/** By mechanism, then in the given order. */
function grouped(rows: readonly PlanRow[]): PlanRow[] {
  return curvesOf(rows).flatMap(({ points }) => points);
}

/** A name is shown only where it changes. */
function withoutRepeats<T extends { mechanism: string; candidates: string }>(rows: readonly T[]): T[] {
  return rows.map((row, i) => {
    const before = rows[i - 1];
    const isRepeat = before?.mechanism === row.mechanism && before.candidates === row.candidates;
    return isRepeat ? { ...row, mechanism: "", candidates: "" } : row;
  });
}

/** Two standard errors: right 95 times out of 100. If all runs agree, they don't show how large the error is. */
function uncertainty({ standardError }: Estimate): string {
  return standardError === 0 ? "in all runs" : `± ${percent(2 * standardError)}`;
}
