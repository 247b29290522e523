/**
 * What went wrong with Trino, told from the names of its errors alone. Their texts quote rows and statements, and are dropped
 * here.
 * @module
 */
import { Refusal } from "../../refusal.js";
import { ConnectionLost, CountFailed, refuseNetwork } from "../server-retry.js";

const noTable = () => new Refusal("unknown-table", "The Trino server has no such table.");
const noPlace = () =>
  new Refusal("server-refused", "The Trino server has no catalog or schema of that name.");
const forbidden = () => new Refusal("server-refused", "The Trino account may not read this table or column.");
const refused = () =>
  new Refusal("server-refused", "The Trino server refused the name, the password or the token.");
const badQuery = () => new Refusal("bad-query", "Trino cannot read the query.");
const badSession = () => new Refusal("usage", "Trino does not take the session properties of the address.");
const overTime = () => new Refusal("source-limit", "Trino stopped the count at its time limit.");
const overMemory = () => new Refusal("source-limit", "Trino stopped the count at its memory limit.");
const noWorker = () => new Refusal("server-unreachable", "The Trino cluster has no worker to count with.");
const overLimit = () => new Refusal("source-limit", "The count is beyond a limit of Trino.");

export const lostTrino = () => new ConnectionLost("the Trino server");

const BY_NAME: Readonly<Record<string, () => Refusal>> = {
  TABLE_NOT_FOUND: noTable,
  CATALOG_NOT_FOUND: noPlace,
  SCHEMA_NOT_FOUND: noPlace,
  MISSING_CATALOG_NAME: noPlace,
  MISSING_SCHEMA_NAME: noPlace,
  PERMISSION_DENIED: forbidden,
  SYNTAX_ERROR: badQuery,
  COLUMN_NOT_FOUND: badQuery,
  AMBIGUOUS_NAME: badQuery,
  DUPLICATE_COLUMN_NAME: badQuery,
  MISSING_COLUMN_NAME: badQuery,
  COLUMN_TYPE_UNKNOWN: badQuery,
  FUNCTION_NOT_FOUND: badQuery,
  TYPE_MISMATCH: badQuery,
  TYPE_NOT_FOUND: badQuery,
  MISMATCHED_COLUMN_ALIASES: badQuery,
  EXPRESSION_NOT_AGGREGATE: badQuery,
  NOT_SUPPORTED: badQuery,
  INVALID_SESSION_PROPERTY: badSession,
  EXCEEDED_TIME_LIMIT: overTime,
  EXCEEDED_CPU_LIMIT: overTime,
  EXCEEDED_LOCAL_MEMORY_LIMIT: overMemory,
  EXCEEDED_GLOBAL_MEMORY_LIMIT: overMemory,
  CLUSTER_OUT_OF_MEMORY: overMemory,
  EXCEEDED_SPILL_LIMIT: overLimit,
  EXCEEDED_SCAN_LIMIT: overLimit,
  EXCEEDED_FUNCTION_MEMORY_LIMIT: overLimit,
  QUERY_TEXT_TOO_LARGE: overLimit,
  QUERY_HAS_TOO_MANY_STAGES: overLimit,
  QUERY_QUEUE_FULL: overLimit,
  QUERY_REJECTED: overLimit,
  // A part of the cluster went away: another attempt may find it, or do without it.
  REMOTE_HOST_GONE: lostTrino,
  REMOTE_TASK_ERROR: lostTrino,
  REMOTE_TASK_MISMATCH: lostTrino,
  REMOTE_TASK_FAILED: lostTrino,
  PAGE_TRANSPORT_ERROR: lostTrino,
  PAGE_TRANSPORT_TIMEOUT: lostTrino,
  TOO_MANY_REQUESTS_FAILED: lostTrino,
  ABANDONED_QUERY: lostTrino,
  ABANDONED_TASK: lostTrino,
  SERVER_SHUTTING_DOWN: lostTrino,
  SERVER_STARTING_UP: lostTrino,
  NO_NODES_AVAILABLE: noWorker,
};

export function refuseTrino(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { errorName, code } = (error ?? {}) as { errorName?: unknown; code?: unknown };
  if (typeof errorName === "string")
    return BY_NAME[errorName]?.() ?? new CountFailed("server-failed", "Trino could not finish the count.");
  return (typeof code === "string" ? refuseNetwork(code, "Trino") : undefined) ?? lostTrino();
}

/** `isLater` is whether the server had taken the statement: then it has forgotten it. */
export function refuseStatus(status: number, isLater: boolean): Refusal {
  if (status === 401) return refused();
  if (status === 403) return forbidden();
  if (status === 404 || status === 410) return isLater ? lostTrino() : otherServer();
  if (status >= 500 || status === 429)
    return new Refusal("server-unreachable", "The Trino server does not answer.");
  return new CountFailed("server-failed", "Trino could not finish the count.");
}

export function otherServer(): Refusal {
  return new Refusal(
    "server-unreachable",
    "The answer isn't from a Trino server, or not over TLS as requested.",
  );
}

/** The answer ended, or went over into something else, before it was complete. */
export function brokenAnswer(): Refusal {
  return new CountFailed("server-failed", "Trino stopped while sending the counts.");
}
