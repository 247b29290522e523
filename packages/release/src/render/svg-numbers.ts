/**
 * The middle of a picture whose answer is numbers. Quantiles: a line for each, with a dot at its value and, beside its name, how
 * far its rank can be off; together the dots are the curve of the distribution. The axis spans the released values, which are
 * public, so it says no more than they do.
 * @module
 */
import { rational } from "winnow-dp";
import type { NewRelease, Release } from "../document/release-document.js";
import { type AnswerRow, answerRows } from "./answer-rows.js";
import { quantileName, rankErrorInWords } from "./in-words.js";
import {
  AXIS,
  type Drawing,
  type Layout,
  MOST_ROWS,
  moreElement,
  niceScale,
  noteElement,
  round,
  shortNumber,
  textElement,
} from "./svg-bodies.js";

const DOT = 6;
/** Room for the longest value at the right. */
const VALUE_WIDTH = 12;

export function quantileBody(release: Release | NewRelease, layout: Layout): Drawing {
  const all = answerRows(release);
  const rows = all.slice(0, MOST_ROWS);
  const values = rows.map(({ item }) => rational(item).toNumber());
  const axis = axisOf(Math.min(...values), Math.max(...values), layout);
  const height = rows.length * layout.row;
  const content = [
    ...axis.ticks.map((tick) => `<path class="grid" d="M${axis.x(tick)} 0V${height}"/>`),
    ...axis.ticks.map((tick) =>
      textElement(shortNumber(tick), { x: axis.x(tick), y: height + 18, look: "small quiet middle" }),
    ),
    ...rows.map((row, i) => quantileRow(row, values[i], { y: i * layout.row, axis, layout })),
  ];
  const more = moreElement(all.length - rows.length, height + AXIS + 14, layout);
  const words = noteElement(NOTE, height + AXIS + more.height + 14, layout);
  return {
    content: content.join("") + more.content + words.content,
    height: height + AXIS + more.height + words.height,
  };
}

const NOTE =
  "± is how far the rank of a value can be from the exact one, 95 times out of 100 for all of them at once; how many values there are is private.";

interface Axis {
  readonly ticks: readonly number[];
  readonly start: number;
  readonly x: (value: number) => number;
}

/** Over all values, from one round number to another. */
function axisOf(least: number, most: number, { left, right, isStacked }: Layout): Axis {
  const span = most > least ? most - least : Math.max(Math.abs(most), 1);
  const { step } = niceScale(span, isStacked ? 4 : 6);
  const first = Math.floor(least / step);
  const last = Math.max(Math.ceil(most / step), first + 1);
  const x = (value: number) =>
    round(left + ((value / step - first) / (last - first)) * (right - left - VALUE_WIDTH));
  return { ticks: Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step), start: left, x };
}

interface RowPlace {
  readonly y: number;
  readonly axis: Axis;
  readonly layout: Layout;
}

function quantileRow(row: AnswerRow, value: number, { y, axis, layout }: RowPlace): string {
  const { margin, isStacked, row: height, width } = layout;
  const middle = isStacked ? y + 33 : y + height / 2;
  const baseline = isStacked ? y + 18 : middle + 5;
  const name = quantileName(row.quantile ?? "0");
  const error = row.rankError === undefined ? "" : `± ${rankErrorInWords(row.rankError, "short")}`;
  return (
    `<path class="grid" d="M${axis.start} ${middle}H${axis.x(value)}"/>` +
    `<circle class="bar" cx="${axis.x(value)}" cy="${middle}" r="${DOT}"/>` +
    textElement(name, { x: margin, y: baseline, look: "name" }) +
    textElement(error, { x: axis.start - (isStacked ? -110 : 16), y: baseline, look: "small quiet end" }) +
    textElement(shortNumber(value), { x: width - margin, y: baseline, look: "end" })
  );
}
