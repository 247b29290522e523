/**
 * `winnow watch`: looks at a published list once a period and renews it only when it is wrong, at one price for the whole horizon.
 * It may be run from cron twice, after a crash and a week late: each period is looked at once, and asking again prints what was
 * published. Rows are counted in the engine, one count for each person and item of the period.
 * @module
 */
import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { rational } from "winnow-dp";
import {
  type ChargeOptions,
  type ComparedInputs,
  changesBetween,
  changesInWords,
  confirmConcerns,
  forJson,
  forTerminal,
  guardChargedInputs,
  guessColumns,
  inSafeOrder,
  type Ledger,
  listedDomain,
  mustBe,
  periodNamed,
  predicateText,
  priceConcerns,
  Refusal,
  type RowFacts,
  RowWatch,
  readableLoss,
  readPredicate,
  readPromise,
  readTypes,
  startOf,
  unitOf,
} from "winnow-release";
import { addOptions, DEFAULT_LEDGER, examples, positiveInteger } from "../command-options.js";
import { openLedger, readPublishedRelease } from "../ledger/open-ledger.js";
import { type Interruption, interruptible } from "../long-work.js";
import { readDomain } from "../public-files.js";
import { fileRefusal } from "../refusal.js";
import { periodCondition } from "../release/asked-period.js";
import { terminalCurator } from "../release/confirm.js";
import { datasetName, markOf } from "../release/dataset-name.js";
import { guardFiles } from "../release/public-inputs.js";
import { checkRoles, columnsIn, type Roles, Rows } from "../release/rows.js";
import { factsOf } from "../release/run.js";
import { showRecorded, tellClosed, tidyUp } from "../release/tell.js";
import { chooseLedger } from "../release/which-ledger.js";
import { print, tell } from "../render/terminal.js";
import { lostConnections } from "../sources/server-connection.js";
import type { SourceOptions } from "../sources/source.js";
import {
  type Look,
  lookId,
  looksOf,
  lossOfLook,
  newLook,
  published,
  type RecordedLook,
  renewalOf,
  seal,
  sealingKey,
  unseal,
  type WatchQuestion,
} from "../watch/watched-list.js";

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

/** The public part of a look. */
interface Asked {
  readonly question: WatchQuestion;
  readonly dataset: string;
  readonly items: readonly string[];
  /** The condition on rows, with the days of the period. */
  readonly where: string;
  readonly about: string;
  readonly index: number;
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
  const asked = await readAsked(location, rows, options);
  const ledger = await openLedger(options.ledger, { create: true });
  try {
    const [finding] = against.length === 0 ? [] : (await ledger.verify(against)).findings;
    if (finding !== undefined) throw new Refusal("ledger-broken", finding.sentence);
    await interruptible(async (interruption) => {
      const look = await makeLook({ ledger, rows, asked, inputs, options, interruption });
      await showRecorded(look.id, async () => {
        const before = await lookBefore(ledger, look);
        await print(textOf(look, before, asked, options), () => tellClosed(look.id));
      });
    });
  } finally {
    await tidyUp(
      () => rows.close(),
      () => ledger.close(),
    );
  }
}

async function readAsked(location: string, rows: Rows, options: WatchOptions): Promise<Asked> {
  const { series, k, every, from, time, types } = options;
  if (!/^[\w.-]{1,80}$/.test(series))
    throw new Refusal("usage", "--series must be a name of letters, digits, dots, dashes and underscores.");
  const first = startOf(every as "week", from) ?? from;
  const promise = readPromise({
    unit: "person",
    period: every,
    first,
    horizon: positiveInteger("--horizon")(options.horizon),
  });
  const { unit: _, ...calendar } = promise;
  const days = periodNamed(promise, options.period);
  const items = await readDomain(options.domain);
  const typed = options.where;
  const read = types === undefined ? undefined : readTypes(types);
  const own = typed === undefined ? undefined : predicateText(readPredicate(typed, read));
  const condition = periodCondition(days, time);
  const user = options.user ?? guessColumns([...(await rows.open()).columns]).user;
  if (user === undefined)
    throw new Refusal("unknown-column", "--user must name the column that identifies the person.");
  const question: WatchQuestion = {
    ...{ kind: "watch", series, k, domain: await listedDomain(items), neighbours: "add-remove" },
    ...{
      epsilon: String(rational(options.epsilon, "epsilon")),
      renewals: positiveInteger("--renewals")(options.renewals),
    },
    ...{ tolerance: String(rational(options.tolerance, "tolerance")), calendar, time },
    ...(own !== undefined && { where: own }),
    unit: options.unit ?? unitOf(user),
  };
  const {
    renewals,
    calendar: { horizon },
  } = question;
  if (renewals >= horizon)
    throw new Refusal(
      "usage",
      mustBe("--renewals", `at most ${horizon - 1}, because the first look makes the first list`, renewals),
    );
  if (k >= items.length) throw new Refusal("usage", mustBe("-k", `from 1 to ${items.length - 1}`, k));
  renewalOf(question); // refuses what can't be asked
  return {
    ...{ question, items, about: days.name, index: days.index },
    dataset: datasetName(location, options.dataset),
    where: own === undefined ? condition : `(${own}) and ${condition}`,
  };
}

