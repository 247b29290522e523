/**
 * What there is to complete: every command with its options, asked of the commands themselves.
 * @module
 */
import type { Command, Option } from "commander";

export interface Completed {
  /** `top`, `budget init`; empty for the program itself. */
  readonly path: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
}

export interface CompletedOption {
  /** `--epsilon`, `-k`. */
  readonly flags: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** All commands with their options, and those of the program, which go with each. */
export function completedOf(program: Command): Completed[] {
  const shared = visibleOptions(program);
  const all = program.commands.flatMap((command) => [
    command,
    ...command.commands.filter((inner) => inner.name() !== "help"),
  ]);
  return all
    .filter((command) => command.name() !== "help")
    .map((command) => ({
      path: pathOf(command),
      summary: command.summary() || command.description(),
      options: [...visibleOptions(command), ...shared],
    }));
}

function pathOf(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`;
}

function visibleOptions(command: Command): CompletedOption[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .map((option: Option) => ({
      flags: [option.short, option.long].flatMap((flag) => flag ?? []),
      description: option.description,
      takesValue: option.required || option.optional,
      choices: option.argChoices ?? [],
    }));
}

/** Commands that have commands of their own. */
export function groupsOf(commands: readonly Completed[]): string[] {
  return [...new Set(commands.flatMap(({ path }) => (path.includes(" ") ? [path.split(" ")[0]] : [])))];
}

export function namesOf(commands: readonly Completed[], group: string): string[] {
  return commands.flatMap(({ path }) => {
    const names = path.split(" ");
    return (group === "" ? names.length === 1 : names.length === 2 && names[0] === group)
      ? [names.at(-1)!]
      : [];
  });
}

/** Without what a shell would take for its own. */
export function plain(text: string): string {
  return text.replace(/['"\\`$]/g, "").replace(/:/g, " -");
}
