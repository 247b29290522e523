/**
 * How to reach a PostgreSQL server: from the URL, else from the usual variables (PGHOST, PGUSER, PGPASSWORD …),
 * service and password files. Certificates are verified whenever TLS is used, and TLS is used unless the server is
 * on this machine or `sslmode=disable` says otherwise. This is stricter than the server's own client, whose
 * default falls back to plain text.
 *
 * And the refusals for its errors, while connecting and afterwards, chosen by error code alone. Error messages quote rows
 * and statements, and are dropped here.
 * @module
 */

import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { ClientConfig } from "pg";
import { Refusal } from "winnow-release";
import { ConnectionLost, isLoopback, readAddress, readCertificateFile } from "../server-connection.js";

const PARAMETERS = ["host", "service", "sslmode", "sslrootcert", "sslcert", "sslkey"];
const MODES = ["disable", "require", "verify-ca", "verify-full"];
/** In milliseconds. */
const LONGEST_CONNECT = 10_000;

type Words = Readonly<Record<string, string | undefined>>;

export function readPostgresAddress(location: string, environment: Words = process.env): ClientConfig {
  const address = readAddress(location, PARAMETERS);
  const { parameters } = address;
  const service = readService(parameters.service ?? environment.PGSERVICE, environment);
  const host = parameters.host ?? address.host ?? service.host ?? environment.PGHOST ?? "localhost";
  return {
    host: host.replace(/^\[(.*)\]$/, "$1"),
    port: address.port ?? (Number(service.port ?? environment.PGPORT) || 5432),
    user: address.user ?? service.user ?? environment.PGUSER,
    // Without a password the client reads the password file.
    password: address.password ?? service.password ?? environment.PGPASSWORD,
    database: address.database ?? service.dbname ?? environment.PGDATABASE,
    ssl: readTls(host, { ...environmentTls(environment), ...service, ...parameters }),
    application_name: "winnow",
    keepAlive: true,
    connectionTimeoutMillis: LONGEST_CONNECT,
  };
}

function environmentTls({ PGSSLMODE, PGSSLROOTCERT, PGSSLCERT, PGSSLKEY }: Words): Words {
  return { sslmode: PGSSLMODE, sslrootcert: PGSSLROOTCERT, sslcert: PGSSLCERT, sslkey: PGSSLKEY };
}

function readTls(host: string, { sslmode, sslrootcert, sslcert, sslkey }: Words): ClientConfig["ssl"] {
  const mode = sslmode ?? (isLoopback(host) ? "disable" : "verify-full");
  if (!MODES.includes(mode))
    throw new Refusal(
      "usage",
      `sslmode must be one of ${MODES.join(", ")}; Winnow never falls back to plain text.`,
    );
  if (mode === "disable") return false;
  return {
    rejectUnauthorized: true,
    ca: readCertificateFile("sslrootcert", sslrootcert),
    cert: readCertificateFile("sslcert", sslcert),
    key: readCertificateFile("sslkey", sslkey),
    // Every mode verifies the chain; this one skips the name.
    ...(mode === "verify-ca" && { checkServerIdentity: () => undefined }),
  };
}

/** A section of the connection service file. */
function readService(name: string | undefined, { PGSERVICEFILE }: Words): Words {
  if (name === undefined) return {};
  const path = PGSERVICEFILE ?? join(homedir(), ".pg_service.conf");
  const lines = existsSync(path) ? readFileSync(path, "utf8").split(/\r?\n/) : [];
  const start = lines.findIndex((line) => line.trim() === `[${name}]`);
  if (start < 0)
    throw new Refusal("usage", `The connection service file has no section ${JSON.stringify(`[${name}]`)}.`);
  const length = lines.slice(start + 1).findIndex((line) => line.trim().startsWith("["));
  const section = lines.slice(start + 1, length < 0 ? undefined : start + 1 + length);
  const pairs = section.map((line) => /^\s*(\w+)\s*=(.*)$/.exec(line)).filter((match) => match !== null);
  return Object.fromEntries(pairs.map(([, key, value]) => [key, value.trim()]));
}

const SERVER = "the PostgreSQL server";

/** By SQLSTATE, or by its class, the first two characters. */
const BY_STATE: Readonly<Record<string, () => Refusal>> = {
  "28": () => new Refusal("server-refused", "The PostgreSQL server refused the name or the password."),
  "3D": () => new Refusal("server-refused", "The PostgreSQL server has no database with that name."),
  "42501": () => new Refusal("server-refused", "The PostgreSQL account may not read this table or column."),
  "42P01": () => new Refusal("unknown-table", "The PostgreSQL server has no such table."),
  "3F": () => new Refusal("unknown-table", "The PostgreSQL server has no such schema."),
  "25": () =>
    new Refusal("bad-query", "The query writes, but the session may only read; nothing was changed."),
  "42": () => new Refusal("bad-query", "PostgreSQL cannot parse the query."),
  "0A": () => new Refusal("bad-query", "PostgreSQL doesn't support this query."),
  "57014": () => new Refusal("source-limit", "PostgreSQL stopped the count at its time limit."),
  "25P03": () => new Refusal("source-limit", "PostgreSQL ended the session because it seemed idle."),
  "53": () => new Refusal("source-limit", "PostgreSQL ran out of memory, disk or connections."),
  "54": () => new Refusal("source-limit", "The count exceeds a limit of PostgreSQL."),
  "57P": () => new ConnectionLost(SERVER),
  "08": () => new ConnectionLost(SERVER),
};

/** No connection was made. */
const UNREACHABLE = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
]);
/** The server answers, but we don't trust its certificate. */
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/;

/** While connecting: an error that isn't from the server means that there is no server. */
export function refuseConnection(error: unknown): Refusal {
  const code = codeOf(error);
  if (isState(code)) return fromState(code);
  if (code !== undefined && UNTRUSTED.test(code))
    return new Refusal(
      "server-refused",
      "The PostgreSQL server's certificate is not trusted; pass its authority with sslrootcert.",
    );
  if (code === undefined || UNREACHABLE.has(code) || code === "ETIMEDOUT")
    return new Refusal(
      "server-unreachable",
      "The PostgreSQL server can't be reached, or doesn't support TLS.",
    );
  return new ConnectionLost(SERVER);
}

/** After connecting: an error that isn't from the server means that the connection broke. */
export function refuseQuery(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const code = codeOf(error);
  return isState(code) ? fromState(code) : new ConnectionLost(SERVER);
}

function fromState(state: string): Refusal {
  const known = BY_STATE[state] ?? BY_STATE[state.slice(0, 3)] ?? BY_STATE[state.slice(0, 2)];
  return known?.() ?? new Refusal("server-failed", "PostgreSQL could not finish the count.");
}

function isState(code: string | undefined): code is string {
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith("E");
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}
