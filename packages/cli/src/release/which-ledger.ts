/**
 * Which ledger a release is charged to. A second ledger would give rows that were charged before a new account without
 * their history, so neither another working folder nor a mistyped --ledger may start one unnoticed:
 *
 * - Without --ledger it is `winnow.ledger` in the working folder. If the folder of the rows, or one above it, has a
 *   `winnow.ledger` that knows them (their data set, or their mark), that one is charged. If the working folder has a ledger
 *   as well, the curator says which one is meant.
 * - A ledger that --ledger names and that doesn't exist is created only if no other ledger lies beside it.
 *
 * A ledger that can't be read may know the rows, too. Rows from standard input, a pipe or a server have no folder.
 * @module
 */

import { readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { guardChargedInputs, Refusal } from "winnow-release";
import { DEFAULT_LEDGER } from "../command-options.js";
import { isLedgerFile } from "../ledger/ledger-file.js";
import { findLedger, readLedgerAddress } from "../ledger/open-ledger.js";
import { tell } from "../render/terminal.js";
import { type SourceOptions, statsOf } from "../sources/source.js";
import { realPlace } from "../write-file.js";
import { datasetName, type MarkedSource, markOf } from "./dataset-name.js";
import { guardFiles } from "./public-inputs.js";

/** The rows, as far as a ledger may know them. */
interface ChargedRows extends MarkedSource, Pick<SourceOptions, "table" | "query"> {
  readonly dataset?: string | undefined;
  /** A dry run doesn't look at the rows, not even at their mark. */
  readonly isDryRun?: boolean | undefined;
}

/** The location of the ledger to charge, or the refusal. */
export async function chooseLedger(named: string, rows: ChargedRows): Promise<string> {
  if (readLedgerAddress(named) !== undefined) return named;
  const isThere = statsOf(named) !== undefined;
  if (isThere && named !== DEFAULT_LEDGER) return named;
  if (!isThere && named !== DEFAULT_LEDGER) refuseMistyped(named);
  const [known, ...others] = await ledgersThatKnow(rows, realPlace(named));
  if (known === undefined) return named;
  if (isThere || others.length > 0 || named !== DEFAULT_LEDGER) throw whichLedger(named, known);
  tell(`The rows are charged to the ledger ${JSON.stringify(known)}, which knows them.`);
  return known;
}

/** Those of the folders of the rows and the folders above them, the nearest first. */
async function ledgersThatKnow(rows: ChargedRows, except: string): Promise<string[]> {
  const known: string[] = [];
  for (const place of ledgersAbove(rows.files))
    if (place !== except && (await mayKnow(place, rows))) known.push(place);
  return known.map((place) => relative(process.cwd(), place));
}

/** The ledgers of the usual name in the folders of these files and the folders above them, the nearest first. */
function ledgersAbove(files: readonly string[]): string[] {
  const folders = new Set(files.flatMap((file) => foldersAbove(dirname(realPlace(file)))));
  return [...folders].map((folder) => join(folder, DEFAULT_LEDGER)).filter((place) => statsOf(place));
}

/** Throws `not-public` if a ledger of the working folder, or of a folder of one of these files, has charged one of them. */
export async function refuseFilesThatWereCharged(
  given: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const files = Object.values(given).flatMap((path) => path ?? []);
  if (files.length === 0) return;
  const inputs = await guardFiles(given, { sources: [], ledger: DEFAULT_LEDGER });
  for (const place of ledgersAbove([DEFAULT_LEDGER, ...files])) {
    const ledger = await findLedger(place, { readOnly: true }).catch(() => undefined);
    try {
      if (ledger !== undefined) await guardChargedInputs(inputs, ledger);
    } finally {
      await ledger?.close();
    }
  }
}

function foldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}

async function mayKnow(place: string, rows: ChargedRows): Promise<boolean> {
  const ledger = await findLedger(place, { readOnly: true }).catch(() => undefined);
  if (ledger === undefined) return true;
  const dataset = datasetName(rows.location, rows.dataset);
  try {
    if ((await ledger.datasets()).includes(dataset)) return true;
    const mark = rows.isDryRun ? undefined : await markOf(ledger, rows, rows);
    return mark !== undefined && (await ledger.chargedTo(mark)) !== undefined;
  } finally {
    await ledger.close();
  }
}

/** A new ledger beside another one is most likely a mistyped name. */
function refuseMistyped(named: string): void {
  const folder = dirname(resolve(named));
  const other = namesIn(folder).find((name) => isLedgerFile(join(folder, name)));
  if (other !== undefined)
    throw new Refusal(
      "missing-ledger",
      `There is no ledger at ${JSON.stringify(named)}, but there is ${JSON.stringify(other)} beside it.`,
    );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // creating the ledger reports what is wrong with the folder
  }
}

function whichLedger(named: string, known: string): Refusal {
  return new Refusal(
    "which-ledger",
    `The ledger ${JSON.stringify(known)} in a folder of the rows knows them or can't be read, and ${JSON.stringify(named)} would be charged instead.`,
  );
}
