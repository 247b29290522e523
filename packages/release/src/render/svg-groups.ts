/**
 * The middle of a picture in groups: small multiples, one panel for each group, in the order of the answer. All panels have one
 * scale, so that bars compare across them. A panel shows its first few names, values or runs; the files have all of them.
 * @module
 */
import { rational } from "winnow-dp";
import type { NewRelease, Release } from "../document/release-document.js";
import { kindOf } from "../kinds/kinds.js";
import { quantileName } from "../kinds/quantile.js";
import { mechanismFor } from "../mechanisms/of-question.js";
import { countedInWords } from "../question/labels.js";
import { answerRows } from "./answer-rows.js";
import { type GroupRelease, groupReleases } from "./group-releases.js";
import { shownCount } from "./picture.js";
import {
  type Drawing,
  fitted,
  type Layout,
  moreElement,
  noteElement,
  round,
  shortNumber,
  textElement,
} from "./svg-bodies.js";

/** More panels than anyone looks at. */
const MOST_PANELS = 240;
const LINES = 5;
const LINE = 18;
/** Above the first panels. */
const ABOVE = 14;
const TITLE = 20;
const BELOW = 16;
const BAR = 4;
const GAP = 18;
const LETTER = 7.6;

/** A line of a panel: a name, and perhaps a number with a bar. */
interface PanelLine {
  readonly name: string;
  readonly text?: string;
  readonly size?: number;
}

interface Panel {
  readonly label: string;
  readonly lines: readonly PanelLine[];
  readonly more: number;
  readonly nothing?: string;
}

export function groupsBody(release: Release | NewRelease, layout: Layout): Drawing {
  const groups = groupReleases(release) ?? [];
  const panels = groups.slice(0, MOST_PANELS).map(panelOf);
  const columns = columnsFor(panels.length, layout);
  const width = (layout.width - 2 * layout.margin - (columns - 1) * GAP) / columns;
  const tallest = Math.max(1, ...panels.map(({ lines, more }) => lines.length + Number(more > 0)));
  const height = TITLE + tallest * LINE + BELOW;
  const most = Math.max(1, ...panels.flatMap(({ lines }) => lines.map(({ size = 0 }) => size)));
  const content = panels.map((panel, i) => {
    const x = round(layout.margin + (i % columns) * (width + GAP));
    const y = ABOVE + Math.floor(i / columns) * height;
    return `<g transform="translate(${x} ${y})">${panelContent(panel, { width, most })}</g>`;
  });
  const below = ABOVE + Math.ceil(panels.length / columns) * height;
  const more = moreElement(groups.length - panels.length, below + 14, layout);
  const words = noteElement(noteOn(release), below + more.height + 14, layout);
  return {
    content: content.join("") + more.content + words.content,
    height: below + more.height + words.height + 8,
  };
}

function columnsFor(panels: number, { isStacked }: Layout): number {
  if (isStacked) return panels > 4 ? 2 : 1;
  return panels > 9 ? 4 : panels > 4 ? 3 : Math.max(1, Math.min(panels, 2));
}

function panelOf({ label, release }: GroupRelease<Release | NewRelease>): Panel {
  const all = linesOf(release);
  const { whyNone } = mechanismFor(release.question).words;
  return {
    label,
    lines: all.slice(0, LINES),
    more: all.length - Math.min(all.length, LINES),
    ...(all.length === 0 && {
      nothing: whyNone === undefined ? "none can be named" : "nothing can be released",
    }),
  };
}

function linesOf(release: Release | NewRelease): readonly PanelLine[] {
  const { question, answer } = release;
  const { shape } = kindOf(question);
  if (shape === "frequencies")
    return (answer.frequencies ?? []).map(({ users, items }) => ({
      name: `${shortNumber(users)} users`,
      text: `${shortNumber(items)} ${items === 1 ? "item" : "items"}`,
      size: items,
    }));
  return answerRows(release).map((row) => {
    const { rank, item, quantile, gap, count } = row;
    if (quantile !== undefined)
      return { name: quantileName(quantile), text: shortNumber(rational(item).toNumber()) };
    const lead = gap === undefined ? undefined : rational(gap.value).toNumber();
    const size = count === undefined ? lead : shownCount(row); // fitted to the order
    return {
      name: answer.ordered ? `${rank} ${item}` : item,
      ...(size !== undefined && { text: (count === undefined ? "+" : "") + shortNumber(size), size }),
    };
  });
}

interface PanelPlace {
  readonly width: number;
  /** The number that a whole bar stands for. */
  readonly most: number;
}

function panelContent({ label, lines, more, nothing }: Panel, { width, most }: PanelPlace): string {
  const right = round(width);
  const letters = (text = "") => Math.floor((width - text.length * 6.6) / LETTER);
  const rows = lines.map(({ name, text, size }, i) => {
    const y = TITLE + i * LINE;
    const bar =
      size === undefined
        ? ""
        : `<rect class="bar" x="0" y="${y + 9}" width="${round((Math.max(0, size) / most) * width)}" height="${BAR}" rx="1"/>`;
    return (
      bar +
      textElement(fitted(name, letters(text)), { x: 0, y: y + 6, look: "small" }) +
      (text === undefined ? "" : textElement(text, { x: right, y: y + 6, look: "small quiet end" }))
    );
  });
  const rest = more > 0 ? `and ${more.toLocaleString("en")} more` : nothing;
  return (
    textElement(fitted(label, Math.floor(width / 8.4)), { x: 0, y: 2, look: "name" }) +
    `<path class="grid" d="M0 8H${right}"/>` +
    rows.join("") +
    (rest === undefined
      ? ""
      : textElement(rest, { x: 0, y: TITLE + lines.length * LINE + 6, look: "small quiet" }))
  );
}

function noteOn({ question }: Release | NewRelease): string {
  const { shape } = kindOf(question);
  const { domain, groups } = question;
  const answered =
    groups?.list === "selected"
      ? ""
      : domain.kind === "unknown" || shape !== "winners"
        ? "Every group of the list has an answer, also one without any rows."
        : "Every group has an answer, also one without any rows: then names come by chance from the public list, and numbers are noise.";
  const hasNumbers = question.counts === true || question.resolution !== undefined;
  const bars =
    hasNumbers || shape === "frequencies"
      ? ` All panels have one scale: ${question.counts || shape === "frequencies" ? `numbers of ${countedInWords(question)}, noise included` : "leads over the next"}.`
      : "";
  return `${answered}${bars}`.trim();
}
