/**
 * Reading requests and writing answers: bodies, keys and pages in, JSON and problems (RFC 9457) out, and what may be known
 * about a request afterwards.
 * @module
 */
import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { forJson, Refusal, readStrictJson } from "winnow-release";
import type { RecordedAnswer } from "../host.js";
import { codeOf, type ProblemCode, problemDetails, problemOf } from "../problems.js";
import type { Phase, Timeline } from "../timeline.js";
import { MOST_LISTED, type OperationName } from "./openapi.js";

/** The public facts about a request: neither its question nor its answer. */
export interface ObservedRequest {
  /** Drawn by the service; the answer has it as `X-Request-Id`. */
  readonly request: string;
  /** The client's; empty if it isn't known. */
  readonly address: string;
  readonly method: string;
  /** The pattern of the path; undefined for an unknown one. */
  readonly route: string | undefined;
  readonly status: number;
  readonly analyst: string | undefined;
  /** The label of the analyst's key. */
  readonly key: string | undefined;
  /** Why it isn't known who asks. */
  readonly because: string | undefined;
  readonly dataset: string | undefined;
  readonly code: ProblemCode | undefined;
  /** The code of the error behind it, if that has one of its own; only the operator may be told. */
  readonly cause: string | undefined;
  /** A release that was made or given again, with its place in the ledger. */
  readonly release: { readonly isStored: boolean; readonly sequence: number } | undefined;
  readonly arrived: Date;
  /** From the arrival until the answer left. */
  readonly milliseconds: number;
  /** What the time was spent on. */
  readonly phases: readonly Phase[];
  /** The trace that a trusted proxy began. */
  readonly traceparent: string | undefined;
  /** Only its class and place may be written down. */
  readonly unforeseen: unknown;
}

/** From the arrival on. */
export interface Variables {
  release: ObservedRequest["release"];
  unforeseen: unknown;
  arrivedAt: number;
  arrived: Date;
  timeline: Timeline;
  address: string;
  operation: OperationName;
  analyst: string;
  key: string | undefined;
  because: string | undefined;
  code: ProblemCode;
  cause: string | undefined;
}

export type AppContext = Context<{
  Variables: Variables;
  Bindings: { incoming?: { socket?: { remoteAddress?: string } } };
}>;
const JSON_MEDIA = /^application\/json\s*(;|$)/i;

export async function bodyOf(context: AppContext): Promise<unknown> {
  if (!JSON_MEDIA.test(context.req.header("content-type") ?? ""))
    throw new Refusal("not-json", "Send the question as application/json.");
  const bytes = await whileReading(() => context.req.arrayBuffer());
  try {
    const read = readStrictJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (read.fault !== undefined) throw new Refusal("invalid-request", read.fault);
    return read.value;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError)
      throw new Refusal("invalid-request", "The body must be JSON in UTF-8.");
    throw error;
  }
}

/** A client can hang up in the middle of a body, at will: that is a refused request, and not a fault of the service. */
export async function whileReading<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal("invalid-request", "The body was cut off.");
  }
}

export function tooLarge(): never {
  throw new Refusal("request-too-large", "A question fits into a few hundred bytes.");
}

/** With or without quotes: as a structured header, or as most clients write it. */
export function keyOf(context: AppContext): string {
  const header = context.req.header("idempotency-key");
  if (header === undefined)
    throw new Refusal(
      "invalid-request",
      "Idempotency-Key must be given: choose a new one for each question, such as a UUID.",
    );
  return /^"(.*)"$/.exec(header)?.[1] ?? header;
}

const USUAL_PAGE = 20;

/** The whole numbers of a query, each within its limits, and nothing else. */
function numbersIn(context: AppContext, most: Readonly<Record<string, number>>) {
  const names = Object.keys(most);
  if (Object.keys(context.req.query()).some((name) => !names.includes(name)))
    throw new Refusal(
      "invalid-request",
      `The query must have no other parameters than ${names.join(" and ")}.`,
    );
  return Object.fromEntries(
    names.map((name) => {
      const given = context.req.query(name);
      if (given === undefined) return [name, undefined];
      const number = /^\d{1,16}$/.test(given) ? Number(given) : Number.NaN;
      if (!(number >= 1 && number <= most[name]!))
        throw new Refusal("invalid-request", `${name} must be a whole number from 1 to ${most[name]}.`);
      return [name, number];
    }),
  );
}

export function pageIn(context: AppContext): { readonly before: number | undefined; readonly limit: number } {
  const { before, limit } = numbersIn(context, { before: Number.MAX_SAFE_INTEGER, limit: MOST_LISTED });
  return { before, limit: limit ?? USUAL_PAGE };
}

/** The number of entries of an earlier head. */
export function sizeIn(context: AppContext): number {
  const { size } = numbersIn(context, { size: Number.MAX_SAFE_INTEGER });
  if (size === undefined)
    throw new Refusal("invalid-request", "size must be given: the number of entries of the earlier head.");
  return size;
}

export function found(context: AppContext, value: unknown): Response {
  if (value === undefined) throw new Refusal("not-found", "You have no release with this id.");
  return json(context, 200, value);
}

export const JSON_TYPE = { "Content-Type": "application/json; charset=utf-8" };

/** Names come from strangers: nothing hides in the text. */
export function json(
  context: AppContext,
  status: 200 | 201 | 503,
  value: unknown,
  headers: Record<string, string> = {},
): Response {
  return context.body(`${forJson(value)}\n`, status, { ...JSON_TYPE, ...headers });
}

export function released(context: AppContext, release: RecordedAnswer, isStored: boolean): Response {
  context.set("release", { isStored, sequence: release.ledger.sequence });
  const headers = { Location: `/v1/releases/${encodeURIComponent(release.id)}` };
  return json(context, isStored ? 200 : 201, release, headers);
}

export function refuse(context: AppContext, error: unknown): Response {
  const problem = problemOf(asRefusal(error));
  context.set("code", problem.code);
  context.set("cause", codeOf(problem.cause));
  if (problem.code === "unexpected") context.set("unforeseen", problem.cause ?? problem);
  const { after } = problem;
  if (after !== undefined) context.header("Retry-After", String(after));
  if (problem.code === "unauthenticated") context.header("WWW-Authenticate", "Bearer");
  return context.body(`${forJson(problemDetails(problem))}\n`, problem.status as 400, {
    "Content-Type": "application/problem+json; charset=utf-8",
  });
}

/** The refusal of what the framework and the connection throw; all else stays as it is. */
function asRefusal(error: unknown): unknown {
  if (error instanceof HTTPException && error.status < 500)
    return new Refusal("invalid-request", "The request can't be read.");
  if (error instanceof Error && error.name === "AbortError")
    return new Refusal("busy", "The request was cancelled; nothing was charged.", { after: 1 });
  return error;
}
