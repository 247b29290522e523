/**
 * The refusals for errors of ClickHouse, chosen by error number alone. Error messages quote rows and statements, and are
 * dropped here.
 * @module
 */
import { Refusal } from "../../refusal.js";
import { ConnectionLost, CountFailed, refuseNetwork } from "../server-retry.js";

const SERVER = "the ClickHouse server";

const refused = () =>
  new Refusal("server-refused", "The ClickHouse server refused the name or the password.");
const forbidden = () =>
  new Refusal("server-refused", "The ClickHouse account may not read this table or column.");
const noTable = () => new Refusal("unknown-table", "The ClickHouse server has no such table.");
const noDatabase = () =>
  new Refusal("server-refused", "The ClickHouse server has no database with that name.");
const badQuery = () => new Refusal("bad-query", "ClickHouse cannot parse the query.");
const writes = () =>
  new Refusal(
    "bad-query",
    "The query does more than read tables, so ClickHouse refused it; nothing was changed.",
  );
const overTime = () => new Refusal("source-limit", "ClickHouse stopped the count at its time limit.");
const overMemory = () => new Refusal("source-limit", "ClickHouse stopped the count at its memory limit.");
const overLimit = () => new Refusal("source-limit", "The count exceeds a limit of ClickHouse.");
const shardDown = () =>
  new Refusal(
    "server-failed",
    "A shard of the ClickHouse cluster doesn't answer, and counts without it would be wrong.",
  );

const BY_NUMBER: Readonly<Record<string, () => Refusal>> = {
  "516": refused,
  "192": refused,
  "193": refused,
  "194": refused,
  "195": refused, // from this address
  "497": forbidden,
  "291": forbidden,
  "60": noTable,
  "81": noDatabase,
  "62": badQuery,
  "47": badQuery,
  "46": badQuery, // an unknown function
  "48": badQuery,
  "43": badQuery, // a function for other types
  "164": writes,
  "159": overTime,
  "160": overTime,
  "241": overMemory,
  "158": overLimit,
  "307": overLimit,
  "396": overLimit,
  "202": overLimit, // of simultaneous queries
  "279": shardDown,
  "209": shardDown,
  "210": shardDown,
  "519": shardDown,
};

export function refuseClickhouse(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const code = codeOf(error);
  if (code === undefined) return new ConnectionLost(SERVER);
  if (/^\d+$/.test(code))
    return BY_NUMBER[code]?.() ?? new CountFailed("server-failed", "ClickHouse could not finish the count.");
  return refuseNetwork(code, "ClickHouse") ?? new ConnectionLost(SERVER);
}

/** The number or code of an error; the client doesn't parse the numbers of old servers, which start the message. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return "code" in error ? String(error.code) : /^Code: (\d+)/.exec(error.message)?.[1];
}

/** The stream of rows turned into something else: an error whose message is not read. */
export function brokenStream(): Refusal {
  return new CountFailed("server-failed", "ClickHouse stopped while sending the counts.");
}
