/**
 * The address of a server: a URL with parameters that we know. What it says is never shown in an error, since a password may
 * be in it.
 * @module
 */
import { Refusal } from "../refusal.js";

export interface ServerAddress {
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  readonly parameters: Readonly<Record<string, string>>;
}

export function readAddress(location: string, known: readonly string[]): ServerAddress {
  const { hostname, port, username, password, pathname, searchParams } = parse(location);
  const parameters = Object.fromEntries(searchParams);
  // Not by its name: behind a question mark that was not percent-encoded stands a part of the password.
  if (!Object.keys(parameters).every((name) => known.includes(name)))
    throw new Refusal(
      "usage",
      `The server's address has a parameter that is none of ${known.join(", ")}, or a special character that is not percent-encoded.`,
    );
  return {
    host: given(hostname),
    port: port === "" ? undefined : Number(port),
    user: given(decode(username)),
    password: given(decode(password)),
    database: given(decode(pathname.slice(1))),
    parameters,
  };
}

function parse(location: string): URL {
  try {
    return new URL(location);
  } catch {
    throw malformed();
  }
}

function decode(part: string): string {
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

function given(text: string): string | undefined {
  return text === "" ? undefined : text;
}
