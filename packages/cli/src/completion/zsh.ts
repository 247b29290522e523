/**
 * The completion script for zsh.
 * @module
 */
import { type Completed, type CompletedOption, groupsOf, namesOf, plain } from "./completed.js";

export function zshScript(commands: readonly Completed[]): string {
  const named = commands.filter(({ path }) => !path.includes(" "));
  const cases = commands.map(
    ({ path, options }) =>
      `    ("${path}") _arguments ${options.map(zshOption).join(" ")} '*:file:_files' ;;`,
  );
  return `#compdef winnow
# zsh completion for winnow
_winnow() {
  local command="\${words[2]}" inner="\${words[3]}"
  if (( CURRENT == 2 )); then
    local -a commands=(${named.map(({ path, summary }) => `'${path}:${plain(summary)}'`).join(" ")})
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
  return flags.map((flag) => `'${flag}[${plain(description).replace(/[[\]:]/g, " ")}]${value}'`).join(" ");
}
