/**
 * One release at the command line: its options and files, the flow of winnow-release with a terminal for its curator, and its
 * outputs. A failure before the charge costs nothing, except for a query whose count has begun; after the charge the answer can
 * be printed again.
 *
 * Asking again with a release id returns the stored answer if everything public about the question is the same, however
 * it was written, and is refused otherwise. The rows are not opened: they may have changed, but the answer hasn't.
 * @module
 */

import {
  COUNT_FAILED,
  guardChargedInputs,
  isGrouped,
  isReleaseId,
  kindOf,
  type Ledger,
  makeRelease,
  newReleaseId,
  type PublishedRelease,
  type Question,
  Refusal,
  type Release,
  type ReleaseSource,
  type RowFacts,
  readableLoss,
  readPredicate,
} from "winnow-release";
import { CONFIGURATION } from "../config.js";
import { openLedger } from "../ledger/open-ledger.js";
import { type Interruption, interruptible, type Progress, startProgress } from "../long-work.js";
import { tell, tellPrivately } from "../render/terminal.js";
import { lostConnections } from "../sources/server-connection.js";
import { type HistogramRequest, NO_HEADER, type Source, streamAt } from "../sources/source.js";
import { SOFTWARE } from "../this-package.js";
import { chooseByRows, refuseWithTune } from "../tune/choose-by-rows.js";
import { askedPeriod } from "./asked-period.js";
import { releaseBefore } from "./before.js";
import { type KeptBits, prepareBits } from "./committed.js";
import { terminalCurator } from "./confirm.js";
import { markOf } from "./dataset-name.js";
import { dryRun, preview } from "./dry-run.js";
import { type Outputs, prepareOutputs } from "./outputs.js";
import type { ReleaseOptions } from "./release-options.js";
import { type Request, readRequest } from "./request.js";
import { checkRoles, columnsIn, itemOption } from "./roles.js";
import { Rows } from "./rows.js";
import {
  budgetLeft,
  showRecorded,
  tellBefore,
  tellChoice,
  tellExpectation,
  tellGroups,
  tellGuess,
  tellIdleBound,
  tellNoise,
  tellWhatIsLeft,
  tidyUp,
} from "./tell.js";
import { boundFor, candidatesFor, groupedRows, panelFor } from "./wanted.js";
import { chooseLedger } from "./which-ledger.js";
import { checkBefore, readWitnessing, signed, type Witnessing } from "./witnessing.js";

export async function release(
  kind: Question["kind"],
  location: string,
  given: ReleaseOptions,
): Promise<void> {
  await interruptible(async (interruption) => {
    refuseWithTune(given, streamAt(location) !== undefined);
    const rows = new Rows(location, given);
    const files = await rows.files();
    const options = {
      ...given,
      ledger: await chooseLedger(given.ledger, { ...given, location, files, isDryRun: given.dryRun }),
    };
    const about = await askedPeriod(location, options);
    const asked = about === undefined ? options : { ...options, about };
    if (options.dryRun) return dryRun(kind, rows, asked, interruption.signal);
    const witnessing = await readWitnessing(asked);
    const inputs = inputsOf(files, asked);
    const id = asked.releaseId ?? newReleaseId();
    const outputs = await prepareOutputs(asked, inputs);
    let bits: KeptBits | undefined;
    let ledger: Ledger | undefined;
    try {
      refuseHiddenPeople(asked);
      bits = await prepareBits(asked.commitBits, id, inputs);
      const read = await readRequest(kind, rows, asked, interruption.signal, async () =>
        columnsIn(await rows.open(interruption.signal)),
      );
      ledger = await openLedger(asked.ledger, { create: true });
      const request = await chooseByRows({ id, ledger, request: read, rows, options: asked, interruption });
      const run = { id, ledger, request, rows, options: asked, interruption, witnessing, bits };
      await publish(await signed(await makeAnswer(run), ledger, witnessing), outputs, run);
    } finally {
      await tidyUp(
        () => outputs.discard(),
        () => bits?.discard(),
        () => rows.close(),
        () => ledger?.close(),
      );
    }
  });
}

/** Which people are counted in a period is a secret of the ledger, which no opening holds. */
function refuseHiddenPeople({ commitBits, about, map }: ReleaseOptions): void {
  if (commitBits !== undefined && map !== undefined)
    throw new Refusal(
      "usage",
      "--commit-bits doesn't go with --map, because counting the rows again would need the map too.",
    );
  if (commitBits !== undefined && about?.key !== undefined)
    throw new Refusal(
      "usage",
      "--commit-bits doesn't go with a budget under which a person counts in some periods only: no one else could count them again.",
    );
}

