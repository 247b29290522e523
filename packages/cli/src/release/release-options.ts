/**
 * The options that the questions share. Values that belong to the guarantee stay text until the library parses
 * them.
 * @module
 */
import { type Command, Option } from "commander";
import { kindOf, MECHANISMS, type Neighbours, type Question } from "winnow-release";
import { byteSize, DEFAULT_LEDGER, duration, positiveInteger } from "../command-options.js";
import type { SourceOptions } from "../sources/source.js";

export interface ReleaseOptions extends SourceOptions {
  readonly item?: string;
  /** The column of values, instead of the item. */
  readonly column?: string;
  readonly user?: string;
  readonly k?: number;
  readonly maxK?: number;
  readonly epsilon?: string;
  readonly rho?: string;
  readonly delta?: string;
  readonly resolution?: string;
  readonly counts?: boolean;
  readonly maxItemsPerUser?: number;
  readonly maxValuesPerUser?: number;
  /** A list of shares, and the two ends of the grid, as typed. */
  readonly quantiles?: string;
  readonly range?: string;
  readonly step?: string;
  readonly atMost?: number;
  readonly mechanism?: string;
  readonly neighbours?: Neighbours;
  readonly domain?: string;
  readonly domainTable?: string;
  readonly domainColumn?: string;
  readonly domainSize?: number;
  readonly public?: string;
  /** The schema of the source as CSVW-EO metadata. */
  readonly metadata?: string;
  /** The public list of candidates that the metadata have. */
  readonly candidates?: readonly string[];
  readonly labels?: string;
  readonly unit?: string;
  readonly dataset?: string;
  /** The curator says that a new account is about different people. */
  readonly newDataset?: boolean;
  readonly ledger: string;
  readonly releaseId?: string;
  /** Reserve the price in the ledger before the rows are read. */
  readonly reserve?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly plot?: string;
  readonly statement?: boolean;
  /** The file for a record of the registry of deployments. */
  readonly registry?: string;
  readonly output?: string;
  readonly force?: boolean;
  /** Answer yes to the questions that a terminal would ask. */
  readonly yes?: boolean;
  /** The configuration file, if there is one. */
  readonly config?: string;
  /** Which of these come from the configuration file. */
  readonly defaults?: readonly string[];
}

/** Adds the options, group by group, so that the help reads in the order of the work. */
export function addReleaseOptions(command: Command, kind: Question["kind"]): Command {
  const { shape } = kindOf({ kind });
  if (shape === "values") addQuantileOptions(command);
  else if (shape === "frequencies") addFrequencyOptions(command);
  else addQuestionOptions(command, kind);
  addProtectionOptions(command, kind);
  addSourceOptions(command, kind);
  addLedgerOptions(command);
  return addOutputOptions(command, kind);
}

/** The mechanisms for one kind of question, or all of them. */
export function mechanismOption(description: string, kind?: Question["kind"]): Option {
  const choices = MECHANISMS.filter(({ rules }) => kind === undefined || rules.kind === kind);
  return new Option("--mechanism <name>", description).choices(choices.map(({ name }) => name));
}

function addQuestionOptions(command: Command, kind: Question["kind"]): Command {
  command
    .optionsGroup("Question:")
    .option("--item <column>", "the column of items to count (default: guessed from the header)")
    .option("--user <column>", "the column that identifies the person (default: guessed from the header)")
    .option("--epsilon <rational>", "the loss: ε, such as 1 or 1/2")
    .option("--rho <rational>", "the loss: ρ of zero-concentrated differential privacy")
    .option("--delta <rational>", "the probability of failure without a list, such as 1e-6");
  if (kind !== "names") addDomainOptions(command);
  if (kind !== "adaptive")
    command
      .option(
        "--max-items-per-user <n>",
        kind === "names"
          ? "each person counts for at most this many items"
          : "each person counts for at most this many items: for long lists without candidates",
        positiveInteger("max-items-per-user"),
      )
      .option(
        "--counts",
        kind === "names"
          ? "add noisy counts of users to the names"
          : "add noisy counts of users with intervals, for a quarter of the loss",
      );
  return command;
}

function addQuantileOptions(command: Command): Command {
  return command
    .optionsGroup("Question:")
    .option("--column <column>", "the column of numbers")
    .option("--user <column>", "the column that identifies the person (default: guessed from the header)")
    .option("-q, --quantiles <list>", "the shares of values below: 0.5 for the median; such as 0.5,0.9")
    .option("--range <lower..upper>", "the public range, such as 0..10000; values outside count as its ends")
    .option(
      "--step <rational>",
      "answers are multiples of this above the lower end (default: 1, or finer for short ranges)",
    )
    .option("--epsilon <rational>", "the loss: ε, such as 1 or 1/2")
    .option("--rho <rational>", "the loss: ρ of zero-concentrated differential privacy")
    .option(
      "--max-values-per-user <n>",
      "each person counts for at most this many of their rows, chosen at random (default: 1)",
      positiveInteger("max-values-per-user"),
    )
    .option(
      "--at-most <n>",
      "a public bound on the number of values, to choose how many quantiles are drawn",
      positiveInteger("at-most"),
    );
}

