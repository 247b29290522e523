/**
 * `winnow completion SHELL`: a script that completes commands, options and file names, made from the commands themselves, so
 * that it knows all of them.
 * @module
 */
import type { Command } from "commander";
import { bashScript } from "../completion/bash.js";
import { type Completed, completedOf } from "../completion/completed.js";
import { fishScript } from "../completion/fish.js";
import { zshScript } from "../completion/zsh.js";
import { Refusal } from "../refusal.js";
import { examples } from "../render/examples.js";
import { print } from "../render/print.js";

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
      if (script === undefined)
        throw new Refusal("usage", `The shell must be bash, zsh or fish; got ${JSON.stringify(shell)}.`);
      await print(script(completedOf(program)));
    });
}