/** The files that the run reads or writes to. */
function inputsOf(files: readonly string[], options: ReleaseOptions): string[] {
  const { ledger, domain, public: twin, labels, metadata, sign, policy, passphraseFile } = options;
  const { groups, groupBudgets, map } = options;
  const kept = ["", "-wal", "-shm"].map((end) => ledger + end);
  return [
    ...kept,
    ...files,
    CONFIGURATION,
    ...[domain, twin, labels, metadata, sign, policy, passphraseFile].flatMap((path) => path ?? []),
    ...[groups, groupBudgets, map].flatMap((path) => path ?? []),
  ];
}

interface Run {
  readonly id: string;
  readonly ledger: Ledger;
  readonly request: Request;
  readonly rows: Rows;
  readonly options: ReleaseOptions;
  readonly interruption: Interruption;
  readonly witnessing: Witnessing | undefined;
  readonly bits: KeptBits | undefined;
}

async function makeAnswer(run: Run): Promise<PublishedRelease & Release> {
  const { id, ledger, request, rows, options, interruption, witnessing, bits } = run;
  const { question, dataset, items, table, groups } = request;
  const { signal } = interruption;
  const roles = request.roles!; // known, because the header may be read
  const columns = { ...roles, signal };
  let source: Source | undefined;
  let progress: Progress | undefined;
  try {
    const { release } = await makeRelease<PublishedRelease & Release>({
      ...{ id, dataset, question, software: SOFTWARE, ledger, signal },
      inputs: () => guardChargedInputs(request.inputs, ledger),
      epsilonFrom: epsilonFrom(question, options),
      ...(options.releaseId !== undefined && { find: () => storedAnswer(ledger, request, options) }),
      charge: async () => ({
        mark: await markOf(ledger, { location: rows.location, files: await rows.files() }, options),
        isNewDataset: options.newDataset,
      }),
      curator: terminalCurator({ yes: options.yes, isQuery: options.query !== undefined, signal }),
      isReserved: options.reserve,
      bits,
      count: async () => {
        const opened = await rows.open(signal);
        source = opened;
        progress ??= startProgress("counting");
        const candidates = candidatesFor(question, items, table);
        const where = question.where === undefined ? undefined : readPredicate(question.where);
        const panel = panelFor(options.about);
        const wanted = { ...columns, candidates, where, panel, onProgress: progress.report };
        const bound = bits === undefined ? boundFor(question) : bits.boundFor(question.maxItemsPerUser);
        return {
          ...(isGrouped(question)
            ? { groups: groupedRows(opened, question, { ...wanted, listed: groups, items }) }
            : { batches: opened.histogram({ ...wanted, bound }) }),
          source: {
            ...{ item: roles.item, user: roles.user },
            dialect: recordedDialect(opened.dialect, options),
          },
          notes: trustNotes(opened.dialect, options),
          facts: async () => {
            progress?.stop();
            return factsOf(opened, columns);
          },
        };
      },
      hooks: {
        guard: () => checkBefore(ledger, witnessing),
        confirm: async (reserved) => {
          await tellExpectation(question, await preview(request, options, signal));
          tellIdleBound(question, options);
          tellNoise(question, options);
          tellChoice(request.choice);
          if (options.trustQuery) tell(TRUSTED);
          tellGroups(question);
          checkRoles(
            columnsIn(await rows.open(signal)),
            roles,
            itemOption(question.kind),
            question.groups?.by,
          );
          tellGuess(roles, options, itemOption(question.kind));
          await tellBefore(ledger, dataset, question, reserved);
        },
        mayRetry: lostConnections(signal),
        onRowsFailed: (error) => {
          progress?.stop();
          return options.query === undefined || isPublic(error) ? undefined : countFailed(error);
        },
        settle: () => {
          if (source !== undefined) rows.close().catch(() => {}); // a reader takes a while to free its memory; meanwhile the ledger writes
          interruption.passPointOfNoReturn();
        },
        onKept: (reserved) =>
          tell(`The reservation for release ${id} stays: ${readableLoss(reserved)} counts in full.`),
      },
    });
    return release;
  } finally {
    progress?.stop();
  }
}

/** The preview of a release of names runs on the public twin, and shows what ε buys. */
function epsilonFrom(question: Question, { epsilonFrom, public: twin }: ReleaseOptions) {
  return epsilonFrom ?? (twin !== undefined && kindOf(question).shape === "winners" ? TWIN : undefined);
}

const TWIN = "public-twin";

const TRUSTED =
  "--trust-query: Winnow doesn't check the query. If it mixes people's rows, or fails on one of them, the release isn't private.";

