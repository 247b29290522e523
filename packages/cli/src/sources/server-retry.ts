/**
 * Broken connections. Before anything is charged, a run may start again from its first row, with new noise, because no one has
 * seen anything of the first attempt. Only a lost connection is retried; a server would refuse the same request again.
 * @module
 */
import { setTimeout as pause } from "node:timers/promises";
import { Refusal } from "../refusal.js";

/** The engine failed on the rows: a query's computation may fail for some rows and not for others. */
export class CountFailed extends Refusal {}

/** A connection that broke after it was made. A query can end its own session, at every attempt. */
export class ConnectionLost extends CountFailed {
  constructor(server: string) {
    super("server-failed", `The connection to ${server} broke before the count was complete.`);
  }
}

/** The wait before each new attempt, in milliseconds: enough for a server to restart or fail over. */
const PAUSES = [250, 1000, 4000];

/** Runs `attempt`, and again from the start if the connection breaks; the last failure is passed on. */
export async function retryLostConnections<T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  let isLost = false;
  for (const milliseconds of PAUSES) {
    try {
      return await attempt();
    } catch (error) {
      isLost ||= error instanceof ConnectionLost;
      if (!isLost || !mayComeBack(error) || signal?.aborted === true) throw error;
      await pause(milliseconds, undefined, { signal });
    }
  }
  return attempt();
}

/** A restarting server is unreachable for a while. */
function mayComeBack(error: unknown): boolean {
  return error instanceof Refusal && (error instanceof ConnectionLost || error.code === "server-unreachable");
}

const UNREACHABLE = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
]);
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/;
/** OpenSSL's code for an answer that isn't TLS, and Node's for one that isn't HTTP. */
const OTHER_PROTOCOL = /^(EPROTO|HPE_|ERR_SSL_)/;

/** Why a server over HTTP could not be talked to, by Node's code for it; undefined if a connection broke. */
export function refuseNetwork(code: string, server: string): Refusal | undefined {
  if (UNTRUSTED.test(code))
    return new Refusal(
      "server-refused",
      `The ${server} server's certificate is not trusted; pass its authority with ca.`,
    );
  if (UNREACHABLE.has(code))
    return new Refusal("server-unreachable", `The ${server} server can't be reached.`);
  if (OTHER_PROTOCOL.test(code))
    return new Refusal(
      "server-unreachable",
      `The answer isn't from a ${server} server over HTTP, or not over TLS as requested.`,
    );
  return undefined;
}
