/**
 * The command line as a whole: its commands, what they share, and how the defaults of a configuration file reach them.
 * @module
 */
import { Command } from "commander";
import * as adaptive from "./commands/adaptive.js";
import * as audit from "./commands/audit.js";
import * as budget from "./commands/budget.js";
import * as completion from "./commands/completion.js";
import * as demo from "./commands/demo.js";
import * as doctor from "./commands/doctor.js";
import * as pate from "./commands/pate.js";
import * as plan from "./commands/plan.js";
import * as simulate from "./commands/simulate.js";
import * as studio from "./commands/studio.js";
import * as top from "./commands/top.js";
import { applyConfiguration } from "./config.js";
import { examples } from "./render/examples.js";
import { SOFTWARE } from "./version.js";

const COMMANDS = [top, adaptive, plan, simulate, budget, pate, audit, demo, studio, doctor, completion];

export function createProgram(): Command {
  const program = new Command("winnow")
    .description("Which ones are the most …? Answers about people's data that give nobody away.")
    .version(SOFTWARE.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .option("--config <file>", "defaults for options (default: winnow.json, if it is there)")
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ outputError: () => {} }) // told once, in our words, by report-failure.ts
    .hook("preAction", (_, action) => applyConfiguration(action))
    .addHelpText(
      "after",
      examples(
        ["winnow demo", "the two-minute tour on generated data"],
        ["winnow top visits.csv --item area --user user -k 5 --epsilon 1 --domain areas.txt", ""],
        ["winnow help top", "everything about one command"],
      ) + EXIT_CODES,
    );
  for (const { register } of COMMANDS) register(program);
  return program;
}

const EXIT_CODES = `
Exit codes:
    0  released
    2  wrong usage
    3  refused by the budget
    4  the source or the ledger failed
  130  interrupted
`;
