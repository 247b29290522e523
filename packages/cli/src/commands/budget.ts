/**
 * `winnow budget`: the ledger. `init` gives a data set its budget, `show` prints the remaining budget, `log` lists
 * every entry, and `verify` checks the chain, also against published releases. `export` and `import` move a ledger between
 * machines and the page.
 *
 * A budget is exactly one of --epsilon, --rho and --eta, as an exact number. A data set is a name as passed with
 * --dataset, or the file or server itself, which then gets the name that a release would use.
 * @module
 */

import { existsSync } from "node:fs";
import { type Command, Option } from "commander";
import {
  type AccountPromise,
  budgetFrom,
  checkCharges,
  concernAboutBudget,
  datasetOf,
  forJson,
  forTerminal,
  type GivenLimit,
  hasDataset,
  type Ledger,
  type LedgerEntry,
  type LedgerText,
  type PeriodLength,
  Refusal,
  readPromise,
  startOf,
  visible,
} from "winnow-release";
import { DEFAULT_LEDGER, examples, positiveInteger } from "../command-options.js";
import { accountJson, accountNotes, accountTable, logJson, logTable } from "../ledger/ledger-tables.js";
import { readLedgerText } from "../ledger/ledger-text.js";
import {
  DEFAULT_ROLE,
  ledgerName,
  makeServerLedger,
  openLedger,
  readPublishedRelease,
} from "../ledger/open-ledger.js";
import { confirmConcern } from "../release/confirm.js";
import { datasetName } from "../release/dataset-name.js";
import { outputStyle, print, printPieces, tell } from "../render/terminal.js";
import { pricesOfDocuments } from "../watch/prices.js";
import { prepareFile } from "../write-file.js";
import { registerHeads } from "./heads.js";

interface LedgerOptions {
  readonly ledger: string;
  readonly json?: boolean;
}

export function register(program: Command): void {
  const budget = program
    .command("budget")
    .summary("budgets of data sets, and the log of every release")
    .description(
      "The ledger: what each data set may spend, what it has spent, and proof that no entry was changed.",
    )
    .addHelpText(
      "after",
      examples(
        ["winnow budget init visits.csv --epsilon 10", "once, before the first release"],
        ["winnow budget show", ""],
        ["winnow budget verify --against release.json", ""],
      ),
    );
  registerInit(budget);
  registerShow(budget);
  registerLog(budget);
  registerVerify(budget);
  registerExport(budget);
  registerImport(budget);
  registerHeads(budget, ledgerOption);
}

function registerInit(budget: Command): void {
  budget
    .command("init [dataset]")
    .summary("give a data set a budget")
    .description(
      "Gives a data set a budget in one measure. Earlier charges count. Winnow converts releases in other measures " +
        "safely, and refuses those that it cannot convert.",
    )
    .option("--epsilon <rational>", "pure ε; with --delta (ε, δ); with --order a Rényi budget")
    .option("--rho <rational>", "ρ of zCDP, with --delta of its δ-approximate form")
    .option("--eta <rational>", "η of base-2 privacy: ε = η·ln 2")
    .option("--delta <rational>", "the δ that may be spent in addition")
    .option("--order <rational>", "the order > 1 of a Rényi budget")
    .option("--period <length>", "day, week or month: the budget has periods")
    .option("--horizon <n>", "how many periods there are, such as 52")
    .option("--from <day>", "a day in the first period (default: today)")
    .option(
      "--promise <unit>",
      "person: all rows of a person in the horizon; person-period: those of one period",
    )
    .option(
      "--max-periods-per-user <n>",
      "with --promise person: each person is counted in this many of the periods",
    )
    .option("--replace", "change an existing budget; the log keeps both")
    .option("--yes", "answer yes to every question")
    .option(
      "--server",
      "first create the ledger on the PostgreSQL server of --ledger, or bring it up to date, and let a role charge it",
    )
    .option("--role <name>", "the role that may charge it; created without login if missing", DEFAULT_ROLE)
    .addOption(ledgerOption())
    .addHelpText(
      "after",
      examples(
        ["winnow budget init visits.csv --epsilon 10", "pure releases only"],
        ["winnow budget init visits.csv --epsilon 10 --delta 1e-5", "releases with δ too"],
        ["winnow budget init visits.csv --rho 1/2 --delta 1e-5", "many small releases of every kind"],
        [
          "winnow budget init visits.csv --epsilon 4 --period week --horizon 52 --promise person --max-periods-per-user 8",
          "a list every week",
        ],
      ),
    )
    .action(init);
}

function registerShow(budget: Command): void {
  budget
    .command("show [dataset]")
    .summary("the spent and the remaining budget")
    .description(
      "Shows the budget of each data set: the limit, what is spent, and what remains, also as a number of releases like the last.",
    )
    .option("--json", "print JSON with exact numbers")
    .addOption(ledgerOption())
    .addHelpText("after", examples(["winnow budget show", ""], ["winnow budget show visits.csv --json", ""]))
    .action(show);
}

