/**
 * How commands take the options of the two tables, release's OPTIONS and RUN_OPTIONS here: their flags and help, the names of options
 * (`chooseScale` in the program is `choose-scale` in a configuration file and `--choose-scale` on the command line), arguments
 * that are counts, sizes and durations, and the examples at the end of the help.
 *
 * Only numbers that control the program are parsed here. Numbers that belong to a guarantee stay text until the
 * library reads them as rationals. A test parses every example, so each one works as written.
 * @module
 */
import { type Command, Option } from "commander";
import {
  flagOf,
  kebabCase,
  MECHANISMS,
  mustBe,
  OPTIONS,
  type OptionEntry,
  type OptionName,
  type OptionType,
  type Question,
  Refusal,
} from "winnow-release";
import { RUN_OPTIONS, type RunOptionName } from "./run-options.js";

/** In the working folder, unless --ledger names another or the folder of the rows has one that knows them. */
export const DEFAULT_LEDGER = "winnow.ledger";

export type AnyOptionName = OptionName | RunOptionName;

/** An option as one command takes it, where that differs from the table. */
export interface Taken {
  readonly name: AnyOptionName;
  readonly text?: string | undefined;
  /** Where a short name means something else in this command. */
  readonly flags?: string;
  /** The placeholder in the help, where the value is a list here; then it stays text. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly default?: string | number;
  readonly isRequired?: true;
  readonly isHidden?: true;
}

/** Adds options to a command, in this order. */
export function addOptions(command: Command, taken: readonly (AnyOptionName | Taken)[]): Command {
  for (const each of taken) command.addOption(optionOf(typeof each === "string" ? { name: each } : each));
  return command;
}

/** By its name in the program: of either table. */
export function entryOf(name: string): OptionEntry | undefined {
  const table: Readonly<Record<string, OptionEntry>> = { ...OPTIONS, ...RUN_OPTIONS };
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function optionOf({ name, text, flags: own, value, choices, default: usual, ...more }: Taken): Option {
  const entry = entryOf(name)!;
  const names = own ?? entry.flags;
  const placeholder = value ?? entry.value ?? (entry.type === "switch" ? "" : PLACEHOLDERS[entry.type]);
  const flags = entry.type === "switch" ? names : `${names} <${placeholder}>`;
  const option = new Option(flags, text ?? entry.text);
  const allowed = choices ?? entry.choices;
  if (allowed !== undefined) option.choices([...allowed]);
  const parse = value === undefined ? PARSERS[entry.type] : undefined;
  if (parse !== undefined) option.argParser(parse(flagOf(entry)));
  if (more.isRequired) option.makeOptionMandatory();
  if (more.isHidden) option.hideHelp();
  return usual === undefined ? option : option.default(usual);
}

const PLACEHOLDERS: Readonly<Record<Exclude<OptionType, "switch">, string>> = {
  count: "n",
  integer: "n",
  rational: "rational",
  rationals: "list",
  range: "lower..upper",
  choice: "name",
  column: "column",
  file: "file",
  text: "text",
  size: "size",
  time: "time",
};

/** The mechanisms for one kind of question, or all of them. */
export function mechanismNames(kind?: Question["kind"]): readonly string[] {
  const all = MECHANISMS.filter(({ rules }) => kind === undefined || rules.kind === kind);
  return all.map(({ name }) => name);
}

/** Parses an integer ≥ 1. */
export function positiveInteger(flag: string): (text: string) => number {
  return integer(flag, 1, "an integer >= 1");
}

/** Parses an integer, which may be negative. */
export function wholeNumber(flag: string): (text: string) => number {
  return integer(flag, Number.MIN_SAFE_INTEGER, "an integer");
}

function integer(flag: string, least: number, expected: string): (text: string) => number {
  return (text) => {
    const number = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!Number.isSafeInteger(number) || number < least) throw wrong(flag, expected, text);
    return number;
  };
}

const SIZES: Readonly<Record<string, number>> = { "": 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

/** Parses a number of bytes: 512M, 2G, 1500000. */
export function byteSize(flag: string): (text: string) => number {
  return (text) => {
    const match = /^(\d+)\s*([kmgt]?)i?b?$/i.exec(text);
    const bytes = match === null ? 0 : Number(match[1]) * SIZES[match[2].toLowerCase()];
    if (!Number.isSafeInteger(bytes) || bytes < 1) throw wrong(flag, "a size such as 512M or 2G", text);
    return bytes;
  };
}

const TIMES: Readonly<Record<string, number>> = { ms: 1, "": 1000, s: 1000, m: 60_000, h: 3_600_000 };

/** Parses a duration into milliseconds: 90s, 10m, 2h, or a number of seconds. */
export function duration(flag: string): (text: string) => number {
  return (text) => {
    const match = /^(\d+)\s*(ms|s|m|h|)$/i.exec(text);
    const time = match === null ? 0 : Number(match[1]) * TIMES[match[2].toLowerCase()];
    if (!Number.isSafeInteger(time) || time < 1) throw wrong(flag, "a time such as 90s or 10m", text);
    return time;
  };
}

function wrong(flag: string, expected: string, got: string): Refusal {
  return new Refusal("usage", mustBe(flag, expected, got));
}

/** How the values of a type are read; the others stay text until the library reads them. */
const PARSERS: { readonly [Type in OptionType]?: (flag: string) => (text: string) => unknown } = {
  count: positiveInteger,
  integer: wholeNumber,
  size: byteSize,
  time: duration,
};

/** As typed on the command line. */
export function optionName(name: string): string {
  const entry = entryOf(name);
  return entry === undefined ? `--${kebabCase(name)}` : flagOf(entry);
}

/** Pairs of a command line and what it does; the second is empty where the command says enough. */
export function examples(...pairs: readonly (readonly [line: string, meaning: string])[]): string {
  const lines = pairs.map(([line, meaning]) => `  $ ${line}${meaning === "" ? "" : `\n      ${meaning}`}`);
  return `\nExamples:\n${lines.join("\n")}\n`;
}
