import { Refusal } from "winnow-release";
/**
 * Shared by all commands to define their options: the names of options (`chooseScale` in the program is
 * `choose-scale` in a configuration file and `--choose-scale` on the command line), arguments that are counts,
 * sizes and durations, and the examples at the end of the help.
 *
 * Only numbers that control the program are parsed here. Numbers that belong to a guarantee stay text until the
 * library reads them as rationals. A test parses every example, so each one works as written.
 * @module
 */

/** In the working folder, unless --ledger names another or the folder of the rows has one that knows them. */
export const DEFAULT_LEDGER = "winnow.ledger";

/** Parses an integer ≥ 1. */
export function positiveInteger(option: string): (text: string) => number {
  return integer(option, 1, "an integer >= 1");
}

/** Parses an integer, which may be negative. */
export function wholeNumber(option: string): (text: string) => number {
  return integer(option, Number.MIN_SAFE_INTEGER, "an integer");
}

function integer(option: string, least: number, expected: string): (text: string) => number {
  return (text) => {
    const number = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!Number.isSafeInteger(number) || number < least) throw wrong(option, expected, text);
    return number;
  };
}

const SIZES: Readonly<Record<string, number>> = { "": 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

/** Parses a number of bytes: 512M, 2G, 1500000. */
export function byteSize(option: string): (text: string) => number {
  return (text) => {
    const match = /^(\d+)\s*([kmgt]?)i?b?$/i.exec(text);
    const bytes = match === null ? 0 : Number(match[1]) * SIZES[match[2].toLowerCase()];
    if (!Number.isSafeInteger(bytes) || bytes < 1) throw wrong(option, "a size such as 512M or 2G", text);
    return bytes;
  };
}

const TIMES: Readonly<Record<string, number>> = { ms: 1, "": 1000, s: 1000, m: 60_000, h: 3_600_000 };

/** Parses a duration into milliseconds: 90s, 10m, 2h, or a number of seconds. */
export function duration(option: string): (text: string) => number {
  return (text) => {
    const match = /^(\d+)\s*(ms|s|m|h|)$/i.exec(text);
    const time = match === null ? 0 : Number(match[1]) * TIMES[match[2].toLowerCase()];
    if (!Number.isSafeInteger(time) || time < 1) throw wrong(option, "a time such as 90s or 10m", text);
    return time;
  };
}

function wrong(option: string, expected: string, got: string): Refusal {
  return new Refusal(
    "usage",
    `${option === "k" ? "-k" : `--${option}`} must be ${expected}; got ${JSON.stringify(got)}.`,
  );
}

export function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** As typed on the command line. */
export function optionName(name: string): string {
  return name === "k" ? "-k" : `--${kebabCase(name)}`;
}

/** Pairs of a command line and what it does; the second is empty where the command says enough. */
export function examples(...pairs: readonly (readonly [line: string, meaning: string])[]): string {
  const lines = pairs.map(([line, meaning]) => `  $ ${line}${meaning === "" ? "" : `\n      ${meaning}`}`);
  return `\nExamples:\n${lines.join("\n")}\n`;
}
