/**
 * Ranks over time as a self-contained picture: a column for each release, a row for each rank, and a line for each name. Where a list is a
 * set, each name has a row of its own, with a dot for each release that names it. Made of public answers alone. Names are text; a
 * title and a description say the same to people who can't see it.
 * @module
 */
import type { NewRelease, Release } from "../document/release-document.js";
import { compareNames } from "../parts/names.js";
import { forXml, visible } from "../words/neutralise.js";
import { numberOf } from "../words/sentences.js";
import { CHANGES_NOTE, changesBetween, changesInOneLine, momentOf } from "./changes.js";
import { fitted, noteElement, round, textElement, WIDE, wrapped } from "./svg-bodies.js";
import { styleSheet } from "./to-svg.js";

/**
 * Title and words of a picture of ranks over time.
 *
 * @inline
 */
export interface RanksOptions {
  /** Dark or light; by default what the reader's system prefers. */
  readonly dark?: boolean | undefined;
  /** Instead of the question in words. */
  readonly title?: string | undefined;
}

const MOST_ROWS = 40;
const ROW = 24;
const NAME_WIDTH = 150;
const NAME_LETTERS = 16;
const DOT = 4;
/** Between the texts below the columns. */
const LABEL_WIDTH = 74;

type Listed = Release | NewRelease;

/** A name in one release: the row that it is drawn in. */
interface Place {
  readonly column: number;
  readonly row: number;
}

