/**
 * The entries of the ledger: a release with everything it published, the budget of a data set, a reservation, which
 * counts in full until the release with its id is there, or a key that signs the heads of this ledger from now on, or no longer
 * does. An entry carries its number and the hash of the entry before it.
 *
 * An entry has one canonical text, which is stored and hashed and is the only thing that is trusted: JSON with the
 * keys of every object sorted and no spaces, numbers and strings as ECMAScript prints them. Equal values have equal
 * texts. `JSON.stringify` escapes characters without a UTF-8 form (lone surrogates), so the text survives every
 * storage.
 *
 * A release or a reservation may name the analyst who asked. Their entries add up to their share of the account, which a
 * service may cap.
 *
 * A release id names one release for ever. Asking again with the same parameters returns the stored answer and costs
 * nothing; with other parameters the id is refused, so an id never stands for two answers.
 * @module
 */

import type { LossJson } from "winnow-dp";
import type { ReservedBits, Software } from "../document/release-document.js";
import type { AccountPromise } from "../question/period.js";
import { Refusal } from "../refusal/refusal.js";
import type { RecordedBudget } from "./budget.js";
import { canonicalJson } from "./canonical-json.js";
import { isPromise } from "./periods.js";

/** The format of a ledger's entries. */
export const LEDGER_FORMAT = "winnow-ledger/1";

/** The program that wrote the entry. */
type Program = Pick<Software, "name" | "version">;

/** What the ledger has to know of a release; the document may hold more, and all of it is kept. */
export interface RecordedRelease {
  readonly id: string;
  readonly dataset: string;
  /** The public name of the person who asked. */
  readonly analyst?: string | undefined;
  /** ISO 8601 in UTC. */
  readonly time: string;
  readonly software: Program;
  /** Everything that was asked for, in public terms. */
  readonly question: unknown;
  readonly source?: unknown;
  /** What it promises on its own. */
  readonly loss: LossJson;
  /** The commitments to its bits, where it has some. */
  readonly bits?: (ReservedBits & { readonly counts: string }) | undefined;
  /** What it is counted as, where that is less. */
  readonly charge?: { readonly reserved: LossJson; readonly settled: LossJson };
}

interface Chained {
  readonly format: typeof LEDGER_FORMAT;
  /** 1, 2, 3 … */
  readonly sequence: number;
  /** The hash of the entry before, in hexadecimal. */
  readonly previous: string;
}

/** A release that was charged and recorded. */
export interface ReleaseEntry<R extends RecordedRelease = RecordedRelease> extends Chained {
  readonly kind: "release";
  readonly release: R;
}

/** A budget that was set. */
export interface BudgetEntry extends Chained {
  readonly kind: "budget";
  readonly dataset: string;
  readonly time: string;
  readonly software: Program;
  readonly budget: RecordedBudget;
  /** Its promise over time, if the account makes one. */
  readonly promise?: AccountPromise;
}

/** The loss reserved for a release before its rows were read. */
export interface ReservationEntry extends Chained {
  readonly kind: "reservation";
  /** The id of the release that it is for. */
  readonly id: string;
  readonly dataset: string;
  readonly analyst?: string | undefined;
  readonly time: string;
  readonly software: Program;
  readonly question: unknown;
  readonly loss: LossJson;
  /** The bits that the release will be drawn with. */
  readonly bits?: ReservedBits | undefined;
}

/** A change of the keys that sign heads of this ledger: one that is added, one that is revoked, or both. It is about no data set. */
export interface KeyEntry extends Chained {
  readonly kind: "key";
  /** Public keys as text, with the name of the ledger. */
  readonly adds?: string;
  readonly revokes?: string;
  readonly time: string;
  readonly software: Program;
}

/** An entry of a ledger. */
export type LedgerEntry<R extends RecordedRelease = RecordedRelease> =
  | ReleaseEntry<R>
  | BudgetEntry
  | ReservationEntry
  | KeyEntry;

/** An entry about a data set. */
export type DatasetEntry<R extends RecordedRelease = RecordedRelease> = Exclude<LedgerEntry<R>, KeyEntry>;

type Unchained<E> = E extends Chained ? Omit<E, keyof Chained> : never;

/** An entry before it has a place in the chain. */
export type NewEntry = Unchained<LedgerEntry>;

/** The text of an entry, over which its hash is taken. */
export function entryText(entry: LedgerEntry): string {
  return canonicalJson(entry);
}

/** Reads a stored text; what is not the canonical text of an entry of this format is refused. */
export function readEntry<R extends RecordedRelease = RecordedRelease>(text: string): LedgerEntry<R> {
  const entry = parse(text);
  if (!isEntry(entry) || canonicalJson(entry) !== text) throw unreadable();
  return entry as LedgerEntry<R>;
}

/** The data set that an entry is about. */
export function datasetOf(entry: DatasetEntry): string {
  return entry.kind === "release" ? entry.release.dataset : entry.dataset;
}

/** Whether an entry is about a data set. */
export function hasDataset<R extends RecordedRelease>(entry: LedgerEntry<R>): entry is DatasetEntry<R> {
  return entry.kind !== "key";
}

/** The time at which an entry says that it was made. */
export function timeOf(entry: NewEntry): string {
  return entry.kind === "release" ? entry.release.time : entry.time;
}

/** An entry may be this many milliseconds behind the one before it without a fault of any clock. */
const MOST_BEHIND = 3_600_000;

