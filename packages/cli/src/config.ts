/**
 * The configuration file: defaults for the options of all commands. It is `winnow.json` in the working directory, or the file
 * that --config names:
 *
 *     { "item": "page", "epsilon": "1/2", "delta": "1e-6" }
 *
 * Winnow announces a `winnow.json` that --config didn't name in one line with its values. Such a file cannot set the
 * ledger, the data set, whom a release protects (the unit, the column of the user, the neighbours), a query, --trust-query or --multiline:
 * anyone who puts a file into the working directory must not be able to redirect a charge, or to weaken a promise.
 *
 * The command line takes precedence. Winnow refuses a key that no command knows, because a misspelt "epsilon" must not become
 * a silent default. Defaults that don't apply to a command, such as a δ when the candidates are public, are ignored: each
 * command is told which of its options are defaults.
 * @module
 */
import { existsSync } from "node:fs";
import type { Command, Option } from "commander";
import { didYouMean, kebabCase, mustBeButIs, Refusal } from "winnow-release";
import { entryOf } from "./command-options.js";
import { readPublicFile } from "./public-files.js";
import { tell } from "./render/terminal.js";

/** The usual path. */
export const CONFIGURATION = "winnow.json";
/** Options for the same thing: one of them on the command line overrides the defaults of the others. */
const ALTERNATIVES: readonly (readonly string[])[] = [
  ["epsilon", "rho"],
  ["domain", "domainTable", "domainSize"],
  ["table", "query"],
  ["json", "csv", "statement"],
];
/** Options of single commands that belong to one run and have no default; the tables say it of all others. */
const NEVER_DEFAULTS = new Set([
  ...["config", "help", "version", "newKey", "check"],
  ...["analyst", "sessionCap", "sessionDelta", "ask"],
]);

function hasDefault(name: string): boolean {
  return !NEVER_DEFAULTS.has(name) && entryOf(name)?.file !== "never";
}

/** Whether only the command line, or a file named with --config, may set it. */
function isOnlyAskedFor(name: string): boolean {
  return entryOf(name)?.file === "named";
}

type Values = Readonly<Record<string, string | boolean>>;

/** Gives the command's options the defaults of the configuration file, if there is one. */
export async function applyConfiguration(command: Command): Promise<void> {
  const given = rootOf(command).opts<{ config?: string }>().config;
  if (given === undefined && !existsSync(CONFIGURATION)) return;
  const path = given ?? CONFIGURATION;
  const known = optionsOf(rootOf(command));
  const values = readConfiguration(await readPublicFile("The configuration", path), path, [...known.keys()]);
  if (given === undefined) refuseUnasked(values, path);
  command.setOptionValueWithSource("config", path, "config");
  const defaults = command.options.filter((option) => {
    const name = option.attributeName();
    return valueFor(option, values) !== undefined && !isGiven(command, name) && mayDefault(command, name);
  });
  for (const option of defaults) set(command, option, valueFor(option, values)!, path);
  const names = defaults.map((option) => option.attributeName());
  command.setOptionValueWithSource("defaults", names, "config");
  if (given === undefined) announce(defaults, values, path);
}

/** By its long or short name: `-k` is the number of winners, whatever its long name is in a command. */
function valueFor(option: Option, values: Values): string | boolean | undefined {
  const names = [option.attributeName(), option.short?.slice(1) ?? ""];
  const name = names.find((one) => Object.hasOwn(values, one));
  return name === undefined ? undefined : values[name];
}

/** A file that happens to be there must not choose what is charged, who is protected, or which writer is trusted. */
function refuseUnasked(values: Values, path: string): void {
  const name = Object.keys(values).find(isOnlyAskedFor);
  if (name !== undefined)
    throw new Refusal(
      "usage",
      mustBeButIs(
        JSON.stringify(kebabCase(name)),
        "on the command line or in a file named with --config",
        `it in ${JSON.stringify(path)}`,
      ),
    );
}

