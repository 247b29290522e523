/**
 * What SQLite says about the ledger file, as a refusal. Only its error code is used. A failed write counts as a full disk,
 * whatever the reason: nothing was recorded, so nothing is released.
 * @module
 */
import { LedgerError } from "winnow-release";
import { Refusal, type RefusalCode } from "../refusal.js";

type Reason = readonly [pattern: RegExp, code: RefusalCode, sentence: string];

const REASONS: readonly Reason[] = [
  [
    /^SQLITE_(BUSY|LOCKED|PROTOCOL)/,
    "ledger-locked",
    "is in use by another run and did not become free in time",
  ],
  [/^SQLITE_FULL/, "disk-full", "could not be written because the disk is full"],
  [
    /^SQLITE_IOERR_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE|SHMSIZE|SHMOPEN|SHMMAP|DELETE|CLOSE)/,
    "disk-full",
    "could not be written",
  ],
  [/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/, "no-permission", "may not be written by this account"],
  [/^SQLITE_NOTADB/, "ledger-broken", "is not a ledger of Winnow"],
  [/^SQLITE/, "ledger-broken", "cannot be read"],
];

/** SQLite's numbers for what the driver has no name for: an extended code holds its kind in the last byte. */
const KINDS: Readonly<Record<number, string>> = {
  5: "SQLITE_BUSY",
  6: "SQLITE_LOCKED",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  15: "SQLITE_PROTOCOL",
  26: "SQLITE_NOTADB",
};

/** The code of an error of SQLite, "" for any other. */
export function sqliteCode(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (typeof code === "string" && code.startsWith("SQLITE")) return code;
  const [, unnamed] = /^UNKNOWN_SQLITE_ERROR_(\d+)$/.exec(String(code)) ?? [];
  if (unnamed !== undefined) return KINDS[Number(unnamed) & 0xff] ?? "SQLITE_ERROR";
  // A file that cannot be opened is reported as text that ends in SQLite's number for it.
  return error instanceof Error && /^ConnectionFailed\(.*: 14"\)$/s.test(error.message)
    ? "SQLITE_CANTOPEN"
    : "";
}

/** The refusal for an error met while using the ledger; what is no matter of the ledger is passed on. */
export function ledgerRefusal(path: string, error: unknown): unknown {
  if (error instanceof LedgerError) return new Refusal(error.code, error.message);
  const code = sqliteCode(error);
  const reason = REASONS.find(([pattern]) => pattern.test(code));
  if (reason === undefined) return error;
  return new Refusal(reason[1], `The ledger ${JSON.stringify(path)} ${reason[2]}.`);
}