/**
 * The entry with a time that isn't before that of the last entry. A release has the time at which it was asked, and runs end in
 * another order than they began; clocks of several machines differ a little. An entry that is further behind keeps its
 * time, and a verification notes it: a clock was wrong.
 */
export function inOrderOfTime<E extends NewEntry>(entry: E, last: string): E {
  const behind = Date.parse(last) - Date.parse(timeOf(entry));
  if (!(behind > 0 && behind <= MOST_BEHIND)) return entry;
  return entry.kind === "release"
    ? { ...entry, release: { ...entry.release, time: last } }
    : { ...entry, time: last };
}

/** The analyst who asked, if the entry names one. */
export function analystOf(entry: LedgerEntry): string | undefined {
  if (entry.kind === "budget" || entry.kind === "key") return undefined;
  return entry.kind === "release" ? entry.release.analyst : entry.analyst;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable(cause);
  }
}

function isEntry(value: unknown): value is LedgerEntry {
  if (!has(value, { format: "string", sequence: "number", previous: "string", kind: "string" })) return false;
  if (value.format !== LEDGER_FORMAT || !Number.isSafeInteger(value.sequence)) return false;
  if (value.kind === "budget")
    return (
      has(value, { dataset: "string", time: "string", software: "object", budget: "object" }) &&
      (value.promise === undefined || isPromise(value.promise))
    );
  if (value.kind === "reservation") return isCharge(value);
  if (value.kind === "key") return isKeyChange(value);
  return value.kind === "release" && isCharge(value.release);
}

function isKeyChange(value: Readonly<Record<string, unknown>>): boolean {
  const { adds, revokes } = value;
  const keys = [adds, revokes].filter((key) => key !== undefined);
  return (
    keys.length > 0 &&
    keys.every((key) => typeof key === "string") &&
    adds !== revokes &&
    has(value, { time: "string", software: "object" })
  );
}

function isCharge(value: unknown): boolean {
  const types = { id: "string", dataset: "string", time: "string", software: "object", loss: "object" };
  return has(value, types) && (value.analyst === undefined || isAnalyst(value.analyst));
}

function has(value: unknown, types: Readonly<Record<string, string>>): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  return Object.entries(types).every(([name, type]) => fields[name] !== null && typeof fields[name] === type);
}

function unreadable(cause?: unknown): Refusal {
  return new Refusal(
    "ledger-broken",
    `The ledger holds an entry that is not of the format ${LEDGER_FORMAT}.`,
    {
      cause,
    },
  );
}

/** Throws unless a reservation is for what is asked now. */
export function checkReservation(
  { id, ...reserved }: ReservationEntry,
  asked: Pick<ReservationEntry, "dataset" | "question" | "analyst" | "bits">,
): void {
  if (reserved.bits?.seed !== asked.bits?.seed || reserved.bits?.generator !== asked.bits?.generator)
    throw new Refusal(
      "release-id-taken",
      `The release id ${JSON.stringify(id)} was reserved for a release with other bits.`,
    );
  const parameters = ({
    dataset,
    question,
    analyst,
  }: Pick<typeof asked, "dataset" | "question" | "analyst">) => canonicalJson({ dataset, question, analyst });
  if (parameters(reserved) === parameters(asked)) return;
  throw new Refusal(
    "release-id-taken",
    `The release id ${JSON.stringify(id)} was reserved for a release with other parameters.`,
  );
}

/** A request for a release. The source, its name and the analyst are compared if they are given. */
export interface Asked extends Pick<RecordedRelease, "dataset" | "question" | "source" | "analyst"> {
  /** What a service calls the rows: several data sets may share an account. */
  readonly rows?: string | undefined;
}

/** The stored release, if it answers what is asked now; else throws `release-id-taken`. */
export function replay<R extends RecordedRelease>(stored: R, asked: Asked): R {
  const parameters = ({ dataset, question, source, analyst, rows = nameOf(source) }: Asked) =>
    canonicalJson({
      dataset,
      question,
      rows: asked.rows === undefined ? undefined : rows,
      source: asked.source === undefined ? undefined : source,
      analyst: asked.analyst === undefined ? undefined : analyst,
    });
  if (parameters(stored) === parameters(asked)) return stored;
  throw new Refusal(
    "release-id-taken",
    `The release id ${JSON.stringify(stored.id)} belongs to a release with other parameters.`,
  );
}

function nameOf(source: unknown): string | undefined {
  const name = typeof source === "object" && source !== null && "name" in source ? source.name : undefined;
  return typeof name === "string" ? name : undefined;
}

const LONGEST_ID = 200;

/** Not the characters that no one has assigned yet: runtimes know different ones, and all must read the same ledger. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/u;

/** An id is short text without control characters or spaces at its ends, so that it can be typed again. */
export function isReleaseId(id: string): boolean {
  return id.length > 0 && id.length <= LONGEST_ID && id === id.trim() && !INVISIBLE.test(id);
}

const LONGEST_ANALYST = 100;

/** What a name of an analyst may be, as a phrase. */
export const ANALYST_RULE = `1 to ${LONGEST_ANALYST} visible characters without leading or trailing spaces`;

/** Whether this can be the public name of an analyst. */
export function isAnalyst(name: unknown): name is string {
  return typeof name === "string" && name.length <= LONGEST_ANALYST && isReleaseId(name);
}
