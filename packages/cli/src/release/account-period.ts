/**
 * A period of an account whose budget has periods: its days become part of the condition on rows, and if a person is counted in some
 * periods only, a key of the ledger says in which.
 * @module
 */
import {
  keyMark,
  type Ledger,
  type PeriodDays,
  periodNamed,
  type QuestionPeriod,
  Refusal,
} from "winnow-release";

/** A period, with the key that chooses its people. */
export interface AskedPeriod {
  readonly period: QuestionPeriod;
  readonly days: PeriodDays;
  /** Secret; absent where everyone is counted in every period. */
  readonly key: string | undefined;
}

/** The period of this name, or with this day. */
export async function accountPeriod(
  ledger: Pick<Ledger, "account" | "periodKey">,
  dataset: string,
  period: string,
): Promise<AskedPeriod> {
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
}

/** The days of the period as a condition on rows. */
export function periodCondition({ from, until }: PeriodDays, time: string): string {
  const column = `date("${time.replaceAll('"', '""')}")`;
  return `${column} >= '${from}' and ${column} < '${until}'`;
}