/** What the source knows about the rows that it has counted, for the curator only. */
export async function factsOf(
  source: Source,
  columns: Pick<HistogramRequest, "item" | "user" | "computed" | "signal">,
): Promise<RowFacts> {
  const similarUsers = await source.similarUsers(columns);
  return {
    skippedLines: source.skippedLines(),
    ...source.skippedValues(),
    ...source.skippedRows(),
    similarUsers,
    items: source.itemsInRows(),
  };
}

/** Refusals that follow from the options and the schema, and the curator's own Ctrl-C. */
const PUBLIC: ReadonlySet<string> = new Set(["usage", "unknown-column", "interrupted"]);

function isPublic(error: unknown): boolean {
  return error instanceof Refusal && PUBLIC.has(error.code);
}

/**
 * Whether a count ends can depend on the rows: a view that fails, a trusted query, a limit of time or memory. Such an event is
 * exact, so no price makes it private. But the author of a query must not get it for free, nor learn its reason: each failure
 * is charged in full and looks alike.
 */
function countFailed(error: unknown): Refusal {
  if (error instanceof Refusal) tellPrivately(error.message);
  return new Refusal("count-failed", COUNT_FAILED);
}

/** From here on the charge is recorded and the answer stored. */
async function publish(recorded: Release, outputs: Outputs, { ledger, request }: Run): Promise<void> {
  const { dataset, question } = request;
  await showRecorded(recorded.id, async () =>
    outputs.publish(
      recorded,
      await budgetLeft(ledger, dataset, question),
      await releaseBefore(ledger, recorded),
    ),
  );
  await tellWhatIsLeft(ledger, dataset, question);
}

/** The recorded notes about trusting a file's writer, and a query's author. */
const MULTILINE =
  "Newlines inside quoted fields were allowed: the writer of the file was trusted not to reach into the next line.";
const ARRAY =
  "The rows are the elements of a JSON array: the writer of the file was trusted not to reach into the next element.";

const QUERY =
  "The query was trusted to treat each person's rows on their own and to fail on none of them: Winnow didn't check it.";

/** What the release relies on without a check. */
export function trustNotes(
  { format }: ReleaseSource["dialect"],
  { multiline, trustQuery }: Pick<ReleaseOptions, "multiline" | "trustQuery">,
): string[] {
  return [...(multiline ? [format === "json" ? ARRAY : MULTILINE] : []), ...(trustQuery ? [QUERY] : [])];
}

async function storedAnswer(
  ledger: Ledger,
  { dataset, question, roles }: Request,
  options: ReleaseOptions,
): Promise<(PublishedRelease & Release) | undefined> {
  const { releaseId: id } = options;
  if (id === undefined) return undefined;
  if (!isReleaseId(id))
    throw new Refusal(
      "usage",
      "--release-id must be a short text without control characters or spaces at its ends.",
    );
  const found = await ledger.find(id, { dataset, question });
  if (found === undefined) return undefined;
  const isSameSource =
    found.source.item === roles?.item &&
    found.source.user === roles.user &&
    isReadAlike(found.source.dialect, options) &&
    found.notes.some((note) => note === MULTILINE || note === ARRAY) === (options.multiline ?? false) &&
    found.notes.includes(QUERY) === (options.trustQuery ?? false);
  if (!isSameSource)
    throw new Refusal(
      "release-id-taken",
      `The release id ${JSON.stringify(id)} belongs to a release whose rows were read in another way.`,
    );
  tell(`Release ${id} exists already: this is its stored answer, and nothing was charged.`);
  return found;
}

/** The style of numbers that isn't recorded. */
const PLAIN = "plain";

/** A table or a query selects the rows, so it must be the same; other options that aren't given come from the header. */
function isReadAlike(dialect: ReleaseSource["dialect"], options: ReleaseOptions): boolean {
  const { table, query, format, delimiter, quote, header = true, numbers = PLAIN } = options;
  if (dialect.table !== table || dialect.query !== query) return false;
  if ((dialect.numbers ?? PLAIN) !== numbers) return false;
  if ((dialect.header === NO_HEADER) === header) return false;
  const given = Object.entries({ format, delimiter, quote });
  return given.every(([name, value]) => value === undefined || dialect[name] === value);
}

/** The settings that were fixed before a row was read, with the requested table or query. */
export function recordedDialect(
  dialect: ReleaseSource["dialect"],
  { table, query, numbers = PLAIN }: Pick<ReleaseOptions, "table" | "query" | "numbers">,
): ReleaseSource["dialect"] {
  return {
    ...dialect,
    ...(table !== undefined && { table }),
    ...(query !== undefined && { query }),
    ...(numbers !== PLAIN && { numbers }),
  };
}
