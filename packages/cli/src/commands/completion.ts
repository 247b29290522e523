/**
 * `winnow completion SHELL`: a script for bash, zsh or fish that completes commands, options and file names. It is
 * generated from the commands themselves, so it covers all of them.
 * @module
 */

import type { Command, Option } from "commander";
import { mustBe, Refusal, SIMULATED } from "winnow-release";
import { examples } from "../command-options.js";
import { print } from "../render/terminal.js";

const SHELLS: Readonly<Record<string, (commands: readonly Completed[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export function register(program: Command): void {
  program
    .command("completion <shell>")
    .summary("a completion script for bash, zsh or fish")
    .description("Prints a completion script for bash, zsh or fish.")
    .addHelpText(
      "after",
      examples(
        ["winnow completion bash > ~/.local/share/bash-completion/completions/winnow", ""],
        ["winnow completion zsh > ~/.zfunc/_winnow", ""],
        ["winnow completion fish > ~/.config/fish/completions/winnow.fish", ""],
      ),
    )
    .action(async (shell: string) => {
      const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
      if (script === undefined) throw new Refusal("usage", mustBe("The shell", "bash, zsh or fish", shell));
      await print(script(completedOf(program)));
    });
}

interface Completed {
  /** `top`, `budget init`; empty for the program itself. */
  readonly path: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** The values of its argument, where it is a choice. */
  readonly choices: readonly string[];
}

interface CompletedOption {
  /** `--epsilon`, `-k`. */
  readonly flags: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** All commands with their options, and the options of the program, which every command takes. */
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
      choices: ARGUMENTS[pathOf(command)] ?? [],
      options: [...visibleOptions(command), ...shared],
    }));
}

/** The choices of an argument, by command. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  completion: Object.keys(SHELLS),
  simulate: Object.keys(SIMULATED),
};

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

/** Commands with subcommands. */
function groupsOf(commands: readonly Completed[]): string[] {
  return [...new Set(commands.flatMap(({ path }) => (path.includes(" ") ? [path.split(" ")[0]] : [])))];
}

function namesOf(commands: readonly Completed[], group: string): string[] {
  return commands.flatMap(({ path }) => {
    const names = path.split(" ");
    return (group === "" ? names.length === 1 : names.length === 2 && names[0] === group)
      ? [names.at(-1)!]
      : [];
  });
}

/** Without characters that a shell would interpret. */
function withoutShellSyntax(text: string): string {
  return text.replace(/['"\\`$]/g, "").replace(/:/g, " -");
}

export function bashScript(commands: readonly Completed[]): string {
  const cases = commands.map(
    ({ path, options, choices }) =>
      `    "${path}") flags="${bashFlags(options)}"; choices="${choices.join(" ")}" ;;`,
  );
  // The same option has other values in other commands.
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ flags, choices }) =>
      choices.length === 0
        ? []
        : flags.map(
            (flag) =>
              `    "${path} ${flag}") COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$word")); return ;;`,
          ),
    ),
  );
  return `# bash completion for winnow
_winnow() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" flags="" choices=""
  local command="\${COMP_WORDS[1]}" inner="\${COMP_WORDS[2]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${namesOf(commands, "").join(" ")} help" -- "$word"))
    return
  fi
  if [ "$command" = "help" ]; then
    COMPREPLY=($(compgen -W "${namesOf(commands, "").join(" ")}" -- "$word"))
    return
  fi
${groupsOf(commands)
  .map(
    (group) => `  if [ "$command" = "${group}" ] && [ "$COMP_CWORD" -eq 2 ]; then
    COMPREPLY=($(compgen -W "${namesOf(commands, group).join(" ")}" -- "$word"))
    return
  fi
`,
  )
  .join("")}  case "$command $inner" in
${groupsOf(commands)
  .map((group) => `    "${group} "*) command="$command $inner" ;;`)
  .join("\n")}
  esac
  case "$command $before" in
${values.join("\n")}
  esac
  case "$command" in
${cases.join("\n")}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
    *) if [ -n "$choices" ] && [ "$COMP_CWORD" -eq 2 ]; then
        COMPREPLY=($(compgen -W "$choices" -- "$word"))
        return
      fi
      COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _winnow winnow
`;
}

function bashFlags(options: readonly CompletedOption[]): string {
  return options.flatMap(({ flags }) => flags).join(" ");
}

export function zshScript(commands: readonly Completed[]): string {
  const named = commands.filter(({ path }) => !path.includes(" "));
  const cases = commands.map(
    ({ path, options, choices }) =>
      `    ("${path}") _arguments ${options.map(zshOption).join(" ")} ${choices.length > 0 ? `'2:choice:(${choices.join(" ")})' ` : ""}'*:file:_files' ;;`,
  );
  return `#compdef winnow
# zsh completion for winnow
_winnow() {
  local command="\${words[2]}" inner="\${words[3]}"
  if (( CURRENT == 2 )); then
    local -a commands=(${named.map(({ path, summary }) => `'${path}:${withoutShellSyntax(summary)}'`).join(" ")})
    _describe 'command' commands
    return
  fi
${groupsOf(commands)
  .map(
    (group) => `  if [[ "$command" == "${group}" ]]; then
    if (( CURRENT == 3 )); then compadd ${namesOf(commands, group).join(" ")}; return; fi
    command="$command $inner"
  fi
`,
  )
  .join("")}  case "$command" in
${cases.join("\n")}
  esac
}
_winnow "$@"
`;
}

function zshOption({ flags, description, takesValue, choices }: CompletedOption): string {
  const value = takesValue ? `:value:${choices.length > 0 ? `(${choices.join(" ")})` : "_files"}` : "";
  return flags
    .map((flag) => `'${flag}[${withoutShellSyntax(description).replace(/[[\]:]/g, " ")}]${value}'`)
    .join(" ");
}

export function fishScript(commands: readonly Completed[]): string {
  const named = commands.filter(({ path }) => !path.includes(" "));
  const lines = [
    "# fish completion for winnow",
    ...named.map(
      ({ path, summary }) =>
        `complete -c winnow -n __fish_use_subcommand -a ${path} -d '${withoutShellSyntax(summary)}'`,
    ),
    ...groupsOf(commands).map(
      (group) =>
        `complete -c winnow -n '__fish_seen_subcommand_from ${group}' -a '${namesOf(commands, group).join(" ")}'`,
    ),
    ...commands.flatMap(({ path, choices }) =>
      choices.length === 0
        ? []
        : `complete -c winnow -n '__fish_seen_subcommand_from ${path}' -f -a '${choices.join(" ")}'`,
    ),
    ...commands.flatMap(({ path, options }) => options.map((option) => fishOption(path, option))),
  ];
  return `${lines.join("\n")}\n`;
}

function fishOption(path: string, { flags, description, takesValue, choices }: CompletedOption): string {
  const condition = path
    .split(" ")
    .map((name) => `__fish_seen_subcommand_from ${name}`)
    .join("; and ");
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const value = takesValue ? ` -r${choices.length > 0 ? ` -a '${choices.join(" ")}'` : ""}` : "";
  return `complete -c winnow -n '${condition}' ${names.join(" ")}${value} -d '${withoutShellSyntax(description)}'`;
}
