/**
 * The options of a run of the program: how it reads rows, which ledger it charges, what it prints and where. Only the command line
 * has them; what belongs to a question is in release's table of options. As there, each stands here once, whichever commands take it.
 * @module
 */
import { EPSILON_SOURCES, NUMBER_STYLES, type OptionEntry } from "winnow-release";

export const RUN_OPTIONS = {
  // The question
  tune: {
    flags: "--tune",
    type: "rational",
    value: "share",
    text: "choose the mechanism and its limit by looking at the rows, for this share of the loss, such as 1/10; without a list only",
    example: "1/10",
    file: "never",
  },
  // Reading
  format: {
    flags: "--format",
    type: "choice",
    choices: ["csv", "tsv", "ndjson", "json", "parquet", "duckdb"],
    text: "the format of the file (default: from its name)",
    example: "csv",
  },
  table: {
    flags: "--table",
    type: "text",
    value: "name",
    text: "a table of the database",
    example: "visits",
  },
  query: {
    flags: "--query",
    type: "text",
    value: "sql",
    text: "SELECT … FROM one table WHERE …: each row is read on its own, and skipped if it fails",
    example: "SELECT area, user FROM visits",
    file: "named",
  },
  where: {
    flags: "--where",
    type: "text",
    value: "condition",
    text: "which rows count, such as \"country = 'DE' and day >= '2026-10-01'\"; part of the question",
    example: "country = 'DE'",
    file: "named",
  },
  types: {
    flags: "--types",
    type: "text",
    value: "list",
    text: "types of columns in --where, such as day:date,price:decimal (default: text)",
    example: "day:date",
  },
  time: {
    flags: "--time",
    type: "column",
    text: "the column of days, where the budget has periods: rows of other periods are skipped",
    example: "day",
  },
  period: {
    flags: "--period",
    type: "text",
    value: "name",
    text: "the period that the release is about, such as 2026-W47, or a day in it",
    example: "2026-W47",
    file: "never",
  },
  trustQuery: {
    flags: "--trust-query",
    type: "switch",
    text: "allow any SELECT, unchecked: only if it treats each person's rows on their own; recorded in the release",
    file: "named",
  },
  delimiter: {
    flags: "--delimiter",
    type: "text",
    value: "character",
    text: "the character between fields (default: from the header line)",
    example: ";",
  },
  quote: {
    flags: "--quote",
    type: "text",
    value: "character",
    text: "the character around fields (default: a double quote)",
    example: "'",
  },
  header: {
    flags: "--no-header",
    type: "switch",
    text: "the first line is a row; columns are numbers, from 1",
  },
  multiline: {
    flags: "--multiline",
    type: "switch",
    text: "allow newlines in fields, and JSON arrays: only if you trust the file's author",
    file: "named",
  },
  numbers: {
    flags: "--numbers",
    type: "choice",
    value: "style",
    choices: NUMBER_STYLES,
    text: "how numbers are written: plain 1234.5 (default), point 1,234.50 or comma 1.234,50, perhaps with a currency",
    example: "comma",
  },
  memoryLimit: {
    flags: "--memory-limit",
    type: "size",
    text: "the engine's memory limit, such as 512M or 2G",
    example: "2G",
  },
  timeLimit: {
    flags: "--time-limit",
    type: "time",
    text: "the time limit for reading (on a server, for each statement), such as 90s or 10m",
    example: "10m",
  },
  metadata: {
    flags: "--metadata",
    type: "file",
    text: "the public schema of the rows: CSVW-EO (CSVW-SAFE) metadata as JSON",
    example: "visits.json",
  },
  public: {
    flags: "--public",
    type: "file",
    text: "a public or synthetic twin of the rows, for the schema and a preview",
    example: "synthetic.csv",
  },
  // The ledger
  ledger: {
    flags: "--ledger",
    type: "file",
    text: "the ledger that records releases: a file, or postgres://host/database",
    example: "winnow.ledger",
    file: "named",
  },
  dataset: {
    flags: "--dataset",
    type: "text",
    value: "name",
    text: "the data set to charge (default: the name of the source)",
    example: "visits",
    file: "named",
  },
  newDataset: {
    flags: "--new-dataset",
    type: "switch",
    text: "the people differ from those of a data set with a similar name or content",
    file: "never",
  },
  releaseId: {
    flags: "--release-id",
    type: "text",
    value: "id",
    text: "the same id prints the same answer again and charges nothing",
    example: "may-2025",
    file: "never",
  },
  reserve: {
    flags: "--reserve",
    type: "switch",
    text: "record the price before reading the rows: for services and concurrent runs",
  },
  commitBits: {
    flags: "--commit-bits",
    type: "file",
    text: "draw with bits that someone who may see the rows can check: writes their opening, as secret as the rows",
    example: "opening.json",
    file: "never",
  },
  sign: {
    flags: "--sign",
    type: "file",
    text: "a private key of the ledger: the release carries a signed head that includes it",
    example: "ledger.key",
    file: "named",
  },
  policy: {
    flags: "--policy",
    type: "file",
    text: "the witnesses who cosign the head, with their keys and addresses, and how many are enough",
    example: "policy.txt",
    file: "named",
  },
  requireWitness: {
    flags: "--require-witness",
    type: "count",
    text: "print only with the cosignatures of this many witnesses (default: the quorum of the policy)",
    example: "2",
    file: "named",
  },
  passphraseFile: {
    flags: "--passphrase-file",
    type: "file",
    text: "the passphrase of the key is the first line of this file",
    example: "passphrase.txt",
    file: "named",
  },
  dryRun: {
    flags: "--dry-run",
    type: "switch",
    text: "show the cost; read, record and charge nothing",
    file: "never",
  },
  yes: { flags: "--yes", type: "switch", text: "answer yes to every question", file: "never" },
  // Output
  json: {
    flags: "--json",
    type: "switch",
    text: "print the release as JSON (schema winnow-release/2; in groups /3)",
  },
  csv: { flags: "--csv", type: "switch", text: "print the release as CSV" },
  plot: { flags: "--plot", type: "file", text: "write a chart of the release as SVG", example: "areas.svg" },
  labels: {
    flags: "--labels",
    type: "file",
    text: "a public CSV file of items and the labels to show with them",
    example: "labels.csv",
  },
  epsilonFrom: {
    flags: "--epsilon-from",
    type: "choice",
    value: "what",
    choices: EPSILON_SOURCES,
    text: "how ε was chosen, for the statement (default: on the twin, where --public names one for a preview)",
    example: "before",
    file: "never",
  },
  statement: {
    flags: "--statement",
    type: "switch",
    text: "print a statement for the privacy officer after the table",
  },
  registry: {
    flags: "--registry",
    type: "file",
    text: "write a draft record for the registry of DP deployments, as YAML",
    example: "record.yaml",
  },
  output: {
    flags: "-o, --output",
    type: "file",
    text: "write the release to a file instead of standard output",
    example: "release.txt",
  },
  force: { flags: "--force", type: "switch", text: "replace existing files", file: "never" },
  seed: {
    flags: "--seed",
    type: "text",
    text: "the same outcomes every time, on public scores",
    example: "1",
  },
} as const satisfies Readonly<Record<string, OptionEntry>>;

export type RunOptionName = keyof typeof RUN_OPTIONS;
