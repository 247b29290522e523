/**
 * The completion script for bash.
 * @module
 */
import { type Completed, type CompletedOption, groupsOf, namesOf } from "./completed.js";

export function bashScript(commands: readonly Completed[]): string {
  const cases = commands.map(({ path, options }) => `    "${path}") flags="${flagsOf(options)}" ;;`);
  const values = [...choicesOf(commands)].map(
    ([flag, choices]) =>
      `    ${flag}) COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$word")); return ;;`,
  );
  return `# bash completion for winnow
_winnow() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" flags=""
  local command="\${COMP_WORDS[1]}" inner="\${COMP_WORDS[2]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${namesOf(commands, "").join(" ")} help" -- "$word"))
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
  .join("")}  case "$before" in
${values.join("\n")}
  esac
  case "$command $inner" in
${groupsOf(commands)
  .map((group) => `    "${group} "*) command="$command $inner" ;;`)
  .join("\n")}
  esac
  case "$command" in
${cases.join("\n")}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _winnow winnow
`;
}

function flagsOf(options: readonly CompletedOption[]): string {
  return options.flatMap(({ flags }) => flags).join(" ");
}

function choicesOf(commands: readonly Completed[]): Map<string, readonly string[]> {
  const options = commands.flatMap((command) => command.options).filter(({ choices }) => choices.length > 0);
  return new Map(options.flatMap(({ flags, choices }) => flags.map((flag) => [flag, choices] as const)));
}
