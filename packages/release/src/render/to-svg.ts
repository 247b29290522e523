/**
 * A release as a self-contained picture that one would publish: a headline, the data set, the question and the date; the
 * answer (svg-bodies.ts); the caption and the price below. Wide, or narrow for a phone.
 *
 * The picture contains no script and no reference to anything outside; names are text. A title and a description say
 * the same to people who can't see it. Green means, as on the page, that something may be published. Text has a contrast
 * of at least 4.5 : 1 on light and on dark paper.
 * @module
 */

import type { NewRelease, Release } from "../document/release-document.js";
import type { Shape } from "../kinds/kind.js";
import { kindOf } from "../kinds/kinds.js";
import { quantileName } from "../kinds/quantile.js";
import { countedInWords } from "../question/labels.js";
import { forXml, visible } from "../words/neutralise.js";
import { numberOf } from "../words/sentences.js";
import { answerRows } from "./answer-rows.js";
import { groupReleases } from "./group-releases.js";
import { caption, endInWords, headline, orderInWords } from "./in-words.js";
import { intervalOf, type PictureOptions, shownCount } from "./picture.js";
import {
  bodyOf,
  fitted,
  type Layout,
  NARROW,
  noteElement,
  textElement,
  WIDE,
  wrapped,
} from "./svg-bodies.js";
import { groupsBody } from "./svg-groups.js";
import { frequencyBody, quantileBody } from "./svg-numbers.js";

/** What a picture of a release shows. */
export interface SvgOptions extends PictureOptions {
  /** Dark or light; by default what the reader's system prefers. */
  readonly dark?: boolean | undefined;
  /** Instead of what the answer says. */
  readonly title?: string | undefined;
  /** Whether the data set is named in the picture. Default: yes. */
  readonly namesDataset?: boolean | undefined;
  /** For a phone: 400 wide instead of 720. */
  readonly narrow?: boolean | undefined;
}

const TITLE_LINE = 25;
/** The counted column is at the end of a headline, so it must fit on a phone too. */
const MOST_TITLE_LINES = 5;
const SUBTITLE_LINE = 20;

/** A release as an SVG picture. */
export function toSvg(release: Release | NewRelease, options: SvgOptions = {}): string {
  const { dark, title, narrow = false, nouns } = options;
  const layout = narrow ? NARROW : WIDE;
  const heading = title ?? headline(release, nouns);
  const head = headOf(release, { heading, options, layout });
  const drawn = release.question.groups === undefined ? BODIES[kindOf(release.question).shape] : groupsBody;
  const body = (drawn ?? bodyOf)(release, layout, options);
  const top = head.height + 18;
  const line = top + body.height + 12;
  const note = noteElement(caption(release, nouns), line + 24, layout);
  const height = line + 18 + note.height + 6;
  const { width, margin } = layout;
  const [titleId, descriptionId] = ["title", "description"].map((part) => `winnow-${idOf(release)}-${part}`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${titleId} ${descriptionId}">` +
    `<title id="${titleId}">${forXml(heading)}</title>` +
    `<desc id="${descriptionId}">${forXml(description(release, options))}</desc>` +
    `<style>${styleSheet(dark)}</style>` +
    `<rect class="paper" width="${width}" height="${height}" rx="12"/>` +
    head.content +
    `<g transform="translate(0 ${top})">${body.content}</g>` +
    `<path class="grid" d="M${margin} ${line}H${width - margin}"/>` +
    `${note.content}</svg>\n`
  );
}

interface Heading {
  readonly heading: string;
  readonly options: SvgOptions;
  readonly layout: Layout;
}

/** The headline, whose data and when, and what is shown. */
function headOf(release: Release | NewRelease, { heading, options, layout }: Heading) {
  const { margin, titleLetters, noteLetters } = layout;
  const titles = wrapped(visible(heading), titleLetters).slice(0, MOST_TITLE_LINES);
  const letters = Math.round(noteLetters * 0.82);
  const quiet = [
    ...wrapped(about(release, options), letters).slice(0, 2),
    ...wrapped(subtitle(release, options), letters),
  ];
  const below = 17 + titles.length * TITLE_LINE;
  const content = [
    ...titles.map((line, i) =>
      textElement(fitted(line, titleLetters), { x: margin, y: 42 + i * TITLE_LINE, look: "title" }),
    ),
    ...quiet.map((line, i) =>
      textElement(line, { x: margin, y: below + SUBTITLE_LINE * (i + 1) + 4, look: "quiet" }),
    ),
  ];
  return { content: content.join(""), height: below + quiet.length * SUBTITLE_LINE + 4 };
}

