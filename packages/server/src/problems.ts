/**
 * Problems as data: a code from the error catalogue, an HTTP status, a title that is always the same, and one
 * sentence made of public values. Errors of engines, files and ledgers may name paths, hosts or rows, so their sentences
 * stay here: only those of a budget and of an id are passed on, which are made of what the analyst asked.
 * @module
 */
import { WinnowError } from "winnow-dp";

/** The page of the catalogue; each code is a heading of it. */
const CATALOGUE_PAGE = "https://winnow-dp.github.io/winnow/guide/errors#";

/** By code; docs/guide/errors.md says what the analyst can do. */
export const PROBLEMS = {
  "invalid-request": { status: 400, title: "The request isn't valid." },
  "not-answerable": { status: 422, title: "No mechanism answers this question." },
  "count-failed": { status: 422, title: "The rows couldn't be counted." },
  unauthenticated: { status: 401, title: "The key or token isn't valid." },
  "not-allowed": { status: 403, title: "The operator doesn't allow this." },
  "over-budget": { status: 403, title: "The release costs more than the remaining budget." },
  unconfirmed: { status: 403, title: "No one has agreed to the price." },
  "not-found": { status: 404, title: "There is nothing here." },
  "method-not-allowed": { status: 405, title: "This address doesn't take this method." },
  "release-id-taken": { status: 409, title: "The idempotency key belongs to another question." },
  "request-too-large": { status: 413, title: "The request is too large." },
  "not-json": { status: 415, title: "The request must be JSON." },
  "too-many-requests": { status: 429, title: "Too many requests with this key." },
  unexpected: { status: 500, title: "The service failed." },
  busy: { status: 503, title: "The service is busy." },
  "still-running": { status: 503, title: "The release takes longer." },
  "charge-unknown": { status: 503, title: "It isn't known whether the release was charged." },
  "source-unavailable": { status: 503, title: "The rows can't be reached." },
  "ledger-unavailable": { status: 503, title: "The ledger can't be reached." },
  "shutting-down": { status: 503, title: "The service is shutting down." },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** An answer that isn't a release. */
export class Problem extends Error {
  override readonly name = "Problem";

  constructor(
    readonly code: ProblemCode,
    sentence: string,
    /** In seconds, and the id to ask again with. */
    readonly again: { readonly after?: number; readonly release?: string } = {},
    options?: ErrorOptions,
  ) {
    super(sentence, options);
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
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

export function problemDetails({ code, message, again }: Problem): ProblemDetails {
  const { title, status } = PROBLEMS[code];
  return {
    type: CATALOGUE_PAGE + code,
    title,
    status,
    code,
    detail: message,
    ...(again.release !== undefined && { release: again.release }),
  };
}

/** In seconds. */
const SOON = 2;

/** Any error as a problem. `release` is the id of the release that was asked for. */
export function problemOf(error: unknown, release?: string): Problem {
  if (error instanceof Problem) return error;
  const cause = { cause: error };
  const code = codeOf(error);
  if (error instanceof WinnowError && code === "invalid-parameter")
    return new Problem("not-answerable", `${error.message}.`, {}, cause);
  switch (code) {
    case "over-budget":
      return new Problem("over-budget", (error as Error).message, {}, cause);
    case "release-id-taken":
    case "reservation-open":
      return new Problem("release-id-taken", KEY_TAKEN, {}, cause);
    case "charge-unknown":
      return new Problem(
        "charge-unknown",
        "The connection to the ledger broke. Ask again with the same key: if the release was charged, its answer is returned and costs nothing more.",
        { after: SOON, ...(release !== undefined && { release }) },
        cause,
      );
    case "ledger-locked":
    case "ledger-broken":
    case "ledger-replaced":
    case "missing-ledger":
    case "disk-full":
    case "server-unreachable":
    case "server-refused":
    case "server-failed":
    case "no-permission":
      return new Problem(
        "ledger-unavailable",
        "Nothing was charged. Try again later.",
        { after: SOON },
        cause,
      );
    default:
      return new Problem(
        "unexpected",
        "Something went wrong. The operator's log has the details.",
        {},
        cause,
      );
  }
}

export const KEY_TAKEN =
  "A release with this key answers another question. Choose another key, or repeat the first question exactly.";

/** The code of an error of Winnow's; undefined for all others. */
export function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}