/** `releases` are about one question without groups, in their order: see `inOrderOfMoments`. */
export function ranksSvg(releases: readonly Listed[], { dark, title }: RanksOptions = {}): string {
  const isOrdered = releases.every(({ answer }) => answer.ordered);
  const rowsOf = isOrdered ? byRank(releases) : bySet(releases);
  const all = [...rowsOf].map(([item, places]) => ({
    item,
    places: places.filter(({ row }) => row < MOST_ROWS),
  }));
  const lines = all.filter(({ places }) => places.length > 0);
  const rows = Math.max(1, ...lines.flatMap(({ places }) => places.map(({ row }) => row + 1)));
  const { width, margin } = WIDE;
  const [left, right] = [margin + NAME_WIDTH, width - margin - NAME_WIDTH];
  const step = releases.length < 2 ? 0 : (right - left) / (releases.length - 1);
  const heading =
    title ?? `${isOrdered ? "Ranks" : "Who is listed"} over ${numberOf(releases.length, "release")}`;
  const titles = wrapped(visible(heading), WIDE.titleLetters).slice(0, 3);
  const top = 42 + titles.length * 25 + 10;
  const x = (column: number) => round(left + column * step);
  const y = (row: number) => top + row * ROW;
  const last = releases.length - 1;
  const drawn = lines.map(({ item, places }, i) =>
    lineElement(item, places, { x, y, last, step, hue: `hue${i % HUES.length}` }),
  );
  const bottom = y(rows - 1) + 28;
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / Math.max(step, 1)));
  const moments = releases.flatMap((release, column) =>
    (last - column) % every === 0
      ? [textElement(momentOf(release), { x: x(column), y: bottom, look: "small quiet middle" })]
      : [],
  );
  const grid = releases
    .map((_, column) => `<path class="grid" d="M${x(column)} ${top - 12}V${y(rows - 1) + 12}"/>`)
    .join("");
  const cut = all.some(({ places, item }) => places.length < rowsOf.get(item)!.length);
  const words = `${CHANGES_NOTE}${cut ? ` The picture has the first ${MOST_ROWS} rows.` : ""}`;
  const note = noteElement(words, bottom + 28, WIDE);
  const height = bottom + 28 + note.height + 6;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="winnow-ranks-title winnow-ranks-description">` +
    `<title id="winnow-ranks-title">${forXml(heading)}</title>` +
    `<desc id="winnow-ranks-description">${forXml(descriptionOf(releases))}</desc>` +
    `<style>${styleSheet(dark)}.line{stroke-width:2;fill:none}${HUES.map((hue, i) => `.hue${i}{stroke:${hue};fill:${hue}}.line.hue${i}{fill:none}`).join("")}</style>` +
    `<rect class="paper" width="${width}" height="${height}" rx="12"/>` +
    titles.map((line, i) => textElement(line, { x: margin, y: 42 + i * 25, look: "title" })).join("") +
    grid +
    drawn.join("") +
    moments.join("") +
    `${note.content}</svg>\n`
  );
}

/** Each name's ranks. */
function byRank(releases: readonly Listed[]): ReadonlyMap<string, readonly Place[]> {
  const places = new Map<string, Place[]>();
  releases.forEach(({ answer }, column) => {
    answer.winners.forEach(({ item }, row) => {
      places.set(item, [...(places.get(item) ?? []), { column, row }]);
    });
  });
  return places;
}

/** A row for each name: those that are listed most often first. */
function bySet(releases: readonly Listed[]): ReadonlyMap<string, readonly Place[]> {
  const columns = new Map<string, number[]>();
  releases.forEach(({ answer }, column) => {
    for (const { item } of answer.winners) columns.set(item, [...(columns.get(item) ?? []), column]);
  });
  const rows = [...columns].toSorted(
    ([a, one], [b, other]) => other.length - one.length || compareNames(a, b),
  );
  return new Map(rows.map(([item, listed], row) => [item, listed.map((column) => ({ column, row }))]));
}

interface Line {
  readonly x: (column: number) => number;
  readonly y: (row: number) => number;
  readonly last: number;
  /** Between two columns. */
  readonly step: number;
  /** The class of its colour. */
  readonly hue: string;
}

/** The dots of a name, lines between columns that follow one another, and its name at the ends that are in sight. */
function lineElement(item: string, places: readonly Place[], { x, y, last, step, hue }: Line): string {
  const path = places
    .map(({ column, row }, i) => {
      const before = places[i - 1];
      return `${before?.column === column - 1 ? "L" : "M"}${x(column)} ${y(row)}`;
    })
    .join("");
  const dots = places
    .map(({ column, row }) => `<circle class="${hue}" cx="${x(column)}" cy="${y(row)}" r="${DOT}"/>`)
    .join("");
  const ends = places.filter(({ column }) => column === 0 || column === last);
  const names = ends.map(({ column, row }) =>
    textElement(fitted(item, NAME_LETTERS), {
      x: column === last ? x(column) + 12 : x(column) - 12,
      y: y(row) + 5,
      look: column === last ? "name" : "name end",
    }),
  );
  const [first] = places;
  const letters = Math.floor((Math.max(step, 40) * 1.6) / 6.5);
  const between =
    ends.length > 0 || first === undefined
      ? ""
      : textElement(fitted(item, letters), {
          x: x(first.column),
          y: y(first.row) - 7,
          look: "small quiet middle",
        });
  return `<g><title>${forXml(item)}</title><path class="line ${hue}" d="${path}"/>${dots}${names.join("")}${between}</g>`;
}

/** Colours that can be told apart on light and on dark paper, also by people who see few of them. */
const HUES = [
  "#3b8a70",
  "#c2703d",
  "#5b7bc0",
  "#a3568f",
  "#8a8f2a",
  "#4a9fb5",
  "#b5533c",
  "#7a6bb0",
] as const;

/** Everything that the picture shows, as sentences. */
function descriptionOf(releases: readonly Listed[]): string {
  return releases
    .map((release, i) => {
      const before = releases[i - 1];
      if (before === undefined)
        return `${momentOf(release)}: ${release.answer.winners.map(({ item }) => visible(item)).join(", ")}.`;
      return `${momentOf(release)}: ${changesInOneLine(changesBetween(before.answer, release.answer), visible)}.`;
    })
    .join(" ");
}