function registerLog(budget: Command): void {
  budget
    .command("log [dataset]")
    .summary("every release and every budget, oldest first")
    .description(
      "Lists every entry of the ledger, oldest first: what was charged, when, by which version and under which id.",
    )
    .option("--json", "print whole entries as JSON, with the stored answers")
    .addOption(ledgerOption())
    .addHelpText("after", examples(["winnow budget log", ""], ["winnow budget log visits.csv --json", ""]))
    .action(log);
}

function registerVerify(budget: Command): void {
  budget
    .command("verify")
    .summary("check that no entry was changed, removed, moved or cut off")
    .description(
      "Checks the whole chain. An older copy of a ledger passes this check too: only a release that was published after " +
        "the copy was made exposes it (--against).",
    )
    .option("--against <release.json...>", "published releases to compare with")
    .option("--json", "print the findings as JSON")
    .addOption(ledgerOption())
    .addHelpText(
      "after",
      examples(
        ["winnow budget verify", ""],
        ["winnow budget verify --against release.json", "also detects an older copy"],
      ),
    )
    .action(verify);
}

function registerExport(budget: Command): void {
  budget
    .command("export")
    .summary("write the ledger to a file for the page or another machine")
    .description(
      "Writes every entry as a line of text, after a line with their number. Nothing in it is private. `show`, `log` and `verify` accept such a file as --ledger.",
    )
    .option("-o, --output <file>", "write to a file instead of standard output")
    .option("--force", "replace an existing file")
    .addOption(ledgerOption())
    .addHelpText("after", examples(["winnow budget export --output ledger.jsonl", ""]))
    .action(exportLedger);
}

function registerImport(budget: Command): void {
  budget
    .command("import <file>")
    .summary("read a ledger that was exported here or from the page")
    .description(
      "Creates the ledger from the file if there is none, or adds the entries that the file has beyond it. Winnow refuses an older copy and a different ledger. Charge one copy only: two copies that grow separately cannot be merged again.",
    )
    .addOption(ledgerOption())
    .addHelpText("after", examples(["winnow budget import ledger.jsonl --ledger winnow.ledger", ""]))
    .action(importLedger);
}

function ledgerOption(): Option {
  return new Option("--ledger <file>", "the ledger: a file, or postgres://host/database").default(
    DEFAULT_LEDGER,
  );
}

async function init(argument: string | undefined, options: InitOptions): Promise<void> {
  if (argument !== undefined) return initDataset(argument, options);
  if (!options.server)
    throw new Refusal("usage", "winnow budget init needs the name of a data set, or --server.");
  await initServer(options);
}

interface InitOptions extends GivenLimit, LedgerOptions {
  readonly replace?: boolean;
  readonly yes?: boolean;
  readonly server?: boolean;
  readonly role: string;
  readonly period?: string;
  readonly horizon?: string;
  readonly from?: string;
  readonly promise?: string;
  readonly maxPeriodsPerUser?: string;
}

async function initServer({ ledger, role }: InitOptions): Promise<void> {
  const { isNew, upgradedFrom } = await makeServerLedger(ledger, role);
  const there =
    upgradedFrom === undefined ? "was there already" : `was of version ${upgradedFrom} and is up to date now`;
  await write(
    visible(
      `The ledger ${JSON.stringify(ledgerName(ledger))} ${isNew ? "is ready" : there}; accounts in the role ${JSON.stringify(role)} may charge it.`,
    ),
  );
}

async function initDataset(argument: string, options: InitOptions): Promise<void> {
  const dataset = namedDataset(argument);
  const budget = budgetFrom(options);
  const promise = readPromiseOptions(options);
  await confirmConcern(concernAboutBudget(budget), options);
  if (options.server) await initServer(options);
  await withLedger(options, { create: true, asOwner: true }, async (ledger) => {
    const isNew = await ledger.setBudget(dataset, budget, {
      ...(options.replace && { replace: true }),
      ...(promise && { promise }),
    });
    const near = await ledger.near(dataset);
    if (isNew && near.length > 0)
      tell(
        `The ledger also has ${near.map((name) => JSON.stringify(name)).join(", ")}: this budget is for ${JSON.stringify(dataset)} only.`,
      );
    const account = await ledger.account(dataset);
    await write(
      isNew ? "" : visible(`The data set ${JSON.stringify(dataset)} already has this budget.`),
      accountTable([account], outputStyle()),
    );
  });
}

async function show(argument: string | undefined, options: LedgerOptions): Promise<void> {
  const dataset = argument && namedDataset(argument);
  await withLedger(options, { readOnly: true }, async (ledger) => {
    const known = await ledger.datasets();
    if (dataset !== undefined && !known.includes(dataset)) throw unknownDataset(dataset);
    const accounts = await Promise.all(
      (dataset === undefined ? known : [dataset]).map((name) => ledger.account(name)),
    );
    if (options.json)
      await write(forJson({ schema: "winnow-budget/1", accounts: accounts.map(accountJson) }));
    else if (accounts.length === 0) await write("The ledger has no releases and no budgets.");
    else await write(accountTable(accounts, outputStyle()), ...accountNotes(accounts));
  });
}

