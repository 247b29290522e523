/**
 * A plan as a table: for each mechanism and ε the share of the true winners that is named, with a bar on a terminal, and how
 * far released gaps are off. Estimates come with two standard errors.
 * @module
 */
import { type EpsilonForRecall, type Estimate, type PlanRow, visible } from "winnow-release";
import { barOf, type Column, decimal, percent, table } from "../render/table.js";
import type { Style } from "../render/terminal.js";
import type { PlanRequest } from "./plan-request.js";
import { candidatesInWords, curvesOf } from "./simulate-plan.js";

const WIDEST_BAR = 30;
const NARROWEST_BAR = 6;
/** What the other columns take. */
const TEXT_WIDTH = 84;

export function planTable(rows: readonly PlanRow[], request: PlanRequest, style: Style): string {
  const room = Math.min(WIDEST_BAR, style.columns - TEXT_WIDTH);
  const cells = grouped(rows).map(({ mechanism, epsilon, question, utility }) => ({
    mechanism,
    candidates: candidatesInWords(question),
    epsilon,
    recall: percent(utility.recall.mean),
    error: uncertainty(utility.recall),
    bar: style.accent(barOf(utility.recall.mean, room)),
    gaps: utility.gapError === undefined ? "" : decimal(utility.gapError.mean, 1),
  }));
  const columns: Column[] = [
    { name: "mechanism", title: "mechanism" },
    { name: "candidates", title: "candidates" },
    { name: "epsilon", title: request.symbol, alignment: "right" },
    { name: "recall", title: "recall", alignment: "right" },
    { name: "error", title: "", alignment: "right" },
    ...(cells.some(({ gaps }) => gaps !== "")
      ? [{ name: "gaps", title: "lead off by", alignment: "right" } as const]
      : []),
    ...(style.isTerminal && room >= NARROWEST_BAR ? [{ name: "bar", title: "" }] : []),
  ];
  return framed(table(withoutRepeats(cells), columns), request, rows[0].utility.runs, style);
}

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

function framed(body: string, { origin, counts, inputs }: PlanRequest, runs: number, style: Style): string {
  const about = [
    `Top ${inputs[0].k} of ${counts.length.toLocaleString("en")} on ${visible(origin)}.`,
    `${runs} exact simulations each, ± two standard errors.`,
  ];
  return `\n${body}\n\n${about.map((line) => `  ${style.faint(line)}\n`).join("")}`;
}

/** By mechanism, then as they came. */
function grouped(rows: readonly PlanRow[]): PlanRow[] {
  return curvesOf(rows).flatMap(({ points }) => points);
}

/** A name is shown where it changes. */
function withoutRepeats<T extends { mechanism: string; candidates: string }>(rows: readonly T[]): T[] {
  return rows.map((row, i) => {
    const before = rows[i - 1];
    const isRepeat = before?.mechanism === row.mechanism && before.candidates === row.candidates;
    return isRepeat ? { ...row, mechanism: "", candidates: "" } : row;
  });
}

/** Two standard errors: right 95 times out of 100. Where no run differs from another, the runs do not tell how far off they are. */
function uncertainty({ standardError }: Estimate): string {
  return standardError === 0 ? "in all runs" : `± ${percent(2 * standardError)}`;
}
