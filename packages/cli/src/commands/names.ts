/**
 * `winnow names SOURCE`: every item that enough people have.
 * @module
 */
import type { Command } from "commander";
import { examples } from "../command-options.js";
import { addReleaseOptions, type ReleaseOptions } from "../release/release-options.js";

export function register(program: Command): void {
  const command = program
    .command("names <source>")
    .summary("every item that enough people have, where there is no list")
    .description(
      "All items with so many users that naming them is safe, by name. Each person counts for at most --max-items-per-user items, which a keyed hash chooses. Needs --delta.",
    );
  addReleaseOptions(command, "names")
    .addHelpText(
      "after",
      examples(
        [
          "winnow names visits.csv --item area --user user --epsilon 1 --delta 1e-6 --max-items-per-user 3",
          "names alone, from which a list of candidates for later questions can be made",
        ],
        [
          "winnow names visits.csv --item area --user user --rho 0.1 --delta 1e-6 --max-items-per-user 10 --counts --csv",
          "with noisy counts",
        ],
      ),
    )
    .action(async (source: string, options: ReleaseOptions) => {
      const { release } = await import("../release/run.js"); // engines are loaded when they are needed
      await release("names", source, options);
    });
}
