/**
 * The completion script for fish.
 * @module
 */
import { type Completed, type CompletedOption, groupsOf, namesOf, plain } from "./completed.js";

export function fishScript(commands: readonly Completed[]): string {
  const named = commands.filter(({ path }) => !path.includes(" "));
  const lines = [
    "# fish completion for winnow",
    ...named.map(
      ({ path, summary }) => `complete -c winnow -n __fish_use_subcommand -a ${path} -d '${plain(summary)}'`,
    ),
    ...groupsOf(commands).map(
      (group) =>
        `complete -c winnow -n '__fish_seen_subcommand_from ${group}' -a '${namesOf(commands, group).join(" ")}'`,
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
  return `complete -c winnow -n '${condition}' ${names.join(" ")}${value} -d '${plain(description)}'`;
}
