/**
 * The middle of a picture whose answer is numbers. Quantiles: a line for each, with a dot at its value and, beside its name, how
 * far its rank can be off; together the dots are the curve of the distribution. The axis spans the released values, which are
 * public, so it says no more than they do. Frequencies: people over the rank of the item, both in powers of ten, where many real
 * lists are nearly straight.
 * @module
 */
import { rational } from "winnow-dp";
import type { NewRelease, Release } from "../document/release-document.js";
import { quantileName, rankErrorInWords } from "../kinds/quantile.js";
import type { Frequency } from "../question/answer.js";
import { countedInWords, NOUNS, type Nouns } from "../question/labels.js";
import { type AnswerRow, answerRows } from "./answer-rows.js";
import type { PictureOptions } from "./picture.js";
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

export function quantileBody(
  release: Release | NewRelease,
  layout: Layout,
  { nouns }: PictureOptions = {},
): Drawing {
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
  const words = noteElement(noteOn(release, nouns), height + AXIS + more.height + 14, layout);
  return {
    content: content.join("") + more.content + words.content,
    height: height + AXIS + more.height + words.height,
  };
}

function noteOn({ question }: Release | NewRelease, nouns: Nouns | undefined): string {
  return `Quantiles of ${countedInWords(question, nouns)}. ± is how far the rank of a value can be from the exact one, 95 times out of 100 for all of them at once; how many values there are is private.`;
}

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
  const { margin, isStacked, row: height, width, right } = layout;
  const middle = isStacked ? y + 33 : y + height / 2;
  const baseline = isStacked ? y + 18 : middle + 5;
  const name = quantileName(row.quantile ?? "0");
  const error = row.rankError === undefined ? "" : `± ${rankErrorInWords(row.rankError, "short")}`;
  return (
    `<path class="grid" d="M${axis.start} ${middle}H${right}"/>` +
    `<circle class="bar" cx="${axis.x(value)}" cy="${middle}" r="${DOT}"/>` +
    textElement(name, { x: margin, y: baseline, look: "name" }) +
    textElement(error, { x: axis.start - (isStacked ? -110 : 16), y: baseline, look: "small quiet end" }) +
    textElement(shortNumber(value), { x: width - margin, y: baseline, look: "end" })
  );
}

const PLOT_HEIGHT = 300;

export function frequencyBody(
  { answer, question }: Release | NewRelease,
  layout: Layout,
  { nouns = NOUNS }: PictureOptions = {},
): Drawing {
  const { frequencies = [] } = answer;
  const { margin, right } = layout;
  const left = margin + 52;
  const items = frequencies.reduce((sum, run) => sum + run.items, 0);
  const across = decades(items);
  const up = decades(frequencies[0]?.users ?? 1);
  const x = (rank: number) => round(left + (Math.log10(rank) / across) * (right - left));
  const y = (users: number) => round(PLOT_HEIGHT - (Math.log10(users) / up) * PLOT_HEIGHT);
  const powers = (count: number) => Array.from({ length: count + 1 }, (_, i) => 10 ** i);
  const bottom = PLOT_HEIGHT + 18;
  const content = [
    ...powers(across).map((rank) => `<path class="grid" d="M${x(rank)} 0V${PLOT_HEIGHT}"/>`),
    ...powers(up).map((users) => `<path class="grid" d="M${left} ${y(users)}H${right}"/>`),
    ...powers(across).map((rank) =>
      textElement(shortNumber(rank), { x: x(rank), y: bottom, look: "small quiet middle" }),
    ),
    ...powers(up).map((users) =>
      textElement(shortNumber(users), { x: left - 8, y: y(users) + 4, look: "small quiet end" }),
    ),
    `<path class="whisker" d="${stepsOf(frequencies, x, y)}"/>`,
  ];
  const words = noteElement(
    frequencyNote(countedInWords(question, nouns), nouns.items[1]),
    bottom + 24,
    layout,
  );
  return {
    content: `<g transform="translate(0 12)">${content.join("")}${words.content}</g>`,
    height: bottom + 22 + words.height,
  };
}

function frequencyNote(counted: string, items: string): string {
  return `Up: ${counted}, noise included. To the right: ${items}, from the one with the largest number on. Both in powers of ten.`;
}

/** How many powers of ten reach a number. */
function decades(most: number): number {
  let count = 1;
  while (10 ** count < most) count++;
  return count;
}

/** From run to run: level, then down. */
function stepsOf(
  frequencies: readonly Frequency[],
  x: (rank: number) => number,
  y: (users: number) => number,
): string {
  let rank = 1;
  const steps = frequencies.map(({ users, items }, i) => {
    const from = i === 0 ? `M${x(rank)} ${y(users)}` : `V${y(users)}`;
    rank += items;
    // A little past the last item of the run, so that a single one can be seen.
    return `${from}H${x(rank - 0.75)}`;
  });
  return steps.join("");
}
