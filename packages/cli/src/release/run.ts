/**
 * One release, in the order that makes it safe: first the question and its price, then whether the ledger admits
 * it, then the rows, then the answer in memory, then the charge together with the answer in one transaction, and
 * only then output. A failure before the charge costs nothing; after the charge the answer can be printed again.
 *
 * Asking again under a release id returns the stored answer if everything public about the question is the same,
 * however it was written, and is refused otherwise. The rows are not opened: they may have changed, and the answer
 * has not.
 * @module
 */
import {
  type Answer,
  isReleaseId,
  newRelease,
  newReleaseId,
  type Question,
  type Release,
  type ReleaseSource,
  readableLoss,
  select,
} from "winnow-release";
import { CONFIGURATION } from "../config.js";
import { type Interruption, interruptible } from "../interrupt.js";
import { type Ledger, openLedger } from "../ledger/open-ledger.js";
import { withProgress } from "../progress.js";
import { Refusal } from "../refusal.js";
import { tell, tellPrivately } from "../render/terminal.js";
import { CountFailed, retryLostConnections } from "../sources/server-retry.js";
import { withoutUsers } from "../sources/server-source.js";
import { type Batch, NO_HEADER, type Source } from "../sources/source.js";
import { SOFTWARE } from "../this-package.js";
import { canAsk, confirmPrice, ListMatch } from "./confirm.js";
import { dryRun, preview } from "./dry-run.js";
import { tellExpectation, tellIdleBound } from "./expectations.js";
import { type Outputs, prepareOutputs } from "./outputs.js";
import type { ReleaseOptions } from "./release-options.js";
import { itemOption, type Request, readRequest } from "./request.js";
import { boundFor, candidatesFor, checkRoles, columnsIn, Rows } from "./rows.js";
import { chooseAccount, markOf } from "./source-mark.js";
import { budgetLeft, showRecorded, tellBefore, tellWhatIsLeft, tidyUp } from "./tell.js";

export async function release(
  kind: Question["kind"],
  location: string,
  options: ReleaseOptions,
): Promise<void> {
  await interruptible(async (interruption) => {
    if (options.dryRun) return dryRun(kind, location, options, interruption.signal);
    const outputs = await prepareOutputs(options, inputsOf(location, options));
    const rows = new Rows(location, options);
    let ledger: Ledger | undefined;
    try {
      const request = await readRequest(kind, location, options, interruption.signal, async () =>
        columnsIn(await rows.open(interruption.signal)),
      );
      ledger = await openLedger(options.ledger, { create: true });
      const run = { ledger, request, location, rows, options, interruption };
      const recorded = (await storedAnswer(ledger, request, options)) ?? (await newAnswer(run));
      await publish(recorded, outputs, run);
    } finally {
      await tidyUp(
        () => outputs.discard(),
        () => rows.close(),
        () => ledger?.close(),
      );
    }
  });
}

/** The files that the run reads or keeps. */
function inputsOf(location: string, options: ReleaseOptions): string[] {
  const { ledger, domain, public: twin, labels, metadata } = options;
  const kept = ["", "-wal", "-shm"].map((end) => ledger + end);
  return [
    ...kept,
    location,
    CONFIGURATION,
    ...[domain, twin, labels, metadata].flatMap((path) => path ?? []),
  ];
}

interface Run {
  readonly ledger: Ledger;
  readonly request: Request;
  readonly location: string;
  readonly rows: Rows;
  readonly options: ReleaseOptions;
  readonly interruption: Interruption;
}

async function newAnswer(run: Run): Promise<Release> {
  const { ledger, request, location, rows, options, interruption } = run;
  const { question, dataset } = request;
  const id = options.releaseId ?? newReleaseId();
  const roles = request.roles!; // known, because the header may be looked at
  const mark = await chooseAccount(ledger, dataset, options.newDataset, () =>
    markOf(ledger, location, options),
  );
  const account = { mark, isNewDataset: options.newDataset };
  const reserved = await ledger.admitsQuestion(dataset, question);
  await confirmPrice(request.loss, { yes: options.yes, signal: interruption.signal });
  await tellExpectation(question, await preview(request, options, interruption.signal));
  tellIdleBound(question, options);
  const source = await rows.open(interruption.signal);
  checkRoles(columnsIn(source), roles, itemOption(question.kind));
  await tellBefore(ledger, dataset, question, reserved);
  if (options.reserve) await ledger.reserve(dataset, id, question, account);
  try {
    const answer = await drawAnswer(run, source);
    rows.close().catch(() => {}); // a reader takes a while to give its memory back: meanwhile the ledger writes
    interruption.passPointOfNoReturn();
    const unrecorded = newRelease({
      id,
      dataset,
      time: new Date(),
      software: SOFTWARE,
      question,
      answer,
      source: { ...roles, dialect: recordedDialect(source.dialect, options) },
      notes: options.multiline ? [trustNote(source.dialect)] : [],
    });
    return await ledger.record(dataset, unrecorded, account);
  } catch (error) {
    if (options.reserve)
      tell(`What was reserved for release ${id} stays: ${readableLoss(reserved)} counts in full.`);
    throw error;
  }
}

