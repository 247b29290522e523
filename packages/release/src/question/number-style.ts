/**
 * How numbers are written in a column of text: a public rule, given before a row is read and recorded with the release. `plain` is
 * what every engine reads (`NUMBER_PATTERN`): 1234.5. `point` is 1,234.50 and `comma` is 1.234,50; both also take groups of
 * three digits with spaces or apostrophes, and a currency (a sign or three capital letters) at either end. A text that
 * doesn't follow the rule isn't a number: nothing is guessed from the rows, and no text means two numbers.
 *
 * A rule is two regular expressions in the common part of JavaScript and RE2, so that the page and the command line's engine read
 * alike: one that tells numbers, and one for what is dropped from them.
 * @module
 */
import { NUMBER_PATTERN } from "./number-text.js";

/** The ways of writing numbers that can be read. */
export const NUMBER_STYLES = ["plain", "point", "comma"] as const;
/** How numbers are written in a column. */
export type NumberStyle = (typeof NUMBER_STYLES)[number];

/** All but the plain style. */
export type WrittenStyle = Exclude<NumberStyle, "plain">;

/** How a style separates digits, and what it leaves out. */
export interface StyleRule {
  /** Numbers in this style, as a regular expression without a backslash. */
  readonly pattern: string;
  /** What a number is left with once this is dropped: digits, one mark and perhaps a sign. */
  readonly dropped: string;
  readonly mark: string;
  /** A number in this style, for a sentence. */
  readonly example: string;
}

const CURRENCY = "([€$£¥₹₩₽₺₪₫฿₱₴₦¢]|[A-Z]{3})";
const SPACES = " \u{a0}\u{2009}\u{202f}";

function ruleOf(mark: string, group: string, example: string): StyleRule {
  const groups = [`[${group}]`, ...[...SPACES].map((space) => `[${space}]`), "['’]"].map(
    (sign) => `(${sign}[0-9]{3}){1,12}`,
  );
  const digits = `([0-9]{1,40}|[0-9]{1,3}(${groups.join("|")}))([${mark}][0-9]{0,40})?`;
  const [before, after] = [`(${CURRENCY}[${SPACES}]?)?`, `([${SPACES}]?${CURRENCY})?`];
  return {
    pattern: `^([+-]?${before}|${before}[+-]?)${digits}${after}$`,
    dropped: `[^0-9${mark}+-]`,
    mark,
    example,
  };
}

/** The rule of each style, which is public and part of the question. */
export const STYLE_RULES: Readonly<Record<WrittenStyle, StyleRule>> = {
  point: ruleOf(".", ",", "1,234.50"),
  comma: ruleOf(",", ".", "1.234,50"),
};

const PLAIN = new RegExp(NUMBER_PATTERN);
const READERS = Object.fromEntries(
  Object.entries(STYLE_RULES).map(([style, rule]) => [
    style,
    { isOne: new RegExp(rule.pattern), dropped: new RegExp(rule.dropped, "g"), mark: rule.mark },
  ]),
);

/** The number as `plain` writes it; undefined if the text isn't a number in this style. */
export function plainNumber(text: string, style: NumberStyle = "plain"): string | undefined {
  const reader = READERS[style];
  if (reader === undefined) return PLAIN.test(text) ? text : undefined;
  if (!reader.isOne.test(text)) return undefined;
  return text.replace(reader.dropped, "").replace(reader.mark, ".");
}

/** How many of the texts that aren't plain numbers would be numbers in each style. */
export type WrittenNumbers = Readonly<Record<WrittenStyle, number>>;

/** The style in which more of them would be numbers, if that is at least half. */
export function likelyStyle(written: WrittenNumbers | undefined, skipped: number): WrittenStyle | undefined {
  if (written === undefined || skipped === 0) return undefined;
  const style = written.comma >= written.point ? "comma" : "point";
  return 2 * written[style] >= skipped ? style : undefined;
}
