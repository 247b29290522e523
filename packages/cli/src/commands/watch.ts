/**
 * `winnow watch`: looks at a published list once a period and renews it only when it is wrong, at one price for the whole horizon.
 * It may be run from cron twice, after a crash and a week late: each period is looked at once, and asking again prints what was
 * published. Rows are counted in the engine, one count for each person and item of the period.
 * @module
 */
import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import {
  type ComparedInputs,
  changesBetween,
  changesInWords,
  forJson,
  forTerminal,
  guardChargedInputs,
  guessColumns,
  type Ledger,
  type Predicate,
  Refusal,
  readTypes,
} from "winnow-release";
import { addOptions, DEFAULT_LEDGER, examples, positiveInteger } from "../command-options.js";
import { openLedger, readPublishedRelease } from "../ledger/open-ledger.js";
import { type Interruption, interruptible } from "../long-work.js";
import { readDomain } from "../public-files.js";
import { fileRefusal } from "../refusal.js";
import { terminalCurator } from "../release/confirm.js";
import { datasetName, markOf } from "../release/dataset-name.js";
import { guardFiles } from "../release/public-inputs.js";
import { checkRoles, columnsIn } from "../release/roles.js";
import { Rows } from "../release/rows.js";
import { factsOf } from "../release/run.js";
import { showRecorded, tellClosed, tidyUp } from "../release/tell.js";
import { chooseLedger } from "../release/which-ledger.js";
import { print, tell } from "../render/terminal.js";
import { lostConnections } from "../sources/server-connection.js";
import type { Source, SourceOptions } from "../sources/source.js";
import { SOFTWARE } from "../this-package.js";
import {
  type AskedLook,
  type CountedLook,
  type Looking,
  lookInWords,
  makeLook,
  readLook,
  secretOfLedger,
} from "../watch/looks.js";
import { type Look, lookId, published, type RecordedLook } from "../watch/watched-list.js";

export function register(program: Command): void {
  const command = program
    .command("watch <file>")
    .summary("a list that is renewed only when it is wrong")
    .description(
      "Looks at a published list once a period and renews it only when it is wrong, at one price for the whole horizon, " +
        "which the first look pays. Asking again about a period prints what was published then.",
    )
    .requiredOption("--series <name>", "the name of the list in the ledger")
    .requiredOption("--renewals <n>", "how often it may be renewed; then it is frozen")
    .requiredOption("--every <length>", "day, week or month")
    .requiredOption("--from <day>", "a day in the first period")
    .requiredOption("--horizon <n>", "how many periods there are, such as 52")
    .option("--tolerance <rational>", "how wrong the list may be: by how many people", "0")
    .option("--against <release.json>", "the last published list, which the ledger must have")
    .option(
      "--seal-key <file>",
      "a file with a secret of yours that seals the state (default: a secret of the ledger)",
    );
  addOptions(command, [
    { name: "k", isRequired: true },
    { name: "epsilon", text: "the loss of the whole horizon: ε", isRequired: true },
    { name: "domain", isRequired: true },
    ...(["item", "user"] as const),
    { name: "time", text: "the column of days", isRequired: true },
    { name: "period", isRequired: true },
    ...(["where", "types", "unit", "format", "table", "delimiter", "quote", "header"] as const),
    { name: "ledger", default: DEFAULT_LEDGER },
    ...(["dataset", "newDataset", "yes"] as const),
    { name: "json", text: "print the look as JSON (schema winnow-watch/1)" },
  ])
    .addHelpText(
      "after",
      examples([
        "winnow watch visits.csv --series areas -k 10 --epsilon 1 --renewals 4 --tolerance 50 --domain areas.txt --every week --from 2026-11-16 --horizon 52 --time day --period 2026-W47",
        "from cron, every week",
      ]),
    )
    .action(watch);
}

interface WatchOptions extends SourceOptions {
  readonly series: string;
  readonly k: number;
  readonly epsilon: string;
  readonly renewals: string;
  readonly tolerance: string;
  readonly every: string;
  readonly from: string;
  readonly horizon: string;
  readonly against?: string;
  readonly sealKey?: string;
  readonly domain: string;
  readonly item?: string;
  readonly user?: string;
  readonly time: string;
  readonly period: string;
  readonly unit?: string;
  readonly ledger: string;
  readonly dataset?: string;
  readonly newDataset?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly config?: string;
}

async function watch(location: string, given: WatchOptions): Promise<void> {
  const rows = new Rows(location, given);
  const files = await rows.files();
  const options = { ...given, ledger: await chooseLedger(given.ledger, { ...given, location, files }) };
  const inputs = await guardFiles(
    { "--domain": options.domain },
    { sources: files, ledger: options.ledger, config: options.config },
  );
  const against = options.against === undefined ? [] : [await readPublishedRelease(options.against)];
  const dataset = datasetName(location, options.dataset);
  const asked = await readAsked(rows, options);
  const ledger = await openLedger(options.ledger, { create: true });
  try {
    const [finding] = against.length === 0 ? [] : (await ledger.verify(against)).findings;
    if (finding !== undefined) throw new Refusal("ledger-broken", finding.sentence);
    await interruptible(async (interruption) => {
      const { look } = await makeLook(
        looking({ ledger, rows, dataset, asked, inputs, options, interruption }),
      );
      await showRecorded(look.id, async () => {
        const before = await lookBefore(ledger, look);
        await print(textOf(look, before, options), () => tellClosed(look.id));
      });
    });
  } finally {
    await tidyUp(
      () => rows.close(),
      () => ledger.close(),
    );
  }
}

