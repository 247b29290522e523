/**
 * Refusals as the service sends them: a code, an HTTP status, a title that is always the same, and one sentence made of public
 * values. Errors of engines, files and ledgers may name paths, hosts or rows, so their sentences stay here: only those of a
 * budget and of the question are passed on, which are made of what the analyst asked.
 * @module
 */
import { CATALOGUE, COUNT_FAILED, entryOf, Refusal, type RefusalCode, refusalOf } from "winnow-release";

/** The page of the catalogue; each code is a heading of it. */
const CATALOGUE_PAGE = "https://winnow-dp.github.io/winnow/guide/errors#";

/** The codes that a service sends. */
export type ProblemCode = {
  [C in RefusalCode]: (typeof CATALOGUE)[C] extends { readonly service: string } ? C : never;
}[RefusalCode];

/** In the order of their statuses. */
export const PROBLEM_CODES: readonly ProblemCode[] = (Object.keys(CATALOGUE) as RefusalCode[])
  .filter(isProblemCode)
  .sort((a, b) => entryOf(a).status - entryOf(b).status);

function isProblemCode(code: RefusalCode): code is ProblemCode {
  return entryOf(code).service !== undefined;
}

/** As RFC 9457 writes it. */
export interface ProblemDetails {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ProblemCode;
  readonly detail: string;
  readonly release?: string;
}

export function problemDetails({ code, status, title, message, release }: Problem): ProblemDetails {
  return {
    type: CATALOGUE_PAGE + code,
    title,
    status,
    code,
    detail: message,
    ...(release !== undefined && { release }),
  };
}

/** A refusal that a service may send. */
export type Problem = Refusal & { readonly code: ProblemCode };

export const KEY_TAKEN =
  "A release with this key answers another question. Choose another key, or repeat the first question exactly.";

/** In seconds. */
const SOON = 2;

/** What analysts are told instead of what the machine says. */
const ALIASES: Partial<Readonly<Record<RefusalCode, ProblemCode>>> = {
  "invalid-question": "not-answerable",
  "reservation-open": "count-failed",
  "ledger-locked": "ledger-unavailable",
  "ledger-broken": "ledger-unavailable",
  "ledger-replaced": "ledger-unavailable",
  "missing-ledger": "ledger-unavailable",
  "disk-full": "ledger-unavailable",
  "server-unreachable": "ledger-unavailable",
  "server-refused": "ledger-unavailable",
  "server-failed": "ledger-unavailable",
  "no-permission": "ledger-unavailable",
};

/** Sentences that are the same whatever the machine says. */
const SENTENCES: Partial<Readonly<Record<ProblemCode, string>>> = {
  "release-id-taken": KEY_TAKEN,
  "count-failed": COUNT_FAILED,
  "charge-unknown":
    "The connection to the ledger broke. Ask again with the same key: if the release was charged, its answer is returned and costs nothing more.",
  "ledger-unavailable": "Nothing was charged. Try again later.",
  "witness-disagrees": "The ledger isn't the one that its witnesses have seen.",
  unexpected: "Nothing more is known to you; the operator's log has the place.",
};

/** Any error as a problem. `release` is the id of the release that was asked for. */
export function problemOf(error: unknown, release?: string): Problem {
  const { code, message, after } = refusalOf(error);
  const shown = ALIASES[code] ?? (isProblemCode(code) ? code : "unexpected");
  const sentence = SENTENCES[shown] ?? message;
  if (error instanceof Refusal && shown === code && sentence === message) return error as Problem;
  const isLater = shown === "charge-unknown" || shown === "ledger-unavailable";
  return new Refusal(shown, sentence, {
    ...(isLater ? { after: SOON } : after !== undefined && { after }),
    ...(shown === "charge-unknown" && release !== undefined && { release }),
    cause: error,
  }) as Problem;
}

/** The code of an error of Winnow's; undefined for all others. */
export function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}
