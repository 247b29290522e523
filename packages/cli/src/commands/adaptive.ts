/**
 * `winnow adaptive SOURCE`: the items that stand out, and how many they are, chosen privately.
 * @module
 */
import type { Command } from "commander";
import { examples, positiveInteger } from "../command-options.js";
import { addReleaseOptions, type ReleaseOptions } from "../release/release-options.js";

export function register(program: Command): void {
  const command = program
    .command("adaptive <source>")
    .summary("the items that stand out, however many they are")
    .description(
      "Looks for the place where the sorted counts fall most, and names the items before it if no single person could have changed which they are. The cost does not grow with their number. Needs --delta.",
    )
    .optionsGroup("What is asked:")
    .option("-k, --max-k <n>", "the most items that may be named", positiveInteger("max-k"));
  addReleaseOptions(command, "adaptive")
    .addHelpText(
      "after",
      examples(
        ["winnow adaptive visits.csv --item area --user user -k 20 --epsilon 1 --delta 1e-6", ""],
        ["winnow adaptive visits.csv --item area --user user -k 20 --rho 0.05 --delta 1e-6 --json", ""],
      ),
    )
    .action(async (source: string, options: ReleaseOptions) => {
      const { release } = await import("../release/run.js"); // engines are loaded when they are needed
      await release("adaptive", source, options);
    });
}
