/**
 * A release as a self-contained picture, with the caption and the price below. Where gaps are released it shows ranked
 * bars, each with a whisker over the interval that holds the true lead with 90 % confidence. Otherwise it shows names
 * in columns, numbered if they are ranked and with dots if their order says nothing, or says that nothing can be
 * released.
 *
 * The picture contains no script and no reference to anything outside; names are text. A title and a description say
 * the same to people who can't see it. Text in SVG neither wraps nor shrinks, so widths are estimated: letters of most
 * scripts are about half as wide as the font size, those of East Asian scripts and pictographs as wide as it. Green
 * means, as on the page, that something may be published. Text has a contrast of at least 4.5 : 1 on light and on dark
 * paper.
 * @module
 */

import { rational } from "winnow-dp";
import type { NewRelease, Release, ReleaseAnswer } from "../document/release-document.js";
import { countsOf } from "../question/mechanism.js";
import { type AnswerRow, answerRows } from "./answer-rows.js";
import { caption, endInWords, headline, orderInWords } from "./in-words.js";
import { forXml, visible } from "./neutralise.js";

export interface SvgOptions {
  /** Dark or light; by default what the reader's system prefers. */
  readonly dark?: boolean | undefined;
  /** Instead of what the answer says. */
  readonly title?: string | undefined;
}

const CAPTION_LETTERS = 108;
const TITLE_LETTERS = 62;
const CAPTION_LINE = 17;

