/**
 * The middle of a picture: bars of counts with their intervals; a staircase of leads; names in columns; or that nothing can
 * be released. Wide, or narrow for a phone, where a name stands above its bar.
 *
 * Leads alone say how far a winner is ahead of the next and not how popular it is, so they are drawn as a staircase over the
 * runner-up: a pale bar up to the next winner, a dark step as long as the lead, and a line over the interval of the lead.
 *
 * Text in SVG neither wraps nor shrinks, so widths are estimated: letters of most scripts are about half as wide as the
 * font size, those of East Asian scripts and pictographs as wide as it.
 * @module
 */
import { rational } from "winnow-dp";
import type { NewRelease, Release, ReleaseAnswer } from "../document/release-document.js";
import { countsIn, mechanismFor } from "../mechanisms/of-question.js";
import { countedInWords } from "../question/labels.js";
import type { Question } from "../question/question.js";
import { forXml, visible } from "../words/neutralise.js";
import { type AnswerRow, answerRows } from "./answer-rows.js";
import { intervalOf, intervalsInWords, type PictureOptions, shownCount } from "./picture.js";

/** Where things are. */
export interface Layout {
  readonly width: number;
  readonly margin: number;
  /** Where bars begin at most, and end. */
  readonly left: number;
  readonly right: number;
  readonly row: number;
  /** Whether names stand above their bars. */
  readonly isStacked: boolean;
  /** How many letters fit into a title, a line of small print, and a name beside a bar. */
  readonly titleLetters: number;
  readonly noteLetters: number;
  readonly nameLetters: number;
  /** How many letters fit into a name in one, two or three columns. */
  readonly columnLetters: readonly number[];
}

export const WIDE: Layout = {
  width: 720,
  margin: 28,
  left: 288,
  right: 636,
  row: 34,
  isStacked: false,
  titleLetters: 62,
  noteLetters: 108,
  nameLetters: 26,
  columnLetters: [72, 34, 22],
};

export const NARROW: Layout = {
  width: 400,
  margin: 20,
  left: 48,
  right: 380,
  row: 50,
  isStacked: true,
  titleLetters: 29,
  noteLetters: 58,
  nameLetters: 30,
  columnLetters: [36],
};

/** A part of the picture, drawn from its own top left corner. */
export interface Drawing {
  readonly content: string;
  readonly height: number;
}

export function bodyOf(release: Release | NewRelease, layout: Layout, picture: PictureOptions = {}): Drawing {
  const rows = answerRows(release).map((row) => ({
    ...row,
    item: picture.labels?.get(row.item) ?? row.item,
  }));
  const { question, answer } = release;
  if (rows.length === 0) return emptyAnswer(release, layout);
  if (question.counts) {
    const counts = rows.map((row) => ({
      ...row,
      start: 0,
      value: shownCount(row) ?? 0,
      ...intervalOf(row, picture),
    }));
    return bars(counts, answer, { layout, note: countsNote(release, picture), sign: "" });
  }
  if (question.resolution !== undefined)
    return bars(staircase(rows), answer, { layout, note: leadsNote(release, picture), sign: "+" });
  return nameList(rows, answer, layout);
}

/** What the axis counts, where that isn't simply users, and what the lines are. */
function countsNote(release: Release | NewRelease, picture: PictureOptions): string {
  const { question, answer } = release;
  const axis = axisNote(question, picture);
  const shown = countsIn(release);
  if (shown === undefined) return axis;
  const order = answer.ordered
    ? " Counts are fitted to the order of the list, whose noise is separate; the CSV has both forms."
    : "";
  const shared = shown.shared === undefined ? "" : " Errors of counts share a part.";
  return `${axis && `${axis} `}${intervalsInWords(picture)}, of the true numbers.${order}${shared}`;
}

function axisNote(question: Question, { nouns }: PictureOptions): string {
  return question.maxItemsPerUser === undefined ? "" : `To the right: ${countedInWords(question, nouns)}.`;
}