function announce(defaults: readonly Option[], values: Values, path: string): void {
  if (defaults.length === 0) return;
  const told = defaults.map((option) => {
    const value = valueFor(option, values);
    return value === !option.negate ? optionFlag(option) : `${optionFlag(option)} ${String(value)}`;
  });
  tell(`Defaults from ${path}: ${told.join(", ")}.`);
}

function optionFlag({ long, short }: Option): string {
  return long ?? short ?? "";
}

/** The values of a configuration file; a key may read `domain-size` or `domainSize`. */
export function readConfiguration(text: string, path: string, known: readonly string[]): Values {
  const values: Record<string, string | boolean> = {};
  for (const [key, value] of Object.entries(parseObject(text, path))) {
    const name = key.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (!hasDefault(name)) throw onlyOnce(key, path);
    if (!known.includes(name)) throw unknownKey(key, path, known);
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean")
      throw new Refusal(
        "usage",
        `"${key}" of ${JSON.stringify(path)} must be text, a number, true or false.`,
      );
    values[name] = typeof value === "number" ? String(value) : value;
  }
  return values;
}

function parseObject(text: string, path: string): object {
  const object: unknown = parseJson(text);
  if (typeof object !== "object" || object === null || Array.isArray(object))
    throw new Refusal(
      "usage",
      `The configuration ${JSON.stringify(path)} must be one JSON object of options.`,
    );
  return object;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function onlyOnce(key: string, path: string): Refusal {
  return new Refusal(
    "usage",
    mustBeButIs(
      JSON.stringify(key),
      "on the command line, because it belongs to one run",
      `it in ${JSON.stringify(path)}`,
    ),
  );
}

function unknownKey(key: string, path: string, known: readonly string[]): Refusal {
  const names = known.map(kebabCase);
  return new Refusal(
    "usage",
    `The configuration ${JSON.stringify(path)} has the key ${JSON.stringify(key)}, which no command knows.${didYouMean(key, names)}`,
  );
}

/** Defaults are meant for a release: its epsilon must not become the whole budget of a data set. */
const NOT_A_RELEASE = ["budget", "export", "import"];

function mayDefault({ parent }: Command, name: string): boolean {
  return parent === null || !NOT_A_RELEASE.includes(parent.name()) || name === "ledger";
}

/** Whether the option, or another one for the same thing, is on the command line. */
function isGiven(command: Command, name: string): boolean {
  const group = ALTERNATIVES.find((names) => names.includes(name)) ?? [name];
  return group.some((other) => command.getOptionValueSource(other) === "cli");
}

/** A flag takes true or false; other values are read as if they had been typed. */
function set(command: Command, option: Option, value: string | boolean, path: string): void {
  const { argChoices: choices } = option;
  const takesValue = option.required || option.optional;
  if (takesValue === (typeof value === "boolean"))
    throw wrongValue(option, path, takesValue ? "a value" : "true or false");
  if (choices !== undefined && !choices.includes(String(value)))
    throw wrongValue(option, path, `one of ${choices.join(", ")}`);
  const read: unknown = typeof value === "string" ? (option.parseArg?.(value, undefined) ?? value) : value;
  command.setOptionValueWithSource(option.attributeName(), read, "config");
}

function wrongValue(option: Option, path: string, expected: string): Refusal {
  const key = kebabCase(option.attributeName());
  return new Refusal("usage", `"${key}" of ${JSON.stringify(path)} must be ${expected}.`);
}

/** All options of all commands that may have a default, by the name of their value. */
function optionsOf(program: Command): Map<string, Option> {
  const all = program.commands.flatMap((command) => [command, ...command.commands]);
  return new Map(
    all
      .flatMap(({ options }) => options)
      .map((option): [string, Option] => [option.attributeName(), option])
      .filter(([name]) => hasDefault(name)),
  );
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}