function addFrequencyOptions(command: Command): Command {
  return command
    .optionsGroup("Question:")
    .option("--item <column>", "the column of items to count (default: guessed from the header)")
    .option("--user <column>", "the column that identifies the person (default: guessed from the header)")
    .option("--epsilon <rational>", "the loss: ε, such as 1 or 1/2")
    .option(
      "--max-items-per-user <n>",
      "each person counts for at most this many items (default: 1)",
      positiveInteger("max-items-per-user"),
    );
}

/** Whether the answer consists of numbers: then there are no names to label, and a preview needs no twin. */
function isNumeric(kind: Question["kind"]): boolean {
  return kindOf({ kind }).shape !== "winners";
}

/** Who is protected, and how. */
function addProtectionOptions(command: Command, kind: Question["kind"]): Command {
  command.addOption(
    new Option(
      "--neighbours <kind>",
      "what neighbouring data sets differ in: one person added or removed, or one replaced",
    ).choices(["add-remove", "replace"]),
  );
  // The mechanism is an option only where there are several.
  const mechanism = mechanismOption("the mechanism (default: the most informative one)", kind);
  if ((mechanism.argChoices?.length ?? 0) > 1) command.addOption(mechanism);
  return command.option("--unit <text>", 'the unit of privacy, such as "one customer"');
}

function addDomainOptions(command: Command): Command {
  return command
    .option(
      "--domain <file>",
      "the public list of candidates: one per line, a column of CSV, or a release of ours (JSON)",
    )
    .option("--domain-table <name>", "the public table of the server with the candidates")
    .option("--domain-column <column>", "the column of the CSV file or table with the candidates")
    .option(
      "--domain-size <n>",
      "the candidates are the numbers from 0 to n − 1",
      positiveInteger("domain-size"),
    );
}

function addSourceOptions(command: Command, kind: Question["kind"]): Command {
  const item = kindOf({ kind }).shape === "values" ? "--column" : "--item";
  return command
    .optionsGroup("Reading:")
    .addOption(
      new Option("--format <name>", "the format of the file (default: from its name)").choices([
        "csv",
        "tsv",
        "ndjson",
        "json",
        "parquet",
        "duckdb",
      ]),
    )
    .option("--table <name>", "a table of the database")
    .option(
      "--query <sql>",
      "SELECT … FROM one table WHERE …: each row is read on its own, and skipped if it fails",
    )
    .option(
      "--trust-query",
      "allow any SELECT, unchecked: only if it treats each person's rows on their own; recorded in the release",
    )
    .option("--delimiter <character>", "the character between fields (default: from the header line)")
    .option("--quote <character>", "the character around fields (default: a double quote)")
    .option("--no-header", `the first line is a row; ${item} and --user are numbers of columns, from 1`)
    .option("--multiline", "allow newlines in fields, and JSON arrays: only if you trust the file's author")
    .option(
      "--memory-limit <size>",
      "the engine's memory limit, such as 512M or 2G",
      byteSize("memory-limit"),
    )
    .option(
      "--time-limit <time>",
      "the time limit for reading (on a server, for each statement), such as 90s or 10m",
      duration("time-limit"),
    )
    .option("--metadata <file>", "the public schema of the rows: CSVW-EO (CSVW-SAFE) metadata as JSON")
    .option(
      "--public <file>",
      `a public or synthetic twin of the rows, for the schema${isNumeric(kind) ? "" : " and a preview"}`,
    );
}

function addLedgerOptions(command: Command): Command {
  return command
    .optionsGroup("Ledger:")
    .option(
      "--ledger <file>",
      "the ledger that records releases: a file, or postgres://host/database",
      DEFAULT_LEDGER,
    )
    .option("--dataset <name>", "the data set to charge (default: the name of the source)")
    .option("--new-dataset", "the people differ from those of a data set with a similar name or content")
    .option("--release-id <id>", "the same id prints the same answer again and charges nothing")
    .option("--reserve", "record the price before reading the rows: for services and concurrent runs")
    .option("--dry-run", "show the cost; read, record and charge nothing")
    .option("--yes", "answer yes to every question");
}

function addOutputOptions(command: Command, kind: Question["kind"]): Command {
  command
    .optionsGroup("Output:")
    .option("--json", "print the release as JSON (schema winnow-release/2)")
    .option("--csv", "print the release as CSV")
    .option("--plot <file>", "write a chart of the release as SVG");
  if (!isNumeric(kind))
    command.option("--labels <file>", "a public CSV file of items and the labels to show with them");
  return command
    .option("--statement", "print a statement for the privacy officer after the table")
    .option("--registry <file>", "write a draft record for the registry of DP deployments, as YAML")
    .option("-o, --output <file>", "write the release to a file instead of standard output")
    .option("--force", "replace existing files");
}