function leadsNote({ question, answer }: Release | NewRelease, picture: PictureOptions): string {
  const zero =
    question.domain.kind === "unknown" && answer.stopped === true
      ? "0 is where names stop being safe to publish."
      : "0 is the runner-up.";
  const axis = axisNote(question, picture);
  return `${axis && `${axis} `}${zero} Dark: the lead over the next. Line: its 90 % interval; it reaches further right because the next is the best of many noisy counts.`;
}

/** A bar from 0 with its own part from `start` on, and perhaps an interval of that part. */
interface BarRow {
  readonly rank: number;
  readonly item: string;
  readonly start: number;
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
}

function parsed(number: AnswerRow["count"]): Pick<BarRow, "value" | "low" | "high"> {
  const { value, low, high } = number ?? { value: "0" };
  return {
    value: rational(value).toNumber(),
    ...(low !== undefined && { low: rational(low).toNumber() }),
    ...(high !== undefined && { high: rational(high).toNumber() }),
  };
}

/** Each lead on top of all below it. */
function staircase(rows: readonly AnswerRow[]): BarRow[] {
  let start = 0;
  const steps = rows.toReversed().map(({ rank, item, gap }) => {
    const step = { rank, item, start, ...parsed(gap) };
    start += step.value;
    return step;
  });
  return steps.reverse();
}

const BAR = 16;
export const AXIS = 26;
const NOTE_LINE = 17;
export const MOST_ROWS = 50;
const SMALLEST_POWER = 1e-9;

interface BarOptions {
  readonly layout: Layout;
  readonly note: string;
  /** Before each number. */
  readonly sign: string;
}

function bars(all: readonly BarRow[], { ordered }: ReleaseAnswer, options: BarOptions): Drawing {
  const { layout, note } = options;
  const rows = all.slice(0, MOST_ROWS);
  const most = Math.max(...rows.map(({ start, value, high = value }) => start + high));
  const { step, end } = niceScale(most, layout.isStacked ? 4 : 6);
  const left = leftOf(rows, layout);
  const x = (value: number) => round(left + (Math.max(0, value) / end) * (layout.right - left));
  const height = rows.length * layout.row;
  const ticks = Array.from({ length: Math.round(end / step) + 1 }, (_, i) => i * step);
  const content = [
    ...ticks.map((tick) => `<path class="grid" d="M${x(tick)} 0V${height}"/>`),
    ...ticks.map((tick) =>
      textElement(shortNumber(tick), { x: x(tick), y: height + 18, look: "small quiet middle" }),
    ),
    ...rows.map((row, i) => barElements(row, { y: i * layout.row, x, ordered }, options)),
  ];
  const more = moreElement(all.length - rows.length, height + AXIS + 14, layout);
  const words = noteElement(note, height + AXIS + more.height + 14, layout);
  return {
    content: content.join("") + more.content + words.content,
    height: height + AXIS + more.height + words.height,
  };
}

const LETTER = 8.6;
const LEAST_LEFT = 150;

/** Bars begin behind the longest name. */
function leftOf(rows: readonly BarRow[], { isStacked, left, margin, nameLetters }: Layout): number {
  if (isStacked) return left;
  const longest = Math.max(...rows.map(({ item }) => widthOf(fitted(item, nameLetters))));
  return Math.min(Math.max(margin + 28 + Math.ceil(longest * LETTER) + 16, LEAST_LEFT), left);
}

interface RowPlace {
  readonly y: number;
  readonly x: (value: number) => number;
  readonly ordered: boolean;
}

