/**
 * A release as a picture that stands by itself: ranked bars for the gaps with whiskers for their uncertainty, or the names in
 * columns where there are no gaps, with the caption and the price below. No script, no reference to anything outside; names
 * are text. A title and a description say the same to those who cannot see it.
 * @module
 */
import type { NewRelease, Release } from "../document/release-document.js";
import { caption } from "./caption.js";
import { gapBars } from "./gap-bars.js";
import { gapRows } from "./gap-rows.js";
import { headline, orderInWords } from "./in-words.js";
import { nameList } from "./name-list.js";
import { forXml } from "./neutralise.js";
import { type Drawing, MARGIN, WIDTH } from "./svg-layout.js";
import { fitted, textElement, wrapped } from "./svg-text.js";
import { styleSheet } from "./svg-theme.js";

export interface SvgOptions {
  /** Dark or light; by default what the reader's system prefers. */
  readonly dark?: boolean | undefined;
  /** Instead of what the answer says. */
  readonly title?: string | undefined;
}

const CAPTION_LETTERS = 108;
const TITLE_LETTERS = 62;
const LINE = 17;

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
  const rows = gapRows(release);
  return release.question.resolution === undefined ? nameList(rows, release.answer) : gapBars(rows);
}

function subtitle({ question, answer, loss }: Release | NewRelease): string {
  const what =
    question.resolution === undefined
      ? orderInWords(answer).replace(/^, /, "")
      : "by how many users each leads the next, with 90 % intervals";
  return [loss.readable, what].filter((part) => part !== "").join("  ·  ");
}

function captionLines(sentence: string, y: number): Drawing {
  const lines = wrapped(sentence, CAPTION_LETTERS);
  const content = lines.map((line, i) =>
    textElement(line, { x: MARGIN, y: y + i * LINE, look: "small quiet" }),
  );
  return { content: content.join(""), height: lines.length * LINE + 10 };
}

/** Everything that the picture shows, as sentences. */
function description(release: Release | NewRelease): string {
  const names = gapRows(release).map(({ rank, item, gap }) => {
    const place = release.answer.ordered ? `${rank}. ` : "";
    const lead = gap === undefined ? "" : `, leads the next by ${gap.value} (from ${gap.low} to ${gap.high})`;
    return `${place}${item}${lead}`;
  });
  return [caption(release), ...names.map((name) => `${name}.`)].join(" ");
}

/** Letters and digits of the release's id, so that two pictures on a page do not share ids. */
function idOf({ id }: Release | NewRelease): string {
  return id.replace(/[^A-Za-z\d]/g, "").slice(0, 32) || "release";
}
