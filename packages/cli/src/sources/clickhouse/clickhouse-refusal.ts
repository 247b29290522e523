/**
 * What went wrong with ClickHouse, told from the numbers of its errors alone. Their texts quote rows and
 * statements, and are dropped here.
 * @module
 */
import { Refusal } from "../../refusal.js";
import { ConnectionLost, CountFailed } from "../server-retry.js";

const SERVER = "the ClickHouse server";

const refused = () =>
  new Refusal("server-refused", "The ClickHouse server refused the name or the password.");
const forbidden = () =>
  new Refusal("server-refused", "The ClickHouse account may not read this table or column.");
const noTable = () => new Refusal("unknown-table", "The ClickHouse server has no such table.");
const noDatabase = () => new Refusal("server-refused", "The ClickHouse server has no database of that name.");
const badQuery = () => new Refusal("bad-query", "ClickHouse cannot read the query.");
const writes = () =>
  new Refusal(
    "bad-query",
    "What was asked of ClickHouse is more than reading tables; it was refused, and nothing was changed.",
  );
const overTime = () => new Refusal("source-limit", "ClickHouse stopped the count at its time limit.");
const overMemory = () => new Refusal("source-limit", "ClickHouse stopped the count at its memory limit.");
const overLimit = () => new Refusal("source-limit", "The count is beyond a limit of ClickHouse.");
const shardDown = () =>
  new Refusal(
    "server-failed",
    "A shard of the ClickHouse cluster does not answer, and counts without it would be wrong.",
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

const UNREACHABLE = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
]);
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/;
/** OpenSSL's word for an answer that is not TLS, and Node's for one that is not HTTP. */
const OTHER_PROTOCOL = /^(EPROTO|HPE_|ERR_SSL_)/;

export function refuseClickhouse(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const code = codeOf(error);
  if (code === undefined) return new ConnectionLost(SERVER);
  if (/^\d+$/.test(code))
    return BY_NUMBER[code]?.() ?? new CountFailed("server-failed", "ClickHouse could not finish the count.");
  if (UNTRUSTED.test(code))
    return new Refusal(
      "server-refused",
      "The ClickHouse server's certificate is not trusted; ca can name its authority.",
    );
  if (UNREACHABLE.has(code))
    return new Refusal("server-unreachable", "The ClickHouse server cannot be reached.");
  if (OTHER_PROTOCOL.test(code))
    return new Refusal(
      "server-unreachable",
      "What answers is no ClickHouse server over HTTP, or not over TLS as asked.",
    );
  return new ConnectionLost(SERVER);
}

/** The number or word of an error; old servers' numbers are not read by the client, and stand at the start of the text. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return "code" in error ? String(error.code) : /^Code: (\d+)/.exec(error.message)?.[1];
}

/** The stream of rows went over into something else: an error whose text is not looked at. */
export function brokenStream(): Refusal {
  return new CountFailed("server-failed", "ClickHouse broke off while the counts came in.");
}