async function readAsked(rows: Rows, options: WatchOptions): Promise<AskedLook> {
  const { types, domain } = options;
  const user = options.user ?? guessColumns([...(await rows.open()).columns]).user;
  if (user === undefined)
    throw new Refusal("unknown-column", "--user must name the column that identifies the person.");
  return readLook({
    ...{ ...options, user, items: await readDomain(domain) },
    ...{
      horizon: positiveInteger("--horizon")(options.horizon),
      renewals: positiveInteger("--renewals")(options.renewals),
    },
    types: types === undefined ? undefined : readTypes(types),
  });
}

interface Run {
  readonly ledger: Ledger;
  readonly rows: Rows;
  readonly dataset: string;
  readonly asked: AskedLook;
  readonly inputs: ComparedInputs;
  readonly options: WatchOptions;
  readonly interruption: Interruption;
}

function looking({ ledger, rows, dataset, asked, inputs, options, interruption }: Run): Looking {
  const { signal } = interruption;
  return {
    ...{ ledger, dataset, asked, tell },
    software: { name: SOFTWARE.name, version: SOFTWARE.version },
    curator: terminalCurator({ yes: options.yes, signal }),
    charge: async () => ({
      mark: await markOf(ledger, { location: rows.location, files: await rows.files() }, options),
      isNewDataset: options.newDataset,
    }),
    secret: () => secretOf(ledger, options),
    roles: async () => {
      const source = await rows.open(signal);
      const guessed = guessColumns([...source.columns]);
      const roles = { item: options.item ?? guessed.item ?? "", user: options.user ?? guessed.user ?? "" };
      checkRoles(columnsIn(source), roles);
      return roles;
    },
    count: async (where, roles) =>
      countsOf(await rows.open(signal), { items: asked.items, where, roles, signal }),
    inputs: () => guardChargedInputs(inputs, ledger),
    mayRetry: lostConnections(signal),
    settle: () => interruption.passPointOfNoReturn(),
    signal,
  };
}

/** A secret that nothing published has. */
async function secretOf(ledger: Ledger, { sealKey }: WatchOptions): Promise<string> {
  if (sealKey !== undefined) {
    const text = await readFile(sealKey, "utf8").catch((error) => {
      throw fileRefusal("The key", sealKey, error);
    });
    if (text.trim().length < 32)
      throw new Refusal("usage", "--seal-key must be a file with a secret of at least 32 characters.");
    return text.trim();
  }
  return secretOfLedger(ledger);
}

interface Counting {
  readonly items: readonly string[];
  readonly where: Predicate;
  readonly roles: { readonly item: string; readonly user: string };
  readonly signal: AbortSignal;
}

async function countsOf(
  source: Source,
  { items: listed, where, roles, signal }: Counting,
): Promise<CountedLook> {
  const places = new Map(listed.map((item, place) => [item, place]));
  const counts = new Array<number>(listed.length).fill(0);
  const candidates = { kind: "listed", items: listed } as const;
  for await (const { items, users } of source.histogram({ ...roles, candidates, where, signal }))
    for (const [i, item] of items.entries()) counts[places.get(item)!] = users[i]!;
  return { counts, facts: () => factsOf(source, { ...roles, signal }) };
}

async function lookBefore(ledger: Ledger, { question }: RecordedLook): Promise<RecordedLook | undefined> {
  return question.look === 1 ? undefined : ledger.find<Look>(lookId(question.series, question.look - 1));
}

/** Who entered a renewed list, and who left it. */
function changeLines(look: RecordedLook, before: RecordedLook | undefined): string[] {
  if (before === undefined || !look.answer.isRenewed) return [];
  const [earlier, later] = [before, look].map(({ answer }) => ({
    winners: answer.list.map((item) => ({ item })),
    ordered: false,
  }));
  const lines = changesInWords(changesBetween(earlier!, later!), (name) => forTerminal(name));
  return ["", ...lines.map(([what, who]) => `  ${what}  ${who}`)];
}

function textOf(
  look: RecordedLook,
  before: RecordedLook | undefined,
  { json }: Pick<WatchOptions, "json">,
): string {
  if (json) return `${forJson(published(look))}\n`;
  return [
    "",
    ...look.answer.list.map((item) => `  ${forTerminal(item)}`),
    ...changeLines(look, before),
    "",
    `  ${look.question.about}: ${lookInWords(look)}`,
    `  release ${forTerminal(look.id)}, entry ${look.ledger.sequence}`,
    "",
    "",
  ].join("\n");
}
