/**
 * Text in a picture, which neither wraps nor shrinks by itself. Widths are estimated: letters of most scripts are about as
 * wide as half the font size, those of East Asian scripts and pictographs as the whole of it.
 * @module
 */
import { forXml, visible } from "./neutralise.js";
import { type Drawing, MARGIN } from "./svg-layout.js";

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
export function fitted(name: string, letters: number): string {
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

export interface TextPlace {
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
export function moreElement(count: number, y: number): Drawing {
  if (count <= 0) return { content: "", height: 0 };
  const sentence = `and ${count.toLocaleString("en")} more`;
  return { content: textElement(sentence, { x: MARGIN + 28, y, look: "small quiet" }), height: 24 };
}

const LONGEST_NUMBER = 9;

/** "1,250", or "12.3M" where that is too long. */
export function shortNumber(value: number): string {
  const text = value.toLocaleString("en", { maximumFractionDigits: 6 });
  if (text.length <= LONGEST_NUMBER) return text;
  return value.toLocaleString("en", { notation: "compact", maximumFractionDigits: 1 });
}
