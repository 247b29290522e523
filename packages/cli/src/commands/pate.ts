/**
 * `winnow pate VOTES`: labels for public examples from the votes of teachers who were trained on private ones.
 * @module
 */
import { type Command, Option } from "commander";
import { DEFAULT_LEDGER } from "../ledger/open-ledger.js";
import { label } from "../pate/label.js";
import { examples } from "../render/examples.js";

export function register(program: Command): void {
  program
    .command("pate <votes>")
    .summary("private labels from teachers' votes")
    .description(
      "Labels for public examples. VOTES is a CSV file with the columns query, teacher and label. Which queries, teachers and labels there are is public: a number n for the names 0 to n − 1, a range t0..t9, names with commas between, or a file with one name on each line.",
    )
    .addOption(
      new Option("--task <kind>", "one right class, or any number of right labels")
        .choices(["multi-class", "multi-label"])
        .default("multi-class"),
    )
    .option("--queries <list>", "the queries")
    .option("--teachers <list>", "the teachers")
    .option("--labels <list>", "the labels")
    .option("--epsilon <rational>", "the loss of all answers together: ε, with --delta")
    .option("--rho <rational>", "the loss of all answers together: ρ of zCDP")
    .option("--delta <rational>", "the probability of failure, such as 1e-6")
    .option("--unit <text>", "what one person is", "everything in the data of one teacher")
    .option("--ledger <file>", "where releases are recorded", DEFAULT_LEDGER)
    .option("--dataset <name>", "the data set that is charged (default: the name of the file)")
    .option(
      "--release-id <id>",
      "asked again with the same id, the same answer is printed and nothing charged",
    )
    .option("--dry-run", "what it would cost; nothing is read, recorded or charged")
    .option("--json", "the release as JSON (schema winnow-labels/1)")
    .option("--csv", "the labels as CSV")
    .addHelpText(
      "after",
      examples(
        [
          "winnow pate votes.csv --queries q0..q2 --teachers t0..t99 --labels cat,dog,bird,fish --epsilon 8 --delta 1e-6",
          "",
        ],
        ["winnow pate votes.csv --queries 20 --teachers 250 --labels labels.txt --rho 1/2 --csv", ""],
      ),
    )
    .action(label);
}
