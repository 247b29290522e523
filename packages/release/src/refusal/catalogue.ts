/**
 * Every way in which a run, a request or a click ends without an answer: one entry a code, and no code anywhere else. Codes,
 * exit codes and statuses never change their meaning. The tables of docs/guide/errors.md are made from these entries.
 *
 * `title` is one sentence that is the same each time; `happened` says more, where there is more to say. Each front end that
 * shows a code has its next step here, because the command line names options, the service addresses, and the page buttons.
 * @module
 */

/**
 * Who shows refusals.
 *
 * @inline
 */
export type Front = "cli" | "service" | "page";

interface Entry extends Partial<Readonly<Record<Front, string>>> {
  /** The exit code: 2 for the author of the command, 3 for the owner of the budget, 4 for the administrator. */
  readonly exit: 2 | 3 | 4 | 130;
  /** The HTTP status. */
  readonly status: number;
  readonly title: string;
  readonly happened?: string;
}

/** Every refusal: its sentence, its next step, its exit code and its status over HTTP. */
export const CATALOGUE = {
  usage: {
    exit: 2,
    status: 400,
    title: "An option is missing, unknown or invalid.",
    cli: "See `winnow help` for the options and examples.",
  },
  "unknown-column": {
    exit: 2,
    status: 400,
    title: "The header has no such column, or Winnow cannot guess which one you mean.",
    cli: "Pass columns of the header with --item (or --column) and --user.",
    page: "Choose a column of the header.",
  },
  "unknown-table": {
    exit: 2,
    status: 400,
    title: "The database has no such table, or the account may not see it.",
    cli: "Pass a table that the account may read with --table.",
  },
  "broken-header": {
    exit: 2,
    status: 400,
    title: "The first line doesn't name the columns.",
    cli: "Give each column a distinct, non-empty name in the first line.",
    page: "Give the first line one distinct, non-empty name for each column.",
  },
  "empty-source": {
    exit: 2,
    status: 400,
    title: "The source has no header line.",
    cli: "Pass a file that has at least a header line.",
  },
  "bad-query": {
    exit: 2,
    status: 400,
    title: "The query isn't one SELECT on the source.",
    cli: "Pass one SELECT that only reads the source.",
  },
  "untrusted-query": {
    exit: 2,
    status: 400,
    title: "The query does something across rows, or can fail on one.",
    cli: "Leave that out, or add --trust-query if you have checked that the query treats each person's rows on their own.",
  },
  "not-public": {
    exit: 2,
    status: 400,
    title:
      "A public list or twin is the source, the ledger or the configuration, a copy of one, or rows that the ledger has charged.",
    cli: "Pass a list that was made without looking at the rows.",
    page: "Choose a list that was made without looking at the rows.",
  },
  unconfirmed: {
    exit: 2,
    status: 403,
    title: "No one has agreed to the price.",
    happened:
      "The curator answered no to a question (a price, a total or a budget above ε = 10 or δ = 10⁻⁵, or a list that hardly matches), or there was no terminal to ask on.",
    cli: "Answer on a terminal, or add --yes; nothing was charged.",
    service:
      "Only with [`winnow mcp`](agents.md): the person declined, or the client can't ask. Nothing was charged.",
    page: "Agree to it, or choose smaller numbers.",
  },
  "which-dataset": {
    exit: 2,
    status: 409,
    title: "A new data set has nearly the same name, or the same rows, as one in the ledger.",
    cli: "Add --dataset with the name of that account, or --new-dataset if these are different people.",
  },
  "no-budget": {
    exit: 2,
    status: 409,
    title: "The ledger has budgets, and a data set that is new to it would have none.",
    cli: "Run `winnow budget init` for it, pass --dataset with the name of an account, or add --new-dataset if its people are in no other one.",
    page: "Set a budget for this data set first.",
  },
  "which-ledger": {
    exit: 2,
    status: 409,
    title: "A ledger in the folder of the rows, or above it, knows them, and another would be charged.",
    cli: "Pass the ledger that these rows belong to with --ledger.",
  },
  "k-too-large": {
    exit: 2,
    status: 400,
    title: "`k` is larger than the number of candidates.",
    cli: "Ask for at most as many winners as there are candidates.",
  },
  "file-exists": {
    exit: 2,
    status: 409,
    title: "The output file already exists.",
    cli: "Choose another name, or add --force.",
  },
  "release-id-taken": {
    exit: 2,
    status: 409,
    title: "The idempotency key belongs to another question.",
    happened: "The id belongs to a release with different parameters.",
    cli: "Choose another --release-id, or repeat the first question exactly.",
    service: "Choose another key, or repeat the first question exactly.",
    page: "Press release again. The page then chooses a new id.",
  },
  "reservation-open": {
    exit: 2,
    status: 409,
    title: "The id was reserved with `--reserve`, and its release was never recorded.",
    cli: "Its price counts in full forever; choose another --release-id to ask again.",
  },
  "budget-exists": {
    exit: 2,
    status: 409,
    title: "The data set already has a different budget.",
    cli: "Add --replace to change it; the log keeps both.",
    page: "Keep the budget as it is: a budget is set once.",
  },
  "other-ledger": {
    exit: 2,
    status: 409,
    title: "The imported file is an older copy of the ledger, or a different ledger.",
    cli: "Pass a longer copy of the same ledger, or import into a new --ledger.",
  },
  "over-budget": {
    exit: 3,
    status: 403,
    title: "The release costs more than the remaining budget.",
    cli: "Run `winnow budget show`; a smaller price may fit.",
    service: "See `POST …/cost`; a smaller price may fit.",
    page: "Use a smaller ε, or stop here: the budget is a promise.",
  },
  "missing-source": { exit: 4, status: 503, title: "A file doesn't exist.", cli: "Check the path." },
  "no-permission": {
    exit: 4,
    status: 503,
    title: "This account may not read or write a file.",
    cli: "Check the permissions of the file.",
  },
  "unreadable-source": {
    exit: 4,
    status: 422,
    title: "A file doesn't have the expected format.",
    cli: "Check the format (--format) and that the file is complete.",
  },
  "source-limit": {
    exit: 4,
    status: 503,
    title: "Reading exceeded the memory or time limit.",
    cli: "Raise --memory-limit or --time-limit.",
  },
  "server-unreachable": {
    exit: 4,
    status: 503,
    title: "No server answers at the address.",
    cli: "Check that the server is running and that the address is right.",
  },
  "server-refused": {
    exit: 4,
    status: 503,
    title: "The server rejected the account.",
    cli: "Check the name, the password and the permissions of the account.",
  },
  "server-failed": {
    exit: 4,
    status: 503,
    title: "The server failed, or the connection broke.",
    cli: "Try again; the server's own log has the details.",
  },
  "count-failed": {
    exit: 4,
    status: 422,
    title: "The rows couldn't be counted.",
    happened: "The count of a query failed after it began, for any reason.",
    cli: "The price counts in full. The reason is for the curator only; see `winnow budget log`.",
    service:
      "The price counts in full; the same key is refused again at no cost. Tell the operator: the log has a code.",
  },
  "missing-ledger": {
    exit: 4,
    status: 503,
    title: "There is no ledger at that path, or another one lies beside it.",
    cli: "Check --ledger; `winnow budget init` creates a new file, and `winnow budget init --server` a ledger on PostgreSQL.",
  },
  "ledger-locked": {
    exit: 4,
    status: 503,
    title: "Another run used the ledger for too long.",
    cli: "Wait for the other run to end, then try again.",
  },
  "charge-unknown": {
    exit: 4,
    status: 503,
    title: "It isn't known whether the release was charged.",
    happened: "The connection to the ledger broke while a release was recorded, and could not be made again.",
    cli: "Ask again with this --release-id: if it was charged, the answer is printed and costs nothing more.",
    service: "Ask again with the same key: if it was charged, the answer is returned and costs nothing more.",
  },
  "ledger-broken": {
    exit: 4,
    status: 503,
    title: "The file is damaged, was changed, or isn't a ledger.",
    cli: "Run `winnow budget verify`; restore the ledger, or start a new one for new data.",
  },
  "ledger-replaced": {
    exit: 4,
    status: 503,
    title:
      "Entries that were there are gone: while the ledger was in use, an older copy was put back, or its file was deleted, moved or replaced.",
    cli: "Nothing more is charged. Put the newest copy back, run `winnow budget verify --against` a recent release, and start again.",
  },
  "witness-away": {
    exit: 4,
    status: 503,
    title: "Too few witnesses have cosigned a head of the ledger that includes the release.",
    happened:
      "The release is charged and stored, and it isn't shown before enough witnesses have seen its entry.",
    cli: "Ask again with its --release-id when the witnesses answer: it is printed then, and costs nothing more.",
    service: "Ask again with the same key: the release is charged once.",
  },
  "witness-disagrees": {
    exit: 4,
    status: 503,
    title: "A witness has seen a ledger of this name with other entries, or with more.",
    happened:
      "An older copy of the ledger was put back, or two copies are charged. What the witness has seen can't be unseen.",
    cli: "Charge nothing more. Put the newest copy back, and compare it with the head that the witness keeps.",
    service: "Tell the operator: nothing more is released until the newest copy of the ledger is back.",
  },
  "key-not-recorded": {
    exit: 2,
    status: 409,
    title: "The key doesn't sign heads of this ledger: the ledger hasn't recorded it, or has revoked it.",
    cli: "Record it with `winnow budget key`, or sign with one that `winnow budget key` lists.",
  },
  "not-witnessed": {
    exit: 4,
    status: 422,
    title: "The release doesn't carry a head of its ledger that the policy accepts.",
    cli: "Ask its publisher for a copy with the signatures that your policy names, and don't rely on this one.",
  },
  "not-recomputed": {
    exit: 4,
    status: 422,
    title: "The rows and the opening don't lead to the release.",
    cli: "Check that these are the rows and the opening of this release; if they are, the answer wasn't drawn as it was promised.",
  },
  "not-proven": {
    exit: 4,
    status: 422,
    title: "The proof doesn't show that the release is in a ledger.",
    cli: "Ask the keeper of the ledger for the release and its proof again.",
  },
  "not-priced": {
    exit: 4,
    status: 422,
    title:
      "The ledger holds the release, but another version of Winnow recorded it, or it isn't a document of Winnow, so its price was not checked.",
    cli: "Verify it with the version of Winnow that recorded it, or with verify.py, which goes by the parameters of the noise.",
  },
  "disk-full": {
    exit: 4,
    status: 503,
    title: "The ledger couldn't be written.",
    cli: "Free some space and try again; nothing was released.",
  },
  "not-written": {
    exit: 4,
    status: 500,
    title: "The release is recorded, but couldn't be written or shown.",
    cli: "Make room or open the output, and ask again with its --release-id: the answer is stored and costs nothing more.",
  },
  "no-entropy": {
    exit: 4,
    status: 500,
    title: "The system provides no random bits.",
    cli: "Run `winnow doctor`; Winnow releases nothing without fair random bits.",
    page: "Use another browser. Without a source of randomness there is no private answer.",
  },
  unhealthy: {
    exit: 4,
    status: 500,
    title: "A check of `winnow doctor` or a step of `winnow demo` failed.",
    cli: "Fix the checks marked above; nothing was changed.",
  },
  unexpected: {
    exit: 4,
    status: 500,
    title: "The service failed.",
    happened: "A bug in Winnow; only its kind and place are shown, because its message could quote rows.",
    cli: "Run `winnow doctor`, and report this with the place in the code.",
    service: "Tell the operator: the log has the place in the code.",
    page: "Reload the page. The ledger has every charge, with its answer.",
  },
  interrupted: {
    exit: 130,
    status: 503,
    title: "Ctrl-C, or the system ended the run.",
    cli: "Nothing was released or charged.",
  },
  "invalid-request": {
    exit: 2,
    status: 400,
    title: "The request isn't valid.",
    service: "Fix the field that `detail` names.",
  },
  unauthenticated: {
    exit: 2,
    status: 401,
    title: "The key or token isn't valid.",
    service: "Send the key that the operator gave you, or a fresh token.",
  },
  "not-allowed": {
    exit: 2,
    status: 403,
    title: "The operator doesn't allow this.",
    service: "Ask within what `GET /v1/datasets/{name}` lists.",
  },
  "not-found": {
    exit: 2,
    status: 404,
    title: "There is nothing here.",
    happened: "The ledger has no release with this id.",
    cli: "See `winnow budget log` for the ids.",
    service: "Check the address, the name or the id; another's release looks like one that doesn't exist.",
  },
  "method-not-allowed": {
    exit: 2,
    status: 405,
    title: "This address doesn't take this method.",
    service: "Use a method of the `Allow` header.",
  },
  "request-too-large": {
    exit: 2,
    status: 413,
    title: "The request is too large.",
    service: "Send the question only.",
  },
  "not-json": {
    exit: 2,
    status: 415,
    title: "The request must be JSON.",
    service: "Send `Content-Type: application/json`.",
  },
  "not-answerable": {
    exit: 2,
    status: 422,
    title: "No mechanism answers this question.",
    service: "Fix the parameter that `detail` names.",
  },
  "too-many-requests": {
    exit: 4,
    status: 429,
    title: "Too many requests with this key.",
    service: "Wait as long as `Retry-After` says.",
  },
  busy: {
    exit: 4,
    status: 503,
    title: "The service is busy.",
    service: "Try again after `Retry-After`; nothing was charged.",
  },
  "still-running": {
    exit: 4,
    status: 503,
    title: "The release takes longer.",
    service: "Ask again with the same key; it is charged once.",
  },
  "source-unavailable": {
    exit: 4,
    status: 503,
    title: "The rows can't be reached.",
    service: "Try again later; nothing was charged.",
  },
  "ledger-unavailable": {
    exit: 4,
    status: 503,
    title: "The ledger can't be reached.",
    service: "Try again later; nothing was charged.",
    page: "Leave private browsing, allow storage for this page, or use the command line.",
  },
  "shutting-down": {
    exit: 4,
    status: 503,
    title: "The service is shutting down.",
    service: "Try again later; nothing was charged.",
  },
  cancelled: {
    exit: 130,
    status: 499,
    title: "Someone cancelled the work.",
    page: "Start again whenever you like; nothing was released and nothing charged.",
  },
  "empty-file": {
    exit: 2,
    status: 400,
    title: "The file is empty.",
    page: "Choose a file that has at least a header line.",
  },
  "not-text": {
    exit: 2,
    status: 400,
    title: "The file isn't one of rows.",
    page: "Choose a CSV, TSV, NDJSON or Parquet file, plain or compressed with gzip.",
  },
  "several-files": {
    exit: 2,
    status: 400,
    title: "There is more than one file.",
    page: "Drop one file. To use several, join them first, so that each person counts once.",
  },
  spreadsheet: {
    exit: 2,
    status: 400,
    title: "The file is a spreadsheet.",
    page: "In Excel, choose File, Save as, “CSV UTF-8 (comma delimited)”, and open that file.",
  },
  "unknown-codec": {
    exit: 2,
    status: 400,
    title: "The file is compressed in a way that the page cannot read.",
    page: "Write the file with Snappy, gzip, Zstandard or nothing, or use the command line: winnow top FILE.",
  },
  "too-large": {
    exit: 4,
    status: 413,
    title: "The file doesn't fit into the memory of the page.",
    page: "Use the command line, which reads files larger than memory: winnow top FILE.",
  },
  "broken-file": {
    exit: 4,
    status: 422,
    title: "The file is damaged or ends too early.",
    page: "Check that the file was copied whole, and choose it again.",
  },
  "no-file": {
    exit: 2,
    status: 400,
    title: "There are no rows yet.",
    page: "Choose a file or start with the example.",
  },
  "no-candidates": {
    exit: 2,
    status: 400,
    title: "The question needs a public list, and there is none.",
    page: "Give the public list of candidates, or choose “Unknown domain”.",
  },
  "invalid-question": {
    exit: 2,
    status: 400,
    title: "A part of the question is invalid.",
    page: "Change the value and try again.",
  },
  "too-many-items": {
    exit: 4,
    status: 413,
    title: "The items don't fit into the memory of the page.",
    page: "Use the command line, which counts on disk: winnow top FILE.",
  },
  "ledger-unknown": {
    exit: 4,
    status: 503,
    title: "The page doesn't know what was spent before.",
    page: "Restore the ledger from a file you saved, or treat the budget of this data set as spent.",
  },
  "ledger-file": {
    exit: 2,
    status: 409,
    title: "The file isn't the newest ledger of these people.",
    page: "Choose the newest file that was saved from the ledger of these people.",
  },
  "no-locks": {
    exit: 4,
    status: 500,
    title: "The browser cannot lock the ledger.",
    page: "Use a browser with Web Locks (any since 2022) over https or on this machine.",
  },
  "worker-stopped": {
    exit: 4,
    status: 500,
    title: "The part of the page that counts has stopped.",
    page: "Reload the page, or use another browser. The ledger has every charge.",
  },
} as const satisfies Readonly<Record<string, Entry>>;

/** The code of a refusal. */
export type RefusalCode = keyof typeof CATALOGUE;

/** The entry, with the fields that some have. */
export function entryOf(code: RefusalCode): Entry {
  return CATALOGUE[code];
}
