/**
 * The address of a server: a URL with known parameters. Errors never show any of it, because it may contain a
 * password.
 *
 * Connections are always encrypted, with a verified certificate, unless the server is on this machine or plain
 * text was asked for by name. Nothing falls back to plain text by itself.
 * @module
 */

import { readFileSync } from "node:fs";
import { isIPv4 } from "node:net";
import { Refusal } from "../refusal.js";

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