async function log(argument: string | undefined, options: LedgerOptions): Promise<void> {
  const dataset = argument && namedDataset(argument);
  await withLedger(options, { readOnly: true }, async (ledger) => {
    if (dataset !== undefined && !(await ledger.datasets()).includes(dataset)) throw unknownDataset(dataset);
    const entries = entriesOf(ledger, dataset);
    if (options.json) await printPieces(logJson(entries));
    else await write(await logTable(entries, outputStyle()));
  });
}

async function* entriesOf(ledger: Ledger, dataset: string | undefined): AsyncGenerator<LedgerEntry, void> {
  for await (const entry of ledger.entries())
    if (dataset === undefined || (hasDataset(entry) && datasetOf(entry) === dataset)) yield entry;
}

async function verify(options: LedgerOptions & { against?: readonly string[] }): Promise<void> {
  const against = await Promise.all((options.against ?? []).map(readPublishedRelease));
  await withLedger(options, { readOnly: true }, async (ledger) => {
    const { findings, head, notes } = await ledger.verify(against);
    const whole = findings.length === 0;
    if (options.json) await write(forJson({ schema: "winnow-verification/1", whole, head, findings, notes }));
    else if (whole)
      await write(
        `The ledger is intact: ${head.sequence} ${head.sequence === 1 ? "entry" : "entries"}, head ${head.hash}.`,
        ...notes,
      );
    else await write(...findings.map(({ sentence }) => visible(sentence)));
    if (findings.length > 0)
      throw new Refusal(
        "ledger-broken",
        `The ledger ${JSON.stringify(ledger.name)} was changed after it was written.`,
      );
  });
}

async function exportLedger(options: LedgerOptions & { output?: string; force?: boolean }): Promise<void> {
  await withLedger(options, { readOnly: true }, async (ledger) => {
    const file = options.output === undefined ? undefined : await prepareFile(options.output, options);
    try {
      const lines = ledger.exported();
      await (file === undefined ? printPieces(lines) : file.write(lines));
    } finally {
      await file?.discard();
    }
  });
}

async function importLedger(path: string, options: LedgerOptions): Promise<void> {
  const text = await readLedgerText(path);
  await checkPrices(path, text);
  await withLedger(options, { create: true, asOwner: true }, async (ledger) => {
    const added = await ledger.takeOver(text);
    await write(
      added === 0
        ? "The ledger already has all of its entries."
        : `${added} ${added === 1 ? "entry was" : "entries were"} added; the ledger has ${text.head.sequence}.`,
    );
  });
}

/** Refuses entries that were not charged what they cost, or an id that is there twice, as `winnow verify` finds them. */
async function checkPrices(path: string, text: LedgerText): Promise<void> {
  const entries = async function* () {
    for await (const { entry } of text.rows()) yield entry;
  };
  const [finding] = (await checkCharges(entries(), pricesOfDocuments())).findings;
  if (finding !== undefined)
    throw new Refusal("ledger-broken", `The ledger ${JSON.stringify(path)} is refused. ${finding.sentence}`);
}

async function withLedger(
  { ledger: path }: LedgerOptions,
  options: { create?: boolean; asOwner?: boolean; readOnly?: boolean },
  work: (ledger: Ledger) => Promise<void>,
): Promise<void> {
  const ledger = await openLedger(path, options);
  try {
    await work(ledger);
  } finally {
    await ledger.close();
  }
}

function write(...lines: readonly string[]): Promise<void> {
  const said = lines.filter((line) => line !== "");
  return print(said.map((line) => `${line}\n`).join(""));
}

function unknownDataset(dataset: string): Refusal {
  return new Refusal("usage", `The ledger has no data set ${JSON.stringify(forTerminal(dataset))}.`);
}

/** What the budget promises over time. */
function readPromiseOptions(options: InitOptions): AccountPromise | undefined {
  const { period, horizon, promise, from, maxPeriodsPerUser: most } = options;
  const given = { "--period": period, "--horizon": horizon, "--promise": promise };
  const missing = Object.entries(given).filter(([, value]) => value === undefined);
  if (missing.length === 3 && from === undefined && most === undefined) return undefined;
  if (missing.length > 0)
    throw new Refusal(
      "usage",
      `A budget with periods needs --period, --horizon and --promise; ${missing.map(([name]) => name).join(" and ")} is missing.`,
    );
  const length = period as PeriodLength;
  const day = from ?? new Date().toISOString().slice(0, 10);
  return readPromise({
    ...{ unit: promise, period: length, horizon: positiveInteger("--horizon")(horizon!) },
    first: startOf(length, day) ?? day,
    ...(most !== undefined && { maxPeriodsPerUser: positiveInteger("--max-periods-per-user")(most) }),
  });
}

const SERVER_ADDRESS = /^[a-z][a-z\d+.-]*:\/\//i;

export function namedDataset(argument: string): string {
  const isSource = SERVER_ADDRESS.test(argument) || existsSync(argument);
  return isSource ? datasetName(argument, undefined) : datasetName(argument, argument);
}
