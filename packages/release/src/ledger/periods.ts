/**
 * Accounts that promise something over time: a horizon of periods (days, weeks, months), and who is protected.
 *
 *   person          all rows of a person in the horizon come or go. Each person is counted in at most w of the periods (all of them
 *                   unless the promise says), so the w most expensive periods count: top_w of what the periods cost
 *   person-period   a person's rows of one period come or go: each period has the whole budget, and periods don't add up
 *
 * Inside a period releases add up. Who is counted in which period follows from the person and a key alone, and there is one key for the
 * horizon, a secret of the store: a person's first period is drawn by a keyed hash, and the w periods from there on (round the
 * horizon) count them. A release says the mark of its key. A key that was lost is replaced by another, and what each key's releases
 * cost adds up, because someone may be counted in w periods of each.
 *
 * Proof: packages/core/src/discover/top-k-in-groups.proof.md, with periods for groups.
 * @module
 */
import { compose, inGroups, type Loss, repeat, sha256 } from "winnow-dp";
import { type AccountPromise, type PeriodLength, readPromise } from "../question/period.js";
import { type BudgetLimit, type Charges, inMeasureOf } from "./budget.js";
import { canonicalJson } from "./canonical-json.js";

/** An account keeps each period's charges apart; beyond this many, nothing more is admitted. */
export const MOST_PERIOD_GROUPS = 10_000;

/** Whether an entry of a ledger has this as its promise. */
export function isPromise(value: unknown): value is AccountPromise {
  try {
    return canonicalJson(readPromise(value)) === canonicalJson(value);
  } catch {
    return false;
  }
}

/** The key of a horizon, from the secret of the store: 64 hexadecimal digits. */
export function periodKey(secret: string, dataset: string, promise: AccountPromise): string {
  return hashed(`winnow-periods/1\n${secret}\n${canonicalJson({ dataset, promise })}`);
}

/** What a release says of the key; it doesn't reveal it. */
export function keyMark(key: string): string {
  return hashed(`winnow-period-key/1\n${key}`).slice(0, 32);
}

function hashed(text: string): string {
  return Array.from(sha256(new TextEncoder().encode(text)), (word) =>
    word.toString(16).padStart(8, "0"),
  ).join("");
}

/** Charges of an account with a promise. */
export interface PeriodCharges extends Charges {
  /** `periodText` of the question; absent for what isn't about a period. */
  readonly period?: string | undefined;
}

/** What the charges count as together: for each key the most expensive periods, as many as the promise says. Charges without a period count in full. */
export function inPeriods(
  promise: AccountPromise,
  charges: readonly PeriodCharges[],
  limit: BudgetLimit,
  neighbours: string | undefined,
): readonly Charges[] {
  const byKey = new Map<string, Map<string, Loss[]>>();
  for (const { period, loss, times } of charges) {
    if (period === undefined) continue;
    const [name = "", key = ""] = period.split(" ");
    const periods = byKey.get(key) ?? new Map<string, Loss[]>();
    byKey.set(
      key,
      periods.set(name, [...(periods.get(name) ?? []), repeat(inMeasureOf(limit, loss), times)]),
    );
  }
  const maxGroupsPerUser =
    promise.unit === "person-period" ? 1 : (promise.maxPeriodsPerUser ?? promise.horizon);
  const isReplaced = neighbours === "replace";
  const counted = [...byKey.values()].map((periods) => {
    const losses = [...periods.values()].map((parts) => compose(...parts));
    return inGroups(losses, { maxGroupsPerUser, neighbours: isReplaced ? "replace" : "add-remove" });
  });
  return [
    ...charges.filter(({ period }) => period === undefined),
    ...counted.map((loss) => ({ loss, times: 1, isLate: false })),
  ];
}

const YEARS: Readonly<Record<PeriodLength, readonly number[]>> = {
  day: [365, 366],
  week: [52, 53],
  month: [12],
};

/** "the year", "the 26 weeks". */
export function horizonInWords({ period, horizon }: AccountPromise): string {
  return YEARS[period].includes(horizon) ? "the year" : `the ${horizon} ${period}s`;
}

/** What the account promises; `limit` is its budget in words. */
export function promiseSentence(promise: AccountPromise, limit: string): string {
  const { unit, period } = promise;
  if (unit === "person")
    return `Whoever knows all but one person's data of ${horizonInWords(promise)} learns at most ${limit}.`;
  return `Whoever knows all but one person's data of one ${period} learns at most ${limit}; of n ${period}s of one person at most the sum of these ${period}s' losses.`;
}