function barElements(
  { rank, item, start, value, low, high }: BarRow,
  { y, x, ordered }: RowPlace,
  { layout, sign }: BarOptions,
): string {
  const { margin, isStacked, row, width, nameLetters } = layout;
  const top = isStacked ? y + 25 : y + (row - BAR) / 2;
  const middle = top + BAR / 2;
  const baseline = isStacked ? y + 18 : middle + 5;
  const place = ordered ? textElement(String(rank), { x: margin + 16, y: baseline, look: "quiet end" }) : "";
  const rect = (from: number, to: number, look: string) =>
    `<rect class="${look}" x="${x(from)}" y="${top}" width="${round(x(to) - x(from))}" height="${BAR}" rx="2"/>`;
  const whisker =
    low === undefined || high === undefined
      ? ""
      : `<path class="whisker" d="M${x(start + low)} ${middle}H${x(start + high)}M${x(start + low)} ${middle - 4}v8M${x(start + high)} ${middle - 4}v8"/>`;
  return (
    place +
    nameElements(item, { x: margin + 28, y: baseline, letters: nameLetters, isStacked }) +
    (start > 0 ? rect(0, start, "below") : "") +
    rect(start, start + value, "bar") +
    whisker +
    textElement(sign + shortNumber(value), { x: width - margin, y: baseline, look: "end" })
  );
}

interface NamePlace {
  readonly x: number;
  readonly y: number;
  readonly letters: number;
  readonly isStacked: boolean;
}

/** A long name beside its bar takes two smaller lines. */
function nameElements(item: string, { x, y, letters, isStacked }: NamePlace): string {
  const name = visible(item);
  const [first = "", ...rest] = wrapped(name, Math.round(letters * SMALLER));
  if (isStacked || widthOf(name) <= letters || rest.length === 0)
    return textElement(fitted(item, letters), { x, y, look: "name" });
  const second = fitted(rest.join(" "), Math.round(letters * SMALLER));
  return (
    textElement(first, { x, y: y - 8, look: "name small" }) +
    textElement(second, { x, y: y + 7, look: "name small" })
  );
}

/** How many more letters fit in the smaller size. */
const SMALLER = 1.2;

/** Steps of 1, 2 or 5 times a power of ten, at most `steps` of them. */
export function niceScale(most: number, steps: number): { step: number; end: number } {
  let power = 1;
  while (power * 10 <= most) power *= 10;
  while (power > most && power > SMALLEST_POWER) power /= 10;
  const factor = [0.2, 0.5, 1, 2, 5].find((factor) => most / (power * factor) <= steps) ?? 5;
  const step = power * factor;
  return { step, end: Math.max(1, Math.ceil(most / step)) * step };
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const NAME_ROW = 28;
const ROWS_IN_ONE_COLUMN = 6;
const MOST_NAMES = 90;

function nameList(all: readonly AnswerRow[], { ordered }: ReleaseAnswer, layout: Layout): Drawing {
  const { margin, columnLetters } = layout;
  const rows = all.slice(0, MOST_NAMES);
  const columns = Math.min(columnLetters.length, Math.ceil(rows.length / ROWS_IN_ONE_COLUMN));
  const perColumn = Math.ceil(rows.length / columns);
  const width = (layout.width - 2 * margin) / columns;
  const content = rows.map(({ rank, item }, i) => {
    const x = margin + Math.floor(i / perColumn) * width;
    const y = (i % perColumn) * NAME_ROW + 16;
    const mark = ordered
      ? textElement(String(rank), { x: x + 18, y: y + 5, look: "quiet end" })
      : `<circle class="bar" cx="${x + 10}" cy="${y}" r="4.5"/>`;
    return (
      mark + textElement(fitted(item, columnLetters[columns - 1]), { x: x + 28, y: y + 5, look: "name" })
    );
  });
  const height = perColumn * NAME_ROW + 4;
  const more = moreElement(all.length - rows.length, height + 14, layout);
  return { content: content.join("") + more.content, height: height + more.height };
}

/** A ring with a bar, and the reason. */
function emptyAnswer({ question }: Release | NewRelease, { margin, noteLetters }: Layout): Drawing {
  const [x, y] = [margin + 18, 30];
  const sentence =
    mechanismFor(question).words.whyNone?.sentence ??
    `No item has so many ${countedInWords(question)} that naming it would be safe for everyone.`;
  const lines = wrapped(sentence, noteLetters - 12);
  const words = lines.map((line, i) => textElement(line, { x: x + 34, y: y + 5 + i * 20 }));
  return {
    content:
      `<circle class="whisker" cx="${x}" cy="${y}" r="15"/><path class="whisker" d="M${x - 8} ${y}h16"/>` +
      words.join(""),
    height: 52 + lines.length * 20,
  };
}

/** Small print that wraps. */
export function noteElement(sentence: string, y: number, { margin, noteLetters }: Layout): Drawing {
  if (sentence === "") return { content: "", height: 0 };
  const lines = wrapped(sentence, noteLetters);
  const content = lines.map((line, i) =>
    textElement(line, { x: margin, y: y + i * NOTE_LINE, look: "small quiet" }),
  );
  return { content: content.join(""), height: lines.length * NOTE_LINE + 10 };
}

const WIDE_LETTER =
  /[\u{1100}-\u{115f}\u{2e80}-\u{a4cf}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff00}-\u{ff60}\u{1f000}-\u{3ffff}]/u;

