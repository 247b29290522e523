/**
 * One release, in the order that makes it safe: the question and its price first, then whether the ledger admits it, then the
 * rows, then the answer in memory, then the charge together with the answer in one transaction, and only then a word on
 * standard output. Whatever goes wrong before the charge costs nothing; whatever goes wrong after it can be printed again.
 * @module
 */
import { newRelease, newReleaseId, type Question, type Release, select } from "winnow-release";
import { CONFIGURATION } from "../config.js";
import { type Interruption, interruptible } from "../interrupt.js";
import { type Ledger, openLedger } from "../ledger/open-ledger.js";
import { withProgress } from "../progress.js";
import { tellPrivately } from "../render/curator.js";
import { retryLostConnections } from "../sources/server-retry.js";
import { SOFTWARE } from "../version.js";
import { checkRoles } from "./columns.js";
import { dryRun } from "./dry-run.js";
import { showRecorded, tidyUp } from "./not-written.js";
import type { ReleaseOptions } from "./options.js";
import { type Outputs, prepareOutputs } from "./outputs.js";
import { type Request, readRequest } from "./request.js";
import { candidatesFor, Rows } from "./rows.js";
import { MULTILINE, recordedDialect, storedAnswer } from "./stored-answer.js";
import { budgetLeft, tellBefore, tellWhatIsLeft } from "./tell.js";

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
      const request = await readRequest(
        kind,
        location,
        options,
        interruption.signal,
        async () => (await rows.open(interruption.signal)).columns,
      );
      ledger = await openLedger(options.ledger, { create: true });
      const run = { ledger, request, rows, options, interruption };
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
function inputsOf(location: string, { ledger, domain, public: twin }: ReleaseOptions): string[] {
  const kept = ["", "-wal", "-shm"].map((end) => ledger + end);
  return [...kept, location, CONFIGURATION, ...[domain, twin].flatMap((path) => path ?? [])];
}

interface Run {
  readonly ledger: Ledger;
  readonly request: Request;
  readonly rows: Rows;
  readonly options: ReleaseOptions;
  readonly interruption: Interruption;
}

async function newAnswer({ ledger, request, rows, options, interruption }: Run): Promise<Release> {
  const { question, loss, dataset, items, table } = request;
  const roles = request.roles!; // known, because the header may be looked at
  await ledger.admits(dataset, loss, question);
  const source = await rows.open(interruption.signal);
  checkRoles(source.columns, roles);
  await tellBefore(ledger, dataset, question);
  const answer = await withProgress("counting", async ({ report }) => {
    const { signal } = interruption;
    const wanted = {
      ...roles,
      candidates: candidatesFor(question, items, table),
      signal,
      onProgress: report,
    };
    // Nothing is charged yet, so a server that was lost on the way may be asked again.
    return retryLostConnections(() => select(question, source.histogram(wanted)), signal);
  });
  const skipped = source.skippedLines();
  if (skipped)
    tellPrivately(`${skipped.toLocaleString("en")} lines could not be read and counted for nobody.`);
  rows.close().catch(() => {}); // a reader takes a while to give its memory back: meanwhile the ledger writes
  interruption.passPointOfNoReturn();
  const unrecorded = newRelease({
    id: options.releaseId ?? newReleaseId(),
    dataset,
    time: new Date(),
    software: SOFTWARE,
    question,
    answer,
    source: { ...roles, dialect: recordedDialect(source.dialect, options) },
    notes: options.multiline ? [MULTILINE] : [],
  });
  return ledger.record(dataset, unrecorded);
}

/** From here on the charge is made and the answer kept. */
async function publish(recorded: Release, outputs: Outputs, { ledger, request }: Run): Promise<void> {
  const { dataset, loss } = request;
  await showRecorded(recorded.id, async () =>
    outputs.publish(recorded, await budgetLeft(ledger, dataset, loss)),
  );
  await tellWhatIsLeft(ledger, dataset, loss);
}
