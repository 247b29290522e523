/**
 * `winnow top SOURCE`: the k items with the most users.
 * @module
 */
import type { Command } from "commander";
import { examples, positiveInteger } from "../command-options.js";
import { addReleaseOptions, type ReleaseOptions } from "../release/release-options.js";

export function register(program: Command): void {
  const command = program
    .command("top <source>")
    .summary("the k items with the most users, published safely")
    .description(
      "The k items with the most users. SOURCE is a CSV, TSV, JSON, NDJSON, Parquet or DuckDB file (also a glob or gzip), - for standard input, or a postgres:// or clickhouse:// address.",
    )
    .optionsGroup("What is asked:")
    .option("-k <n>", "how many winners", positiveInteger("k"));
  addReleaseOptions(command, "top")
    .optionsGroup("What is asked:")
    .option(
      "--resolution <rational>",
      "leads are multiples of this (default: 1; without a list they are released if this is given)",
    )
    .addHelpText(
      "after",
      examples(
        [
          "winnow top visits.csv --item area --user user -k 5 --epsilon 1 --domain areas.txt --plot areas.svg",
          "over a public list of candidates: pure ε, with the lead of each",
        ],
        [
          "winnow top visits.csv --item area --user user -k 5 --epsilon 1 --delta 1e-6",
          "no list: items are named in order, as far as that is safe",
        ],
        [
          "winnow top visits.csv --item area --user user -k 5 --epsilon 1 --delta 1e-6 --counts --plot areas.svg",
          "with the users of each, and a picture",
        ],
        [
          "winnow top visits.csv -k 5 --epsilon 1/2 --domain areas.txt --dry-run",
          "what it would cost; nothing is read",
        ],
        [
          "zcat visits.csv.gz | winnow top - --format csv --dataset visits.csv -k 5 --epsilon 1 --domain areas.txt",
          "",
        ],
      ),
    )
    .action(async (source: string, options: ReleaseOptions) => {
      const { release } = await import("../release/run.js"); // engines are loaded when they are needed
      await release("top", source, options);
    });
}
