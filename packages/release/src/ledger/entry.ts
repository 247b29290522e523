/**
 * What the ledger writes down: a release with all it published, or the budget of a data set. An entry carries its number
 * and the hash of the entry before it, and has one canonical text; that text is what is stored and hashed, and the only
 * thing that is believed.
 * @module
 */
import type { LossJson } from "winnow-dp";
import type { Software } from "../document/release-document.js";
import type { BudgetJson } from "./budget-json.js";
import { canonicalJson } from "./canonical-json.js";
import { LedgerError } from "./ledger-error.js";

export const LEDGER_FORMAT = "winnow-ledger/1";

/** The program that wrote the entry. */
type Program = Pick<Software, "name" | "version">;

/** What the ledger has to know of a release; the document may hold more, and all of it is kept. */
export interface RecordedRelease {
  readonly id: string;
  readonly dataset: string;
  /** ISO 8601 in UTC. */
  readonly time: string;
  readonly software: Program;
  /** Everything that was asked for, in public terms. */
  readonly question: unknown;
  readonly source?: unknown;
  /** The loss it was charged. */
  readonly loss: LossJson;
}

interface Chained {
  readonly format: typeof LEDGER_FORMAT;
  /** 1, 2, 3 … */
  readonly sequence: number;
  /** The hash of the entry before, in hexadecimal. */
  readonly previous: string;
}

export interface ReleaseEntry<R extends RecordedRelease = RecordedRelease> extends Chained {
  readonly kind: "release";
  readonly release: R;
}

export interface BudgetEntry extends Chained {
  readonly kind: "budget";
  readonly dataset: string;
  readonly time: string;
  readonly software: Program;
  readonly budget: BudgetJson;
}

export type LedgerEntry<R extends RecordedRelease = RecordedRelease> = ReleaseEntry<R> | BudgetEntry;

type Unchained<E> = E extends Chained ? Omit<E, keyof Chained> : never;

/** An entry before it has a place in the chain. */
export type NewEntry = Unchained<LedgerEntry>;

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
export function datasetOf(entry: LedgerEntry): string {
  return entry.kind === "release" ? entry.release.dataset : entry.dataset;
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
    return has(value, { dataset: "string", time: "string", software: "object", budget: "object" });
  return (
    value.kind === "release" &&
    has(value.release, {
      id: "string",
      dataset: "string",
      time: "string",
      software: "object",
      loss: "object",
    })
  );
}

function has(value: unknown, types: Readonly<Record<string, string>>): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  return Object.entries(types).every(([name, type]) => fields[name] !== null && typeof fields[name] === type);
}

function unreadable(cause?: unknown): LedgerError {
  return new LedgerError(
    "ledger-broken",
    `The ledger holds an entry that is not of the format ${LEDGER_FORMAT}.`,
    {
      cause,
    },
  );
}
