/**
 * The period that a release is about, where the budget of its data set has periods: its days become part of the condition on rows, and
 * if a person is counted in some periods only, a key of the ledger says in which.
 * @module
 */
import { keyMark, type PeriodDays, periodNamed, type QuestionPeriod, Refusal } from "winnow-release";
import { openLedger } from "../ledger/open-ledger.js";
import { datasetName } from "./dataset-name.js";

/** A period, with the key that chooses its people. */
export interface AskedPeriod {
  readonly period: QuestionPeriod;
  readonly days: PeriodDays;
  /** Secret; absent where everyone is counted in every period. */
  readonly key: string | undefined;
}

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
    const { promise } = await ledger.account(dataset);
    if (promise === undefined)
      throw new Refusal(
        "usage",
        `The budget of ${JSON.stringify(dataset)} has no periods; winnow budget init --period makes one that has, and --where counts some rows only.`,
      );
    const days = periodNamed(promise, period);
    if (promise.maxPeriodsPerUser === undefined)
      return { period: { name: days.name, promise }, days, key: undefined };
    const key = await ledger.periodKey(dataset, promise);
    if (key === undefined)
      throw new Refusal("usage", "This ledger has no key that could say who is counted in which period.");
    return { period: { name: days.name, promise, key: keyMark(key) }, days, key };
  } finally {
    await ledger.close();
  }
}

/** The days of the period as a condition on rows. */
export function periodCondition({ from, until }: PeriodDays, time: string): string {
  const column = `date("${time.replaceAll('"', '""')}")`;
  return `${column} >= '${from}' and ${column} < '${until}'`;
}