const BROAD_LETTER = /^[MWmw@%&…]$/;

/** Letters as people see them: a family of joined emoji is one. */
function lettersOf(text: string): string[] {
  return Array.from(new Intl.Segmenter("en").segment(text), ({ segment }) => segment);
}

/** The width in letters. */
function widthOf(text: string): number {
  const widths = lettersOf(text).map((letter): number =>
    WIDE_LETTER.test(letter) ? 2 : BROAD_LETTER.test(letter) ? 1.6 : 1,
  );
  return widths.reduce((sum, width) => sum + width, 0);
}

/** As much of a name as fits into `letters` letters, with "…" where something is missing. */
export function fitted(name: string, letters: number): string {
  const text = visible(name);
  if (text.length <= letters / 2 || widthOf(text) <= letters) return text;
  let kept = "";
  let width = 0;
  for (const letter of lettersOf(text)) {
    width += widthOf(letter);
    if (width > letters - 1) break;
    kept += letter;
  }
  return `${kept}…`;
}

/** " = " that stays on one line. */
const EQUALS = "\u{a0}=\u{a0}";

/** A sentence in lines of at most `letters` letters; longer words are cut. */
export function wrapped(sentence: string, letters: number): string[] {
  const lines = [""];
  for (const word of sentence.replaceAll(" = ", EQUALS).split(" ")) {
    const line = lines[lines.length - 1];
    const longer = line === "" ? word : `${line} ${word}`;
    if (widthOf(longer) <= letters) lines[lines.length - 1] = longer;
    else if (line === "") lines[lines.length - 1] = fitted(word, letters);
    else lines.push(fitted(word, letters));
  }
  return lines;
}

interface TextPlace {
  readonly x: number;
  readonly y: number;
  /** Classes of the style sheet. */
  readonly look?: string;
}

export function textElement(text: string, { x, y, look }: TextPlace): string {
  const classes = look === undefined ? "" : ` class="${look}"`;
  return `<text x="${x}" y="${y}"${classes}>${forXml(text)}</text>`;
}

/** "and 17 more", where the picture would be too long with all of them. */
export function moreElement(count: number, y: number, { margin }: Layout): Drawing {
  if (count <= 0) return { content: "", height: 0 };
  const sentence = `and ${count.toLocaleString("en")} more`;
  return { content: textElement(sentence, { x: margin + 28, y, look: "small quiet" }), height: 24 };
}

const LONGEST_NUMBER = 9;

/** "1,250", or "12.3M" where that is too long. */
export function shortNumber(value: number): string {
  const text = value.toLocaleString("en", { maximumFractionDigits: 6 });
  if (text.length <= LONGEST_NUMBER) return text;
  return value.toLocaleString("en", { notation: "compact", maximumFractionDigits: 1 });
}
