/**
 * Periods of time: the days, weeks or months of a horizon, which of them a question is about, and who is counted in one. A person whose
 * keyed hash is in the o-th part of all hashes is counted in the w periods from the o-th on, round the horizon: exactly w of them,
 * whatever the hashes are.
 * @module
 */
import { invalidParameter } from "winnow-dp";

/** How long a period is. */
export type PeriodLength = "day" | "week" | "month";

/** Who is protected over time, and in which periods; it never changes. */
export interface AccountPromise {
  readonly unit: "person" | "person-period";
  readonly period: PeriodLength;
  /** The first day of the first period. */
  readonly first: string;
  /** How many periods there are. */
  readonly horizon: number;
  /** In how many of them a person is counted; absent for all, and where a person's period is protected. */
  readonly maxPeriodsPerUser?: number;
}

/** The period that a release is about. */
export interface QuestionPeriod {
  /** 2026-11-18, 2026-W47 or 2026-11. */
  readonly name: string;
  readonly promise: AccountPromise;
  /** The mark of the key that says who is counted in which period, if not everyone is in all. */
  readonly key?: string;
}

/** The days of a period: from the first on, before the last. */
export interface PeriodDays {
  readonly name: string;
  /** Its place in the horizon, from 0. */
  readonly index: number;
  readonly from: string;
  readonly until: string;
}

const MOST_PERIODS = 1000;

const LENGTHS = ["day", "week", "month"] as const;
const DAY = /^\d{4}-\d\d-\d\d$/;
const KEY_MARK = /^[\da-f]{32}$/;

/** Reads a promise; one that says nothing is refused. */
export function readPromise(given: unknown): AccountPromise {
  const fields: Readonly<Record<string, unknown>> =
    typeof given === "object" && given !== null ? { ...given } : {};
  const { unit, period, first, horizon, maxPeriodsPerUser: most, ...others } = fields;
  if (Object.keys(others).length > 0) throw wrong("promise", "without other fields");
  if (unit !== "person" && unit !== "person-period")
    throw wrong("promise", '"person" or "person-period"', unit);
  const length = LENGTHS.find((each) => each === period);
  if (length === undefined) throw wrong("period", '"day", "week" or "month"', period);
  if (!isCount(horizon, 2, MOST_PERIODS))
    throw wrong("horizon", `an integer from 2 to ${MOST_PERIODS}`, horizon);
  if (typeof first !== "string" || startOf(length, first) !== first)
    throw wrong("first", "the first day of a period", first);
  const promise = { unit, period: length, first, horizon } as const;
  if (most === undefined || most === horizon) return promise;
  if (unit === "person-period")
    throw wrong("maxPeriodsPerUser", "absent where each period of a person is protected", most);
  if (!isCount(most, 1, horizon)) throw wrong("maxPeriodsPerUser", `an integer from 1 to ${horizon}`, most);
  return { ...promise, maxPeriodsPerUser: most };
}

function isCount(value: unknown, least: number, most: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
}

/** Reads the period of a question. */
export function readPeriod(given: unknown): QuestionPeriod {
  const { name, promise, key, ...others }: Readonly<Record<string, unknown>> =
    typeof given === "object" && given !== null ? { ...given } : {};
  if (Object.keys(others).length > 0) throw wrong("period", "without other fields");
  const read = readPromise(promise);
  const { name: known } = periodNamed(read, String(name));
  if ((read.maxPeriodsPerUser === undefined) !== (key === undefined))
    throw wrong("period", "with a key exactly where a person is counted in some periods only");
  if (key === undefined) return { name: known, promise: read };
  if (typeof key !== "string" || !KEY_MARK.test(key)) throw wrong("period", "with the mark of a key");
  return { name: known, promise: read, key };
}

/** The period with a name, or that of a day; throws unless it is in the horizon. */
export function periodNamed(promise: AccountPromise, name: string): PeriodDays {
  const found = periodsOf(promise).find(
    (each) => each.name === name || (DAY.test(name) && name >= each.from && name < each.until),
  );
  if (found !== undefined) return found;
  throw wrong("period", `one of the ${promise.horizon} ${promise.period}s from ${promise.first} on`, name);
}

/** All periods of the horizon, in their order. */
export function periodsOf({ period, first, horizon }: AccountPromise): readonly PeriodDays[] {
  const all: PeriodDays[] = [];
  for (let from = first, index = 0; index < horizon; index++) {
    const until = nextOf(period, from);
    all.push({ name: nameOf(period, from), index, from, until });
    from = until;
  }
  return all;
}

/** The first day of the period that a day is in. */
export function startOf(period: PeriodLength, day: string): string | undefined {
  const date = dateOf(day);
  if (date === undefined) return undefined;
  if (period === "month") return `${day.slice(0, 7)}-01`;
  return period === "day" ? day : textOf(addDays(date, -((date.getUTCDay() + 6) % 7)));
}

function nextOf(period: PeriodLength, from: string): string {
  const date = dateOf(from)!;
  if (period !== "month") return textOf(addDays(date, period === "day" ? 1 : 7));
  return textOf(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)));
}

/** A week has the year of its Thursday, and the first week of a year is that of the first Thursday (ISO 8601). */
function nameOf(period: PeriodLength, from: string): string {
  if (period === "day") return from;
  if (period === "month") return from.slice(0, 7);
  const thursday = addDays(dateOf(from)!, 3);
  const days = Math.round((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / MS_PER_DAY);
  return `${thursday.getUTCFullYear()}-W${String(Math.floor(days / 7) + 1).padStart(2, "0")}`;
}

const MS_PER_DAY = 86_400_000;

function dateOf(day: string): Date | undefined {
  if (!DAY.test(day) || day < "1000-01-01") return undefined;
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && textOf(date) === day ? date : undefined;
}

function addDays(date: Date, days: number): Date {
  return new Date(date.getTime() + days * MS_PER_DAY);
}

function textOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function wrong(field: string, expected: string, got?: unknown) {
  return invalidParameter(field, expected, got);
}

/** Ranges of hashes in hexadecimal: from the first on, before the second if there is one. */
export type HashRange = readonly [from: string, until: string | undefined];

/**
 * Whose keyed hash lies in these ranges is counted in a period: a person whose hash is in the o-th part of all hashes is counted in the w
 * periods from the o-th on, round the horizon. So everyone is counted in exactly w of them, whatever the hashes are.
 */
export function countedHashes({ horizon, maxPeriodsPerUser: most = horizon }: AccountPromise, index: number) {
  const first = index - most + 1;
  const parts =
    first >= 0
      ? [[first, index + 1]]
      : [
          [0, index + 1],
          [first + horizon, horizon],
        ];
  return parts.map(
    ([from, until]): HashRange => [
      partStart(from!, horizon),
      until === horizon ? undefined : partStart(until!, horizon),
    ],
  );
}

/** ⌈part·2^256/parts⌉ in hexadecimal. */
function partStart(part: number, parts: number): string {
  const [count, all] = [BigInt(part), BigInt(parts)];
  return ((count * (1n << 256n) + all - 1n) / all).toString(16).padStart(64, "0");
}

/** How a summary tells periods apart: the name, and the mark of the key if there is one. */
export function periodText({ name, key }: Pick<QuestionPeriod, "name" | "key">): string {
  return key === undefined ? name : `${name} ${key}`;
}