export function toSvg(release: Release | NewRelease, { dark, title }: SvgOptions = {}): string {
  const heading = title ?? headline(release);
  const body = bodyOf(release);
  const top = 84;
  const note = captionLines(caption(release), top + body.height + 30);
  const height = top + body.height + 30 + note.height;
  const [titleId, descriptionId] = ["title", "description"].map((part) => `winnow-${idOf(release)}-${part}`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="${titleId} ${descriptionId}">` +
    `<title id="${titleId}">${forXml(heading)}</title>` +
    `<desc id="${descriptionId}">${forXml(description(release))}</desc>` +
    `<style>${styleSheet(dark)}</style>` +
    `<rect class="paper" width="${WIDTH}" height="${height}" rx="12"/>` +
    textElement(fitted(heading, TITLE_LETTERS), { x: MARGIN, y: 42, look: "title" }) +
    textElement(subtitle(release), { x: MARGIN, y: 64, look: "quiet" }) +
    `<g transform="translate(0 ${top})">${body.content}</g>` +
    `${note.content}</svg>\n`
  );
}

function bodyOf(release: Release | NewRelease): Drawing {
  const rows = answerRows(release);
  const { question, answer } = release;
  if (rows.length === 0) return nobody(release);
  if (question.counts)
    return bars(
      rows.map(({ count, ...row }) => ({ ...row, ...count })),
      answer,
    );
  if (question.resolution !== undefined)
    return bars(
      rows.map(({ gap, ...row }) => ({ ...row, ...gap })),
      answer,
    );
  return nameList(rows, answer);
}

function subtitle(release: Release | NewRelease): string {
  const { question, answer, loss } = release;
  const what = question.counts
    ? countsOf(question) === undefined
      ? "users of each, with noise"
      : "users of each, with 95 % intervals"
    : question.resolution === undefined
      ? orderInWords(answer).replace(/^, /, "")
      : "by how many users each leads the next, with 90 % intervals";
  const end = answer.released ? endInWords(release) : "";
  return [loss.readable, what, end].filter((part) => part !== "").join("  ·  ");
}

function captionLines(sentence: string, y: number): Drawing {
  const lines = wrapped(sentence, CAPTION_LETTERS);
  const content = lines.map((line, i) =>
    textElement(line, { x: MARGIN, y: y + i * CAPTION_LINE, look: "small quiet" }),
  );
  return { content: content.join(""), height: lines.length * CAPTION_LINE + 10 };
}

/** Everything that the picture shows, as sentences. */
function description(release: Release | NewRelease): string {
  const names = answerRows(release).map(({ rank, item, gap, count }) => {
    const place = release.answer.ordered ? `${rank}. ` : "";
    const users = count === undefined ? "" : `, ${count.value} users${within(count)}`;
    const lead = gap === undefined ? "" : `, leads the next by ${gap.value}${within(gap)}`;
    return `${place}${item}${users}${lead}`;
  });
  return [caption(release), ...names.map((name) => `${name}.`)].join(" ");
}

function within({ low, high }: { readonly low?: string; readonly high?: string }): string {
  return low === undefined ? "" : ` (from ${low} to ${high})`;
}

/** Letters and digits of the release's id, so that two pictures on a page do not share ids. */
function idOf({ id }: Release | NewRelease): string {
  return id.replace(/[^A-Za-z\d]/g, "").slice(0, 32) || "release";
}

const BAR_ROW = 34;
const BAR = 16;
const BAR_NAME_LETTERS = 20;
const LEFT = 248;
const RIGHT = 84;
const AXIS = 26;
const SMALLEST_POWER = 1e-9;
const MOST_ROWS = 50;

/** A row with a number, and perhaps the ends of its interval. */
interface BarRow {
  readonly rank: number;
  readonly item: string;
  readonly value?: string;
  readonly low?: string;
  readonly high?: string;
}

function bars(all: readonly BarRow[], { ordered }: ReleaseAnswer): Drawing {
  const rows = all.slice(0, MOST_ROWS);
  const most = Math.max(...rows.map(({ value, high }) => numberOf(high ?? value)));
  const { step, end } = niceScale(most);
  const x = (value: number) => round(LEFT + (Math.max(0, value) / end) * (WIDTH - LEFT - RIGHT));
  const height = rows.length * BAR_ROW;
  const ticks = Array.from({ length: Math.round(end / step) + 1 }, (_, i) => i * step);
  const content = [
    ...ticks.map((tick) => `<path class="grid" d="M${x(tick)} 0V${height}"/>`),
    ...ticks.map((tick) =>
      textElement(shortNumber(tick), { x: x(tick), y: height + 18, look: "small quiet middle" }),
    ),
    ...rows.map((row, i) => rowElements(row, { y: i * BAR_ROW, x, ordered })),
  ];
  const more = moreElement(all.length - rows.length, height + AXIS + 14);
  return { content: content.join("") + more.content, height: height + AXIS + more.height };
}

interface RowPlace {
  readonly y: number;
  readonly x: (value: number) => number;
  readonly ordered: boolean;
}

function rowElements({ rank, item, ...bar }: BarRow, { y, x, ordered }: RowPlace): string {
  const [value, low, high] = [bar.value, bar.low, bar.high].map(numberOf);
  const [middle, top] = [y + BAR_ROW / 2, y + (BAR_ROW - BAR) / 2];
  const baseline = middle + 5;
  const place = ordered ? textElement(String(rank), { x: MARGIN + 16, y: baseline, look: "quiet end" }) : "";
  const whisker =
    bar.low === undefined
      ? ""
      : `<path class="whisker" d="M${x(low)} ${middle}H${x(high)}M${x(low)} ${middle - 4}v8M${x(high)} ${middle - 4}v8"/>`;
  return (
    place +
    textElement(fitted(item, BAR_NAME_LETTERS), { x: MARGIN + 28, y: baseline, look: "name" }) +
    `<rect class="bar" x="${LEFT}" y="${top}" width="${round(x(value) - LEFT)}" height="${BAR}" rx="3"/>` +
    whisker +
    textElement(shortNumber(value), { x: WIDTH - MARGIN, y: baseline, look: "end" })
  );
}

/** Steps of 1, 2 or 5 times a power of ten, six of them at most. */
function niceScale(most: number): { step: number; end: number } {
  let power = 1;
  while (power * 10 <= most) power *= 10;
  while (power > most && power > SMALLEST_POWER) power /= 10;
  const factor = [0.2, 0.5, 1, 2].find((factor) => most / (power * factor) <= 6) ?? 2;
  return scaleOf(power * factor, most);
}

function scaleOf(step: number, most: number): { step: number; end: number } {
  return { step, end: Math.max(1, Math.ceil(most / step)) * step };
}

function numberOf(text: string | undefined): number {
  return rational(text ?? "0").toNumber();
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const NAME_ROW = 28;
const ROWS_IN_ONE_COLUMN = 6;
const COLUMNS = 3;
const MOST_NAMES = 90;
const COLUMN_NAME_LETTERS = [72, 34, 22];

function nameList(all: readonly AnswerRow[], { ordered }: ReleaseAnswer): Drawing {
  const rows = all.slice(0, MOST_NAMES);
  const columns = Math.min(COLUMNS, Math.ceil(rows.length / ROWS_IN_ONE_COLUMN));
  const perColumn = Math.ceil(rows.length / columns);
  const width = (WIDTH - 2 * MARGIN) / columns;
  const content = rows.map(({ rank, item }, i) => {
    const x = MARGIN + Math.floor(i / perColumn) * width;
    const y = (i % perColumn) * NAME_ROW + 16;
    const mark = ordered
      ? textElement(String(rank), { x: x + 18, y: y + 5, look: "quiet end" })
      : `<circle class="bar" cx="${x + 10}" cy="${y}" r="4.5"/>`;
    return (
      mark +
      textElement(fitted(item, COLUMN_NAME_LETTERS[columns - 1]), { x: x + 28, y: y + 5, look: "name" })
    );
  });
  const height = perColumn * NAME_ROW + 4;
  const more = moreElement(all.length - rows.length, height + 14);
  return { content: content.join("") + more.content, height: height + more.height };
}

/** A ring with a bar, and the reason. */
function nobody({ question }: Release | NewRelease): Drawing {
  const [x, y] = [MARGIN + 22, 34];
  const sentence =
    question.kind === "adaptive" || question.mechanism === "stable-top-k-fixed"
      ? "No set of items stood out so clearly that naming it would be safe for everybody."
      : "No item has so many users that naming it would be safe for everybody.";
  return {
    content:
      `<circle class="whisker" cx="${x}" cy="${y}" r="15"/><path class="whisker" d="M${x - 8} ${y}h16"/>` +
      textElement(sentence, { x: x + 34, y: y + 5 }),
    height: 72,
  };
}

const WIDE =
  /[\u{1100}-\u{115f}\u{2e80}-\u{a4cf}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff00}-\u{ff60}\u{1f000}-\u{3ffff}]/u;

const BROAD = /[MWmw@%&…]/;

/** The width in letters. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : BROAD.test(character) ? 1.6 : 1;
  return width;
}

/** As much of a name as fits into so many letters, with "…" where something is missing. */
function fitted(name: string, letters: number): string {
  const text = visible(name);
  if (widthOf(text) <= letters) return text;
  let kept = "";
  let width = 0;
  for (const character of text) {
    width += widthOf(character);
    if (width > letters - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** " = " that stays on one line. */
const EQUALS = "\u{a0}=\u{a0}";

/** A sentence in lines of at most so many letters; words longer than that are cut. */
function wrapped(sentence: string, letters: number): string[] {
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

function textElement(text: string, { x, y, look }: TextPlace): string {
  const classes = look === undefined ? "" : ` class="${look}"`;
  return `<text x="${x}" y="${y}"${classes}>${forXml(text)}</text>`;
}

/** "and 17 more", where the picture would be too long with all of them. */
function moreElement(count: number, y: number): Drawing {
  if (count <= 0) return { content: "", height: 0 };
  const sentence = `and ${count.toLocaleString("en")} more`;
  return { content: textElement(sentence, { x: MARGIN + 28, y, look: "small quiet" }), height: 24 };
}

const LONGEST_NUMBER = 9;

/** "1,250", or "12.3M" where that is too long. */
function shortNumber(value: number): string {
  const text = value.toLocaleString("en", { maximumFractionDigits: 6 });
  if (text.length <= LONGEST_NUMBER) return text;
  return value.toLocaleString("en", { notation: "compact", maximumFractionDigits: 1 });
}

const WIDTH = 720;
const MARGIN = 28;

/** A part of the picture, drawn from its own top left corner. */
interface Drawing {
  readonly content: string;
  readonly height: number;
}

interface Theme {
  readonly paper: string;
  readonly ink: string;
  readonly quiet: string;
  readonly grid: string;
  readonly bar: string;
  readonly whisker: string;
}

const LIGHT: Theme = {
  paper: "#fffefc",
  ink: "#1b211e",
  quiet: "#545d58",
  grid: "#dedacf",
  bar: "#86bfab",
  whisker: "#0d5a44",
};

const DARK: Theme = {
  paper: "#1b1f1d",
  ink: "#edeae2",
  quiet: "#a9b0ab",
  grid: "#343b37",
  bar: "#3b8a70",
  whisker: "#bdf0df",
};

const FONT = "ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif";

/** The style sheet of a picture: one theme, or the one that the reader's system asks for. */
function styleSheet(dark: boolean | undefined): string {
  const base = `text{font-family:${FONT};font-size:14px}.title{font-size:19px;font-weight:650}.small{font-size:12px}.name{font-weight:550}.end{text-anchor:end}.middle{text-anchor:middle}`;
  if (dark !== undefined) return base + colours(dark ? DARK : LIGHT);
  return `${base}${colours(LIGHT)}@media (prefers-color-scheme:dark){${colours(DARK)}}`;
}

function colours({ paper, ink, quiet, grid, bar, whisker }: Theme): string {
  return (
    `.paper{fill:${paper}}text{fill:${ink}}.quiet{fill:${quiet}}.grid{stroke:${grid};stroke-width:1}` +
    `.bar{fill:${bar}}.whisker{stroke:${whisker};stroke-width:1.5;fill:none}`
  );
}