interface Run {
  readonly ledger: Ledger;
  readonly rows: Rows;
  readonly asked: Asked;
  readonly inputs: ComparedInputs;
  readonly options: WatchOptions;
  readonly interruption: Interruption;
}

/** Two other runs at the same moment may each be first once. */
const MOST_ATTEMPTS = 3;

async function makeLook(run: Run): Promise<RecordedLook> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await nextLook(run);
    } catch (error) {
      const isTaken = error instanceof Refusal && error.code === "release-id-taken";
      if (!isTaken || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

/** The look at the period that is asked about, if it was made; periods are looked at in their order. */
function storedLook(looks: readonly RecordedLook[], { question, dataset, about, index }: Asked) {
  const last = looks.at(-1);
  if (last === undefined) return undefined;
  const { look: _look, about: lastAbout, ...known } = last.question;
  if (last.dataset !== dataset || JSON.stringify(sorted(known)) !== JSON.stringify(sorted(question)))
    throw new Refusal(
      "release-id-taken",
      `The list ${JSON.stringify(question.series)} is watched with other parameters, which never change.`,
    );
  const stored = looks.find((look) => look.question.about === about);
  const { period, first, horizon } = question.calendar;
  if (
    stored === undefined &&
    periodNamed({ unit: "person", period, first, horizon }, lastAbout).index > index
  )
    throw new Refusal("usage", `The list was looked at for ${lastAbout} already, so ${about} is too late.`);
  return stored;
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .map(([key, part]) => [key, sorted(part)])
    .sort();
}

/** What the rows gave, as far as the look needs them. */
interface Counted {
  readonly counts: readonly number[];
  facts(): Promise<RowFacts>;
}

/** What a look goes on from, opened before a row is read. */
interface Prepared {
  readonly roles: Roles;
  readonly key: Uint8Array;
  readonly state: string | undefined;
}

/** The look that is stored, or the next one, in the safe order of all releases and with their guards. */
async function nextLook(run: Run): Promise<RecordedLook> {
  const { ledger, rows, asked, inputs, options, interruption } = run;
  const { question, dataset } = asked;
  const { signal } = interruption;
  const curator = terminalCurator({ yes: options.yes, signal });
  const watched = new RowWatch(question);
  let last: RecordedLook | undefined;
  let charge: ChargeOptions = {};
  let prepared: Prepared | undefined;
  let facts: Counted["facts"] | undefined;
  const { release } = await inSafeOrder<Counted, Look, RecordedLook>({
    stored: async () => {
      const looks = await looksOf(ledger, question.series);
      last = looks.at(-1);
      const known = storedLook(looks, asked);
      if (known !== undefined)
        tell(
          `The list was looked at for ${asked.about} already: this is what was published, and nothing was counted.`,
        );
      return known;
    },
    guard: async () => {
      charge = {
        mark: await markOf(ledger, { location: rows.location, files: await rows.files() }, options),
        isNewDataset: options.newDataset,
      };
      await ledger.admitAccount(dataset, charge);
      await guardChargedInputs(inputs, ledger);
    },
    admit: async () => {
      const price = lossOfLook(question, numberAfter(last));
      if (last === undefined) await ledger.admitLoss(dataset, price);
      return price;
    },
    confirm: async (price) => {
      if (last === undefined) {
        await confirmConcerns(priceConcerns(await ledger.account(dataset), price), curator);
        tell(`The first look pays for the whole horizon: ${readableLoss(price)}.`);
      }
      prepared = await prepare(run, last);
    },
    count: () => countsOf(run, prepared!, { watched, isFrozen: last?.answer.isFrozen === true }),
    draw: (counted) => {
      facts = counted.facts;
      return lookAt(asked, last, prepared!, counted.counts);
    },
    mayRetry: lostConnections(signal),
    settle: async () => {
      const { told, asked: concerns } = watched.finish((await facts?.()) ?? {});
      if (last?.answer.isFrozen !== true) {
        for (const fact of told) fact.for(curator);
        await confirmConcerns(concerns, curator);
      }
      interruption.passPointOfNoReturn();
    },
    record: (look) => ledger.record<Look>(dataset, look, charge),
    signal,
  });
  return release;
}

function numberAfter(last: RecordedLook | undefined): number {
  return (last?.question.look ?? 0) + 1;
}

/** Refuses what is wrong with the columns or with the key, at no cost. */
async function prepare(
  { ledger, rows, asked, options, interruption }: Run,
  last: RecordedLook | undefined,
): Promise<Prepared> {
  const source = await rows.open(interruption.signal);
  const guessed = guessColumns([...source.columns]);
  const roles = { item: options.item ?? guessed.item ?? "", user: options.user ?? guessed.user ?? "" };
  checkRoles(columnsIn(source), roles);
  const key = sealingKey(await secretOf(ledger, options), asked.dataset, asked.question.series);
  const state = last === undefined ? undefined : unseal(last.sealed ?? "", key, last.id);
  return { roles, key, state };
}

function lookAt(
  { question, dataset, items, about }: Asked,
  last: RecordedLook | undefined,
  { roles, key, state }: Prepared,
  counts: readonly number[],
): Look {
  const number = numberAfter(last);
  const renewal = renewalOf(question);
  const step = state === undefined ? renewal.start(counts) : renewal.next(state, counts);
  const answer = {
    list: step.candidates.map((index) => items[index]!).sort(),
    ...{ isRenewed: step.isRenewed && last !== undefined, renewed: step.renewed, isFrozen: step.isFrozen },
  };
  const sealed = seal(step.state, key, `${question.series}#${number}`);
  return newLook(question, { dataset, source: roles, answer, look: number, about, sealed });
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
  const secret = await ledger.markKey();
  if (secret === undefined)
    throw new Refusal("usage", "This ledger has no secret to seal with: pass --seal-key.");
  return secret;
}

/** A list that is frozen stays as it is, so nothing is counted for it. */
async function countsOf(
  { rows, asked, interruption }: Run,
  { roles }: Prepared,
  { watched, isFrozen }: { readonly watched: RowWatch; readonly isFrozen: boolean },
): Promise<Counted> {
  const { signal } = interruption;
  const counts = new Array<number>(asked.items.length).fill(0);
  if (isFrozen) return { counts, facts: async () => ({}) };
  const source = await rows.open(signal);
  const places = new Map(asked.items.map((item, place) => [item, place]));
  const wanted = { kind: "listed", items: asked.items } as const;
  const where = readPredicate(asked.where);
  const counted = source.histogram({ ...roles, candidates: wanted, where, signal });
  for await (const { items, users } of watched.watch(counted))
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
  { question }: Asked,
  { json }: WatchOptions,
): string {
  if (json) return `${forJson(published(look))}\n`;
  const { list, isRenewed, renewed, isFrozen } = look.answer;
  const left = question.renewals - renewed;
  const what =
    look.question.look === 1
      ? "The first list."
      : isRenewed
        ? "The list was wrong, and is renewed."
        : "No change.";
  const more = isFrozen
    ? "It is frozen: it was renewed as often as it may be, and stays as it is, right or wrong."
    : `It may be renewed ${left} more ${left === 1 ? "time" : "times"}.`;
  return [
    "",
    ...list.map((item) => `  ${forTerminal(item)}`),
    ...changeLines(look, before),
    "",
    `  ${look.question.about}: ${what} ${more}`,
    `  release ${forTerminal(look.id)}, entry ${look.ledger.sequence}`,
    "",
    "",
  ].join("\n");
}
