/**
 * One neutraliser for every place where a name from private rows is shown. Names come from strangers: they may hold
 * escape sequences, marks that turn the text around, characters that cannot be seen, formulas and markup. What could act
 * is made visible as `\u{1b}`, and what each place understands as its own syntax is quoted:
 *
 *   forTerminal   no control, bidirectional, invisible or line-breaking character; long names end in "…"
 *   forCsvField   the same, no live formula in any spreadsheet, quoted by RFC 4180; `fromSpreadsheet` undoes it exactly
 *   forXml        the same, escaped for text and attributes of XML, SVG and HTML
 *   forJson       JSON that shows as it is read: everything of the kind as \u escapes, and nothing that ends a <script>
 *
 * JSON keeps the exact name; the others are for people.
 * @module
 */

/**
 * Cc: control characters (C0, DEL, C1). Cf: format characters (bidirectional marks, zero-width ones, soft hyphen). Zl, Zp: line
 * and paragraph separators. Cs: halves of surrogate pairs on their own. DI: whatever else is shown as nothing, such as
 * tags, fillers and variation selectors, except the one that emoji use and the joiner between two emoji, which can be
 * seen. Then the blank braille pattern, and U+FFFE and U+FFFF, which XML forbids.
 */
const HIDDEN =
  /(?!\u{fe0f}|(?<=\p{ExtPict}[\u{fe0f}\p{EMod}]?)\u{200d}(?=\p{ExtPict}))[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{DI}\u{2800}\u{fffe}\u{ffff}]/gu;

/** The text with every character that could hide or act made visible; doing it twice changes nothing more. */
export function visible(text: string): string {
  return text.replace(HIDDEN, escaped);
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) as number).toString(16)}}`;
}

const LONGEST_SHOWN = 60;

/** The text on one line that a terminal shows as it is; past `most` characters it ends in "…". */
export function forTerminal(text: string, most = LONGEST_SHOWN): string {
  return shortened(visible(text), most);
}

/** At most `most` characters, whole ones, the last of them "…" if any is missing. */
export function shortened(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}

/** What starts a formula, in half and full width, at the start of the field or of what a spreadsheet may take for one. */
const FORMULA = /(^|[,;|])([\s"]*)(?=[=+\-@＝＋－＠﹢﹣﹦﹫])/gu;
/** An apostrophe where one defuses a formula. */
const APOSTROPHE = /(^|[,;|])'(?=[\s"]*[=+\-@＝＋－＠﹢﹣﹦﹫])/gu;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/**
 * The text as a spreadsheet may show it. A formula is defused by an apostrophe before it; a plain number stays one. Where the
 * text itself has such an apostrophe, or a `\u{`, the apostrophe or backslash is escaped, so that no two texts look alike.
 */
export function forSpreadsheet(text: string): string {
  if (NUMBER.test(text)) return text;
  const escapes = visible(text.replace(/\\(?=u\{)/g, escaped));
  return escapes.replace(APOSTROPHE, `$1${escaped("'")}`).replace(FORMULA, "$1'$2");
}

/** The text that `forSpreadsheet` shows so; undefined if it shows none so. */
export function fromSpreadsheet(shown: string): string | undefined {
  const text = shown
    .replace(APOSTROPHE, "$1")
    .replace(/\\u\{([\da-f]{1,6})\}/g, (written, digits: string) => characterOf(digits) ?? written);
  return forSpreadsheet(text) === shown ? text : undefined;
}

function characterOf(digits: string): string | undefined {
  const point = Number.parseInt(digits, 16);
  return point <= LAST_CODE_POINT ? String.fromCodePoint(point) : undefined;
}

const LAST_CODE_POINT = 0x10ffff;

/** A field of a CSV file. */
export function forCsvField(text: string): string {
  const shown = forSpreadsheet(text);
  return /[",;\s]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text or an attribute's value in XML, SVG or HTML. */
export function forXml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => ENTITIES[character]);
}

/** The value as JSON in which nothing hides; reads back as the same value. */
export function forJson(value: unknown): string {
  const hidden = new RegExp(`${HIDDEN.source}|[<>&]`, "gu");
  return JSON.stringify(value, null, 2).replace(hidden, (character) =>
    character === "\n" ? character : unicodeEscapes(character),
  );
}

/** One \uXXXX for each UTF-16 code unit, as in JSON. */
function unicodeEscapes(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** The class and location of an unexpected error, which can't contain private rows; its text can. */
export function kindAndPlace(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = String(error.stack)
    .replace(error.message, "")
    .split("\n")
    .filter((line) => line.startsWith("    at "));
  const place = /\/((?:dist|src|node_modules)\/[\w@./-]+:\d+)/.exec(frames.join("\n"));
  return place === null ? error.constructor.name : `${error.constructor.name} at ${place[1]}`;
}
