/**
 * How to reach a PostgreSQL server: from the URL, else from the usual variables (PGHOST, PGUSER, PGPASSWORD …),
 * service and password files. Certificates are verified whenever TLS is used, and TLS is used unless the server is
 * on this machine or `sslmode=disable` says otherwise. This is stricter than the server's own client, whose
 * default falls back to plain text.
 * @module
 */
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { ClientConfig } from "pg";
import { Refusal } from "../../refusal.js";
import { isLoopback, readAddress, readCertificateFile } from "../server-address.js";

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
