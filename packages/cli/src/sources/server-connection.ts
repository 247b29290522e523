/**
 * Connections to servers, whatever their engine: the address, and what happens when a connection breaks.
 *
 * The address is a URL with known parameters. Errors never show any of it, because it may contain a password. Connections
 * are always encrypted, with a verified certificate, unless the server is on this machine or plain text was asked for by
 * name. Nothing falls back to plain text by itself.
 *
 * Before anything is charged, a run may start again from its first row, with new noise, because no one has seen anything of
 * the first attempt. Only a lost connection is retried; a server would refuse the same request again.
 * @module
 */

import { readFileSync } from "node:fs";
import { isIPv4 } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { Refusal } from "winnow-release";

interface ServerAddress {
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  readonly parameters: Readonly<Record<string, string>>;
}

export function readAddress(location: string, known: readonly string[]): ServerAddress {
  const { hostname, port, username, password, pathname, searchParams } = parseUrl(location);
  const parameters = Object.fromEntries(searchParams);
  // Don't show its name: after a question mark that wasn't percent-encoded it may be part of the password.
  if (!Object.keys(parameters).every((name) => known.includes(name)))
    throw new Refusal(
      "usage",
      `The parameters of the server's address must be among ${known.join(", ")}, and special characters must be percent-encoded.`,
    );
  return {
    host: unlessEmpty(hostname),
    port: port === "" ? undefined : Number(port),
    user: unlessEmpty(percentDecoded(username)),
    password: unlessEmpty(percentDecoded(password)),
    database: unlessEmpty(percentDecoded(pathname.slice(1))),
    parameters,
  };
}

function parseUrl(location: string): URL {
  try {
    return new URL(location);
  } catch {
    throw malformed();
  }
}

function percentDecoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw malformed();
  }
}

function malformed(): Refusal {
  return new Refusal(
    "usage",
    "The server's address must be a URL such as scheme://user@host:port/database, with special characters percent-encoded.",
  );
}

function unlessEmpty(text: string): string | undefined {
  return text === "" ? undefined : text;
}

/** By name, by address (not a name that starts like one), or by the path of a socket. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, "$1");
  return (
    name === "localhost" ||
    name === "::1" ||
    (isIPv4(name) && name.startsWith("127.")) ||
    name.startsWith("/")
  );
}

/** The bytes of the certificate or key file that an option names. */
export function readCertificateFile(option: string, path: string | undefined): Buffer | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path);
  } catch {
    throw new Refusal("no-permission", `The file of ${option}, ${JSON.stringify(path)}, can't be read.`);
  }
}

/** A connection that broke after it was made. */
export class ConnectionLost extends Refusal {
  constructor(server: string) {
    super("server-failed", `The connection to ${server} broke before the count was complete.`);
  }
}

/** The wait before each new attempt, in milliseconds: enough for a server to restart or fail over. */
const PAUSES = [250, 1000, 4000];

/** Runs `attempt`, and again from the start if the connection breaks; the last failure is passed on. */
export async function retryLostConnections<T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const mayRetry = lostConnections(signal);
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(await mayRetry(error))) throw error;
    }
  }
}

/** Whether to start again after an error, answered after a pause: a few times, and only once a connection has broken. */
export function lostConnections(signal?: AbortSignal): (error: unknown) => Promise<boolean> {
  const pauses = [...PAUSES];
  let isLost = false;
  return async (error) => {
    isLost ||= error instanceof ConnectionLost;
    const milliseconds = pauses.shift();
    if (milliseconds === undefined || !isLost || !mayComeBack(error) || signal?.aborted === true)
      return false;
    await pause(milliseconds, undefined, { signal });
    return true;
  };
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