/** Counts the rows and draws the answer in memory, which nobody has seen yet. */
async function drawAnswer({ request, options, interruption }: Run, source: Source): Promise<Answer> {
  const { question, items, table } = request;
  const { signal } = interruption;
  const match = new ListMatch(question.domain);
  const answer = await withProgress("counting", async ({ report }) => {
    const wanted = {
      ...request.roles!,
      candidates: candidatesFor(question, items, table),
      bound: boundFor(question),
      signal,
      onProgress: report,
    };
    // Nothing is charged yet, so a server that was lost on the way may be asked again.
    const answerTo = (batches: AsyncIterable<Batch> | Iterable<Batch>) => {
      match.restart();
      return select(question, match.watch(batches));
    };
    try {
      return await retryLostConnections(() => answerTo(source.histogram(wanted)), signal);
    } catch (error) {
      if (options.query === undefined || !isFailureOnRows(error)) throw error;
      tellPrivately("The query failed on the rows: this is the answer for no rows.");
      return answerTo(withoutUsers(items ?? []));
    }
  });
  const skipped = source.skippedLines();
  if (skipped)
    tellPrivately(
      skipped === 1
        ? "1 line could not be read and was skipped."
        : `${skipped.toLocaleString("en")} lines could not be read and were skipped.`,
    );
  const words = source.skippedValues();
  if (words)
    tellPrivately(
      words === 1
        ? "1 value is not a number and was skipped."
        : `${words.toLocaleString("en")} different values are not numbers and were skipped.`,
    );
  // Somebody else's query must not learn from the exit code what the rows are.
  const yes = options.yes || (options.query !== undefined && !canAsk());
  await match.confirm(source.itemsInRows(), { yes, signal });
  return answer;
}

/**
 * A query can fail for some rows and not for others (`error()` inside a CASE, a cast, a division). If that ended the run,
 * each run would tell one fact about the rows, exactly and for free. So it counts as a query that gives no rows: the
 * run ends and is charged like any other. Hitting a limit of time or memory still ends it.
 */
function isFailureOnRows(error: unknown): boolean {
  if (error instanceof CountFailed) return true;
  return error instanceof Refusal && (error.code === "unreadable-source" || error.code === "bad-query");
}

/** From here on the charge is made and the answer kept. */
async function publish(recorded: Release, outputs: Outputs, { ledger, request }: Run): Promise<void> {
  const { dataset, question } = request;
  await showRecorded(recorded.id, async () =>
    outputs.publish(recorded, await budgetLeft(ledger, dataset, question)),
  );
  await tellWhatIsLeft(ledger, dataset, question);
}

/** In which words the choice to trust a file's writer is recorded. */
export const MULTILINE =
  "Newlines inside quoted fields were allowed: whoever wrote the file was trusted not to reach into the next line.";
const ARRAY =
  "The rows are the elements of a JSON array: whoever wrote the file was trusted not to reach into the next element.";

function trustNote({ format }: ReleaseSource["dialect"]): string {
  return format === "json" ? ARRAY : MULTILINE;
}

export async function storedAnswer(
  ledger: Ledger,
  { dataset, question, roles }: Request,
  options: ReleaseOptions,
): Promise<Release | undefined> {
  const { releaseId: id } = options;
  if (id === undefined) return undefined;
  if (!isReleaseId(id))
    throw new Refusal(
      "usage",
      "--release-id must be a short text without control characters or spaces at its ends.",
    );
  const found = await ledger.find(id, { dataset, question });
  if (found === undefined) {
    const reservation = await ledger.reservation(id);
    if (reservation === undefined) return undefined;
    throw new Refusal(
      "reservation-open",
      `The release id ${JSON.stringify(id)} was reserved at ${reservation.time}, and its release was never recorded.`,
    );
  }
  const isSameSource =
    found.source.item === roles?.item &&
    found.source.user === roles.user &&
    isReadAlike(found.source.dialect, options) &&
    found.notes.some((note) => note === MULTILINE || note === ARRAY) === (options.multiline ?? false);
  if (!isSameSource)
    throw new Refusal(
      "release-id-taken",
      `The release id ${JSON.stringify(id)} belongs to a release whose rows were read otherwise.`,
    );
  tell(`Release ${id} was made before: this is its answer again, and nothing was charged.`);
  return found;
}

/** A table or a query says which rows; of the rest, what is not given is taken from the header and may be anything. */
function isReadAlike(dialect: ReleaseSource["dialect"], options: ReleaseOptions): boolean {
  const { table, query, format, delimiter, quote, header = true } = options;
  if (dialect.table !== table || dialect.query !== query) return false;
  if ((dialect.header === NO_HEADER) === header) return false;
  const given = Object.entries({ format, delimiter, quote });
  return given.every(([name, value]) => value === undefined || dialect[name] === value);
}

/** What was fixed before a row was read, with the table or the query that was asked for. */
export function recordedDialect(
  dialect: ReleaseSource["dialect"],
  { table, query }: ReleaseOptions,
): ReleaseSource["dialect"] {
  return { ...dialect, ...(table !== undefined && { table }), ...(query !== undefined && { query }) };
}
