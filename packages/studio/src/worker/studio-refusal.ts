/**
 * Refusals on their way to the page. Everything that is thrown becomes a refusal before it crosses between worker and page,
 * where it arrives as the same class: a code and one sentence made of public values only, which the page may show anywhere.
 * The sentences of the library and of the ledger are kept; any other text may quote a row and is dropped.
 *
 * A problem is a refusal as the page shows it. Of any error that isn't one, the page repeats nothing either.
 * @module
 */
import { transferHandlers } from "comlink";
import { entryOf, Refusal, type RefusalCode, refusalOf } from "winnow-release";

/** What the page knows of a ledger that can't be relied on, whatever the reason. */
const ALIASES: Partial<Readonly<Record<RefusalCode, RefusalCode>>> = {
  "ledger-broken": "ledger-unknown",
  "ledger-replaced": "ledger-unknown",
  "other-ledger": "ledger-file",
  "which-dataset": "no-budget",
  "no-budget": "no-budget",
  "charge-unknown": "ledger-unavailable",
  usage: "invalid-question",
};

/** Sentences about a machine, for a browser. */
const SENTENCES: Partial<Readonly<Record<RefusalCode, string>>> = {
  "no-entropy": "This browser has no cryptographic source of randomness.",
  unexpected: "Something unexpected went wrong.",
};

/** Any error as a refusal that the page shows. */
export function asRefusal(error: unknown): Refusal {
  const { code, message } = refusalOf(error);
  const shown = ALIASES[code] ?? (entryOf(code).page === undefined ? "unexpected" : code);
  const isOurs = error instanceof Refusal && shown === code;
  return isOurs ? error : new Refusal(shown, SENTENCES[shown] ?? message);
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
      throw new Refusal(code, sentence);
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
    error instanceof Refusal ? error : new Refusal("unexpected", "The page hit an unexpected error.");
  return { code: refusal.code, sentence: refusal.message, next: refusal.next("page") };
}

/** Such a problem is shown once, beside the question, whichever call failed. */
export function isAboutTheQuestion(problem: Problem | undefined): boolean {
  return problem?.code === "invalid-question";
}

/** Cancelled work isn't a problem to show. */
export function isCancelled(error: unknown): boolean {
  return error instanceof Refusal && error.code === "cancelled";
}
