/**
 * A run that ends without a release: a code from the catalogue and one sentence made of public values only. Messages of
 * a file reader or an engine about private rows never get here. When the system refuses a file that the user named, the
 * path is public, and only the system's error code is used, not its message.
 * @module
 */

/** Every kind of refusal: its exit code, and the next step. */
export const CATALOGUE = {
  usage: { exit: 2, next: "See `winnow help` for the options and examples." },
  "unknown-column": { exit: 2, next: "Pass columns of the header with --item (or --column) and --user." },
  "unknown-table": { exit: 2, next: "Pass a table that the account may read with --table." },
  "broken-header": { exit: 2, next: "Give each column a distinct, non-empty name in the first line." },
  "empty-source": { exit: 2, next: "Pass a file that has at least a header line." },
  "bad-query": { exit: 2, next: "Pass one SELECT that only reads the source." },
  "untrusted-query": {
    exit: 2,
    next: "Leave that out, or add --trust-query if you have checked that the query treats each person's rows on their own.",
  },
  "not-public": { exit: 2, next: "Pass a list that was made without looking at the rows." },
  unconfirmed: { exit: 2, next: "Answer on a terminal, or add --yes; nothing was charged." },
  "which-dataset": {
    exit: 2,
    next: "Add --dataset with the name of that account, or --new-dataset if these are different people.",
  },
  "no-budget": {
    exit: 2,
    next: "Run `winnow budget init` for it, pass --dataset with the name of an account, or add --new-dataset if its people are in no other one.",
  },
  "which-ledger": { exit: 2, next: "Pass the ledger that these rows belong to with --ledger." },
  "k-too-large": { exit: 2, next: "Ask for at most as many winners as there are candidates." },
  "file-exists": { exit: 2, next: "Choose another name, or add --force." },
  "release-id-taken": {
    exit: 2,
    next: "Choose another --release-id, or repeat the first question exactly.",
  },
  "reservation-open": {
    exit: 2,
    next: "Its price counts in full forever; choose another --release-id to ask again.",
  },
  "budget-exists": { exit: 2, next: "Add --replace to change it; the log keeps both." },
  "other-ledger": {
    exit: 2,
    next: "Pass a longer copy of the same ledger, or import into a new --ledger.",
  },
  "over-budget": { exit: 3, next: "Run `winnow budget show`; a smaller price may fit." },
  "missing-source": { exit: 4, next: "Check the path." },
  "no-permission": { exit: 4, next: "Check the permissions of the file." },
  "unreadable-source": { exit: 4, next: "Check the format (--format) and that the file is complete." },
  "source-limit": { exit: 4, next: "Raise --memory-limit or --time-limit." },
  "server-unreachable": { exit: 4, next: "Check that the server is running and that the address is right." },
  "server-refused": { exit: 4, next: "Check the name, the password and the permissions of the account." },
  "server-failed": { exit: 4, next: "Try again; the server's own log has the details." },
  "count-failed": {
    exit: 4,
    next: "The price counts in full. The reason is for the curator only; see `winnow budget log`.",
  },
  "missing-ledger": {
    exit: 4,
    next: "Check --ledger; `winnow budget init` creates a new file, and `winnow budget init --server` a ledger on PostgreSQL.",
  },
  "ledger-locked": { exit: 4, next: "Wait for the other run to end, then try again." },
  "charge-unknown": {
    exit: 4,
    next: "Ask again with this --release-id: if it was charged, the answer is printed and costs nothing more.",
  },
  "ledger-broken": {
    exit: 4,
    next: "Run `winnow budget verify`; restore the ledger, or start a new one for new data.",
  },
  "ledger-replaced": {
    exit: 4,
    next: "Nothing more is charged. Put the newest copy back, run `winnow budget verify --against` a recent release, and start again.",
  },
  "not-proven": {
    exit: 4,
    next: "Ask the keeper of the ledger for the release and its proof again.",
  },
  "not-priced": {
    exit: 4,
    next: "Verify it with the version of Winnow that recorded it, or with verify.py, which goes by the parameters of the noise.",
  },
  "disk-full": { exit: 4, next: "Free some space and try again; nothing was released." },
  "not-written": {
    exit: 4,
    next: "Make room or open the output, and ask again with its --release-id: the answer is stored and costs nothing more.",
  },
  "no-entropy": { exit: 4, next: "Run `winnow doctor`; Winnow releases nothing without fair random bits." },
  unhealthy: { exit: 4, next: "Fix the checks marked above; nothing was changed." },
  unexpected: { exit: 4, next: "Run `winnow doctor`, and report this with the place in the code." },
  interrupted: { exit: 130, next: "Nothing was released or charged." },
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
  ENOENT: ["missing-source", "doesn't exist"],
  ENOTDIR: ["missing-source", "doesn't exist"],
  EACCES: ["no-permission", "can't be opened by this account"],
  EPERM: ["no-permission", "can't be opened by this account"],
  EROFS: ["no-permission", "is on a read-only file system"],
  EISDIR: ["unreadable-source", "is a directory, not a file"],
  ENAMETOOLONG: ["usage", "has a name that is too long"],
  ENOSPC: ["disk-full", "couldn't be written because the disk is full"],
  EDQUOT: ["disk-full", "couldn't be written because the disk quota is used up"],
};

/** The refusal for a failed operation on a file, `what` being e.g. "the list of candidates". */
export function fileRefusal(what: string, path: string, error: unknown): Refusal {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? "";
  const [refusal, reason] = REASONS[code] ?? ["unreadable-source", "couldn't be used"];
  return new Refusal(refusal, `${what} ${JSON.stringify(path)} ${reason}.`);
}
