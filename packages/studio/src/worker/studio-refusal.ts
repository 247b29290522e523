/**
 * A refusal: a stable code, one sentence made of public values only, and what to do next. It never contains a private
 * value, so the page may show it anywhere.
 *
 * Everything that is thrown becomes a refusal before it crosses between worker and page, where it arrives as the same
 * class. The sentences of the library and of the ledger are made of public values and are kept; any other text may
 * quote a row and is dropped.
 *
 * A problem is a refusal as the page shows it. Of any error that isn't one, the page repeats nothing either.
 * @module
 */
import { transferHandlers } from "comlink";
import { WinnowError } from "winnow-dp";
import { LedgerError, type LedgerErrorCode } from "winnow-release";

/** Every way to be refused, with what to do next. */
export const NEXT_STEPS = {
  cancelled: "Start again whenever you like; nothing was released and nothing charged.",
  "empty-file": "Choose a file that has at least a header line.",
  "not-text": "Choose a CSV, TSV, NDJSON or Parquet file, plain or compressed with gzip.",
  "several-files": "Drop one file. To use several, join them first, so that each person counts once.",
  spreadsheet: "In Excel, choose File, Save as, “CSV UTF-8 (comma delimited)”, and open that file.",
  "unknown-codec":
    "Write the file with Snappy, gzip, Zstandard or nothing, or use the command line: winnow top FILE.",
  "too-large": "Use the command line, which reads files larger than memory: winnow top FILE.",
  "broken-file": "Check that the file was copied whole, and choose it again.",
  "broken-header": "Give the first line one distinct, non-empty name for each column.",
  "unknown-column": "Choose a column of the header.",
  "no-file": "Choose a file or start with the example.",
  "no-candidates": "Give the public list of candidates, or choose “Unknown domain”.",
  "invalid-question": "Change the value and try again.",
  "too-many-items": "Use the command line, which counts on disk: winnow top FILE.",
  "over-budget": "Use a smaller ε, or stop here: the budget is a promise.",
  unconfirmed: "Agree to it, or choose smaller numbers.",
  "no-budget": "Set a budget for this data set first.",
  "budget-exists": "Keep the budget as it is: a budget is set once.",
  "release-id-taken": "Press release again. The page then chooses a new id.",
  "ledger-unknown":
    "Restore the ledger from a file you saved, or treat the budget of this data set as spent.",
  "ledger-file": "Choose the newest file that was saved from the ledger of these people.",
  "ledger-unavailable": "Leave private browsing, allow storage for this page, or use the command line.",
  "no-locks": "Use a browser with Web Locks (any since 2022) over https or on this machine.",
  "no-entropy": "Use another browser. Without a source of randomness there is no private answer.",
  "worker-stopped": "Reload the page, or use another browser. The ledger has every charge.",
  unexpected: "Reload the page. The ledger has every charge, with its answer.",
} as const;

type RefusalCode = keyof typeof NEXT_STEPS;

export class StudioRefusal extends Error {
  override readonly name = "StudioRefusal";

  constructor(
    readonly code: RefusalCode,
    sentence: string,
  ) {
    super(sentence);
  }

  get next(): string {
    return NEXT_STEPS[this.code];
  }
}

const LEDGER_CODES: Readonly<Record<LedgerErrorCode, RefusalCode>> = {
  "over-budget": "over-budget",
  "budget-exists": "budget-exists",
  "release-id-taken": "release-id-taken",
  "ledger-broken": "ledger-unknown",
  "ledger-replaced": "ledger-unknown",
  "other-ledger": "ledger-file",
  "which-dataset": "no-budget",
  "no-budget": "no-budget",
  "charge-unknown": "ledger-unavailable",
  usage: "invalid-question",
};

export function asRefusal(error: unknown): StudioRefusal {
  if (error instanceof StudioRefusal) return error;
  if (error instanceof LedgerError) return new StudioRefusal(LEDGER_CODES[error.code], error.message);
  if (error instanceof WinnowError) return fromLibrary(error);
  return new StudioRefusal("unexpected", "Something unexpected went wrong.");
}

function fromLibrary({ code, message }: WinnowError): StudioRefusal {
  switch (code) {
    case "invalid-parameter":
      return new StudioRefusal("invalid-question", `${message}.`);
    case "entropy-unavailable":
      return new StudioRefusal("no-entropy", "This browser has no cryptographic source of randomness.");
    default:
      return new StudioRefusal("unexpected", "Something unexpected went wrong.");
  }
}

interface Crossing {
  readonly code: RefusalCode;
  readonly sentence: string;
}

/** Comlink wraps the thrown value in an object, which its own handler recognises. */
interface Thrown {
  readonly value: unknown;
}

/** To be called once on each side. */
export function refusalsCross(): void {
  const own = transferHandlers.get("throw");
  if (own === undefined) throw new Error("comlink must have a handler for thrown values");
  transferHandlers.set("throw", {
    canHandle: own.canHandle,
    serialize: ({ value }: Thrown): [Crossing, Transferable[]] => [crossing(value), []],
    deserialize: ({ code, sentence }: Crossing): never => {
      throw new StudioRefusal(code, sentence);
    },
  });
}

function crossing(error: unknown): Crossing {
  const { code, message } = asRefusal(error);
  return { code, sentence: message };
}

export interface Problem {
  readonly code: RefusalCode;
  readonly sentence: string;
  readonly next: string;
}

export function problemOf(error: unknown): Problem {
  const refusal =
    error instanceof StudioRefusal
      ? error
      : new StudioRefusal("unexpected", "The page hit an unexpected error.");
  return { code: refusal.code, sentence: refusal.message, next: refusal.next };
}

/** Such a problem is shown once, beside the question, whichever call failed. */
export function isAboutTheQuestion(problem: Problem | undefined): boolean {
  return problem?.code === "invalid-question";
}

/** Cancelled work isn't a problem to show. */
export function isCancelled(error: unknown): boolean {
  return error instanceof StudioRefusal && error.code === "cancelled";
}
