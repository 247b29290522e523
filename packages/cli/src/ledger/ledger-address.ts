/**
 * What `--ledger` names: a file, or a PostgreSQL server by its address. Sentences call a server by host, port and
 * database alone. An address whose parts can't be told apart for sure is refused without being shown, because a password
 * with a special character that isn't percent-encoded would be read as another part of it.
 * @module
 */
import type { ClientConfig } from "pg";
import { Refusal } from "../refusal.js";
import { readPostgresAddress } from "../sources/postgres/postgres-connection.js";
import { locationScheme } from "../sources/source.js";

/** In the working directory, unless --ledger names another. */
export const DEFAULT_LEDGER = "winnow.ledger";

/** Who may charge a ledger on a server, unless --role names another. */
export const DEFAULT_ROLE = "winnow_charger";

export interface LedgerAddress {
  /** Without account and password. */
  readonly name: string;
  readonly address: ClientConfig;
}

/** The address of a server; undefined for a file. */
export function readLedgerAddress(location: string): LedgerAddress | undefined {
  const scheme = locationScheme(location, "ledger");
  if (scheme === undefined) return undefined;
  if (scheme !== "postgres" && scheme !== "postgresql")
    throw new Refusal(
      "usage",
      `--ledger must be a file or the address of a PostgreSQL server; got the scheme ${scheme}://.`,
    );
  const address = readPostgresAddress(location);
  const { pathname, hash, password } = new URL(location);
  if (!/^(\/[^/@]*)?$/.test(pathname) || hash !== "")
    throw new Refusal(
      "usage",
      "The address of the ledger must be postgres://user@host:port/database, with special characters percent-encoded.",
    );
  // Other accounts can see the command line of a process, and this replaces it.
  if (password !== "") process.title = "winnow";
  const { host, port, database, user } = address;
  const place = port === DEFAULT_PORT ? host : `${host}:${port}`;
  return { name: `postgres://${place}/${database ?? user ?? ""}`, address };
}

const DEFAULT_PORT = 5432;

/** As sentences call it. */
export function ledgerName(location: string): string {
  return readLedgerAddress(location)?.name ?? location;
}
