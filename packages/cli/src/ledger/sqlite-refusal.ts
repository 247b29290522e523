import { Refusal, type RefusalCode } from "winnow-release";

/**
 * What SQLite's errors mean. Only its error codes are used, never its messages. Every failed write counts as a full disk,
 * whatever the reason: nothing was recorded, so nothing is released.
 * @module
 */

type Reason = readonly [pattern: RegExp, code: RefusalCode, sentence: string];

const REASONS: readonly Reason[] = [
  [
    /^SQLITE_(BUSY|LOCKED|PROTOCOL)/,
    "ledger-locked",
    "is in use by another run, which didn't release it in time",
  ],
  [/^SQLITE_FULL/, "disk-full", "couldn't be written because the disk is full"],
  [
    /^SQLITE_IOERR_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE|SHMSIZE|SHMOPEN|SHMMAP|DELETE|CLOSE)/,
    "disk-full",
    "couldn't be written",
  ],
  [/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/, "no-permission", "can't be written by this account"],
  [/^SQLITE_NOTADB/, "ledger-broken", "isn't a Winnow ledger"],
  [/^SQLITE/, "ledger-broken", "can't be read"],
];

/** SQLite's numbers for errors that the driver has no name for: the last byte of an extended code is its kind. */
const SQLITE_KINDS: Readonly<Record<number, string>> = {
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
  if (unnamed !== undefined) return SQLITE_KINDS[Number(unnamed) & 0xff] ?? "SQLITE_ERROR";
  // The message about a file that cannot be opened ends with SQLite's number.
  return error instanceof Error && /^ConnectionFailed\(.*: 14"\)$/s.test(error.message)
    ? "SQLITE_CANTOPEN"
    : "";
}

/** Whether SQLite couldn't write next to the file, which it does even to read it. */
export function isUnwritable(error: unknown): boolean {
  const [, code] = REASONS.find(([pattern]) => pattern.test(sqliteCode(error))) ?? [];
  return code === "disk-full" || code === "no-permission";
}

/** The refusal for an error while using the ledger; other errors are passed on. */
export function ledgerRefusal(path: string, error: unknown): unknown {
  const code = sqliteCode(error);
  const reason = REASONS.find(([pattern]) => pattern.test(code));
  if (reason === undefined) return error;
  return new Refusal(reason[1], `The ledger ${JSON.stringify(path)} ${reason[2]}.`);
}
