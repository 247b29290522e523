/**
 * The program `winnow` as other languages carry it: the command line's own commands for releases, plans and ledgers. The other
 * commands are named, and say where they are.
 * @module
 */
import { Refusal } from "winnow-release";
import { type CommandModule, commandLine, runCommandLine } from "../../../cli/src/command-line.js";
import * as budget from "../../../cli/src/commands/budget.js";
import * as changes from "../../../cli/src/commands/changes.js";
import * as plan from "../../../cli/src/commands/plan.js";
import * as questions from "../../../cli/src/commands/questions.js";
import * as show from "../../../cli/src/commands/show.js";
import * as verify from "../../../cli/src/commands/verify.js";
import * as watch from "../../../cli/src/commands/watch.js";
import { ELSEWHERE } from "./elsewhere.js";

const others: CommandModule = {
  register(program) {
    for (const name of ELSEWHERE)
      program
        .command(name, { hidden: true })
        .allowUnknownOption()
        .allowExcessArguments()
        .helpOption(false)
        .action(() => {
          throw new Refusal(
            "usage",
            `winnow ${name} is in the npm package winnow-cli: run \`npx winnow-cli ${name}\`.`,
          );
        });
    program.addHelpText(
      "after",
      `\nMore commands are in the npm package winnow-cli: ${ELSEWHERE.join(", ")}.\n`,
    );
  },
};

process.title = "winnow"; // hides the arguments, as in the program of npm
await runCommandLine(() =>
  commandLine(
    [questions, watch, plan, show, changes, budget, verify, others],
    [
      ["winnow top visits.csv --item area --user user -k 5 --epsilon 1 --domain areas.txt", ""],
      ["winnow help top", "everything about one command"],
    ],
  ),
);