/** Pictures of numbers; all others are about names. */
const BODIES: { readonly [S in Shape]?: typeof bodyOf } = {
  values: quantileBody,
  frequencies: frequencyBody,
};

function about(
  { dataset, time, question: { kind, k, domain, groups }, answer }: Release | NewRelease,
  { namesDataset = true }: SvgOptions,
): string {
  const date = new Date(time).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  const among = domain.kind === "listed" ? ` of ${domain.size.toLocaleString("en")} candidates` : "";
  const places = groups === undefined ? "" : ` in each of ${numberOf(answer.groups?.length ?? 0, "group")}`;
  const what = `${kindOf({ kind }).asked(k)}${among}${places}`;
  return [...(namesDataset ? [fitted(dataset, 40)] : []), what, date].join("  ·  ");
}

function subtitle(release: Release | NewRelease, { nouns }: SvgOptions): string {
  const { question, answer, loss } = release;
  const what = question.counts
    ? `${countedInWords(question, nouns)} of each, with noise`
    : question.resolution === undefined
      ? orderInWords(answer).replace(/^, /, "")
      : `by how many ${countedInWords(question, nouns)} each leads the next`;
  const end = answer.released ? endInWords(release) : "";
  return [loss.readable, answer.released ? what : "", end].filter((part) => part !== "").join("  ·  ");
}

/** Everything that the picture shows, as sentences. */
function description(release: Release | NewRelease, options: SvgOptions): string {
  const groups = groupReleases(release);
  if (groups !== undefined)
    return [
      caption(release, options.nouns),
      ...groups.map(
        ({ label, release: one }) => `${label}: ${namesInWords(one, options).join(" ") || "nothing."}`,
      ),
    ].join(" ");
  return [caption(release, options.nouns), ...namesInWords(release, options)].join(" ");
}

function namesInWords(release: Release | NewRelease, { labels, nouns, ...picture }: SvgOptions): string[] {
  const counted = countedInWords(release.question, nouns);
  const names = answerRows(release).map((row) => {
    const { rank, quantile, gap, count } = row;
    const item = labels?.get(row.item) ?? row.item;
    if (quantile !== undefined) return `The ${quantileName(quantile)} is ${item}`;
    const place = release.answer.ordered ? `${rank}. ` : "";
    const users =
      count === undefined ? "" : `, ${shownCount(row)} ${counted}${within(intervalOf(row, picture))}`;
    const lead = gap === undefined ? "" : `, leads the next by ${gap.value}${within(gap)}`;
    return `${place}${item}${users}${lead}`;
  });
  return names.map((name) => `${name}.`);
}

function within({ low, high }: { readonly low?: string | number; readonly high?: string | number }): string {
  return low === undefined ? "" : ` (from ${low} to ${high})`;
}

/** Letters and digits of the release's id, so that two pictures on a page do not share ids. */
function idOf({ id }: Release | NewRelease): string {
  return id.replace(/[^A-Za-z\d]/g, "").slice(0, 32) || "release";
}

interface Theme {
  readonly paper: string;
  readonly ink: string;
  readonly quiet: string;
  readonly grid: string;
  readonly bar: string;
  readonly below: string;
  readonly whisker: string;
}

const LIGHT: Theme = {
  paper: "#fffefc",
  ink: "#1b211e",
  quiet: "#545d58",
  grid: "#dedacf",
  bar: "#7ab8a2",
  below: "#e1efe9",
  whisker: "#0d4a38",
};

const DARK: Theme = {
  paper: "#1b1f1d",
  ink: "#edeae2",
  quiet: "#a9b0ab",
  grid: "#343b37",
  bar: "#3b8a70",
  below: "#21382f",
  whisker: "#bdf0df",
};

const FONT = "ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif";

/** The style sheet of a picture: one theme, or the one that the reader's system asks for. */
export function styleSheet(dark: boolean | undefined): string {
  const base = `text{font-family:${FONT};font-size:14px;font-variant-numeric:tabular-nums}.title{font-size:20px;font-weight:650}.small{font-size:12px}.name{font-weight:550}.end{text-anchor:end}.middle{text-anchor:middle}`;
  if (dark !== undefined) return base + colours(dark ? DARK : LIGHT);
  return `${base}${colours(LIGHT)}@media (prefers-color-scheme:dark){${colours(DARK)}}`;
}

function colours({ paper, ink, quiet, grid, bar, below, whisker }: Theme): string {
  return (
    `.paper{fill:${paper}}text{fill:${ink}}.quiet{fill:${quiet}}.grid{stroke:${grid};stroke-width:1}` +
    `.bar{fill:${bar}}.below{fill:${below}}.whisker{stroke:${whisker};stroke-width:1.5;fill:none}`
  );
}
