/**
 * The period that a release is about, as the options say it: the ledger is opened to look up what its account promises.
 * @module
 */
import { type AskedPeriod, accountPeriod, Refusal } from "winnow-release";
import { openLedger } from "../ledger/open-ledger.js";
import { datasetName } from "./dataset-name.js";

interface Asked {
  readonly time?: string | undefined;
  readonly period?: string | undefined;
  readonly dataset?: string | undefined;
  readonly ledger: string;
  /** Which of these come from the configuration file. */
  readonly defaults?: readonly string[] | undefined;
}

/** Undefined if no period is asked about. */
export async function askedPeriod(location: string, asked: Asked): Promise<AskedPeriod | undefined> {
  const { time, period } = asked;
  if (period === undefined && (time === undefined || asked.defaults?.includes("time"))) return undefined;
  if (period === undefined || time === undefined)
    throw new Refusal(
      "usage",
      "--time and --period go together: the column of days, and which period it is.",
    );
  const dataset = datasetName(location, asked.dataset);
  const ledger = await openLedger(asked.ledger, { readOnly: true });
  try {
    return await accountPeriod(ledger, dataset, period);
  } finally {
    await ledger.close();
  }
}
