/**
 * A run that ends without a release: a code from the catalogue and one sentence made of public values only. What a
 * file or an engine said about private rows never gets here. When the system refuses a file that the user named,
 * the path is public, and only the system's error code is used, not its message.
 * @module
 */

/** Every way to be refused: the exit code, and what to do next. */
export const CATALOGUE = {
  usage: { exit: 2, next: "See `winnow help` for the options and examples." },
  "unknown-column": { exit: 2, next: "Name columns of the header with --item (or --column) and --user." },
  "unknown-table": { exit: 2, next: "Name a table that the account may read with --table." },
  "broken-header": { exit: 2, next: "Give the first line one distinct, non-empty name for each column." },
  "empty-source": { exit: 2, next: "Give a file that has at least a header line." },
  "bad-query": { exit: 2, next: "Give one SELECT that reads the source only." },
  "not-public": { exit: 2, next: "Give a list that was made without looking at the rows." },
  unconfirmed: { exit: 2, next: "Answer on a terminal, or add --yes; nothing was charged." },
  "which-dataset": {
    exit: 2,
    next: "Add --dataset with the name that is meant, or --new-dataset if these are other people.",
  },
  "k-too-large": { exit: 2, next: "Ask for at most as many winners as there are candidates." },
  "file-exists": { exit: 2, next: "Choose another name, or add --force." },
  "release-id-taken": {
    exit: 2,
    next: "Choose another --release-id, or repeat the parameters of the first.",
  },
  "reservation-open": {
    exit: 2,
    next: "Its price counts in full for ever; choose another --release-id to ask anew.",
  },
  "budget-exists": { exit: 2, next: "Add --replace to change it; the log keeps both." },
  "other-ledger": {
    exit: 2,
    next: "Give a longer copy of the same ledger, or import into a --ledger that is not there yet.",
  },
  "over-budget": { exit: 3, next: "See `winnow budget show`; a smaller price may fit." },
  "missing-source": { exit: 4, next: "Check the path." },
  "no-permission": { exit: 4, next: "Check who may read or write the file." },
  "unreadable-source": { exit: 4, next: "Check the format (--format) and that the file is whole." },
  "source-limit": { exit: 4, next: "Raise --memory-limit or --time-limit." },
  "server-unreachable": { exit: 4, next: "Check that the server runs and that the address is right." },
  "server-refused": { exit: 4, next: "Check the name, the password and the rights of the account." },
  "server-failed": { exit: 4, next: "Try again; the server's own log has the details." },
  "missing-ledger": {
    exit: 4,
    next: "Check --ledger; a release or `winnow budget init` makes a new file, `winnow budget init --server` a new one on PostgreSQL.",
  },
  "ledger-locked": { exit: 4, next: "Wait for the other run to end, and try again." },
  "charge-unknown": {
    exit: 4,
    next: "Ask again with this --release-id: if it was charged, the answer is printed and costs nothing more.",
  },
  "ledger-broken": {
    exit: 4,
    next: "See `winnow budget verify`; restore the ledger or start one for new data.",
  },
  "disk-full": { exit: 4, next: "Free some space and try again; nothing was released." },
  "not-written": {
    exit: 4,
    next: "Make room and ask again with its --release-id: the answer is kept and costs nothing more.",
  },
  "no-entropy": { exit: 4, next: "Run `winnow doctor`; without fair random bits nothing can be released." },
  unhealthy: { exit: 4, next: "Mend what is marked above; nothing was touched." },
  unexpected: { exit: 4, next: "Run `winnow doctor`, and report this with the place that is named." },
  interrupted: { exit: 130, next: "Nothing was released and nothing charged." },
} as const satisfies Record<string, { exit: number; next: string }>;

export type RefusalCode = keyof typeof CATALOGUE;

export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly code: RefusalCode,
    sentence: string,
  ) {
    super(sentence);
  }

  get exit(): number {
    return CATALOGUE[this.code].exit;
  }

  get next(): string {
    return CATALOGUE[this.code].next;
  }
}

const REASONS: Readonly<Record<string, readonly [RefusalCode, string]>> = {
  ENOENT: ["missing-source", "does not exist"],
  ENOTDIR: ["missing-source", "does not exist"],
  EACCES: ["no-permission", "may not be opened by this account"],
  EPERM: ["no-permission", "may not be opened by this account"],
  EROFS: ["no-permission", "is on a file system that cannot be written"],
  EISDIR: ["unreadable-source", "is a directory, not a file"],
  ENAMETOOLONG: ["usage", "has too long a name"],
  ENOSPC: ["disk-full", "could not be written because the disk is full"],
  EDQUOT: ["disk-full", "could not be written because the disk quota is used up"],
};

/** The refusal for a failed operation on a file, `what` being e.g. "the list of candidates". */
export function fileRefusal(what: string, path: string, error: unknown): Refusal {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? "";
  const [refusal, reason] = REASONS[code] ?? ["unreadable-source", "could not be used"];
  return new Refusal(refusal, `${what} ${JSON.stringify(path)} ${reason}.`);
}
