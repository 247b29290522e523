/**
 * A period of an account whose budget has periods: its days become part of the condition on rows, and if a person is counted in some
 * periods only, a key of the ledger says in which.
 * @module
 */
import {
  type AccountPromise,
  type PeriodDays,
  periodNamed,
  type QuestionPeriod,
} from "../question/period.js";
import { columnText } from "../question/where.js";
import { Refusal } from "../refusal/refusal.js";
import type { Ledger } from "./ledger.js";
import { keyMark } from "./periods.js";

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
  return periodOfPromise(promise, period, await accountPeriodKey(ledger, dataset, promise));
}

/** The key that says who is counted in which period; undefined where everyone is counted in every one. */
export async function accountPeriodKey(
  ledger: Pick<Ledger, "periodKey">,
  dataset: string,
  promise: AccountPromise,
): Promise<string | undefined> {
  if (promise.maxPeriodsPerUser === undefined) return undefined;
  const key = await ledger.periodKey(dataset, promise);
  if (key !== undefined) return key;
  throw new Refusal("usage", "This ledger has no key that could say who is counted in which period.");
}

/** The period of this name, or with this day, in the promise of an account and under its key. */
export function periodOfPromise(promise: AccountPromise, name: string, key: string | undefined): AskedPeriod {
  const days = periodNamed(promise, name);
  return { period: { name: days.name, promise, ...(key !== undefined && { key: keyMark(key) }) }, days, key };
}

/** The days of the period as a condition on rows. */
export function periodCondition({ from, until }: PeriodDays, time: string): string {
  const column = `date(${columnText(time)})`;
  return `${column} >= '${from}' and ${column} < '${until}'`;
}
