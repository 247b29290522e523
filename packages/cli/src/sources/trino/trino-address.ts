/**
 * How to reach a Trino server: from the URL `trino://user@host:port/catalog/schema`, else from TRINO_USER, TRINO_PASSWORD and
 * TRINO_TOKEN. TLS with a verified certificate is used unless the server is on this machine or `secure=false` says otherwise.
 * A password or a token never goes over a plain connection to another machine.
 * @module
 */

import { readFileSync } from "node:fs";
import { Refusal } from "winnow-release";
import { isLoopback, readAddress, readCertificateFile } from "../server-connection.js";
import { locationScheme, type SourceOptions } from "../source.js";

const PARAMETERS = ["secure", "ca", "cert", "key", "token-file", "session"];

type Words = Readonly<Record<string, string | undefined>>;

export interface TrinoAddress {
  readonly isSecure: boolean;
  readonly host: string;
  readonly port: number;
  /** Who asks, where, and under which settings: sent with each statement. */
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: { readonly ca?: Buffer; readonly cert?: Buffer; readonly key?: Buffer };
}

export function readTrinoAddress(
  location: string,
  limits: SourceOptions,
  environment: Words = process.env,
): TrinoAddress {
  const address = readAddress(location, PARAMETERS);
  const { host = "localhost", parameters } = address;
  const isSecure = readSecure(locationScheme(location) === "trinos", host, parameters.secure);
  const user = address.user ?? environment.TRINO_USER;
  if (user === undefined)
    throw new Refusal(
      "usage",
      "The address of a Trino server needs a user: trino://user@host/catalog/schema.",
    );
  const [catalog, schema, ...rest] = (address.database ?? "").split("/");
  if (rest.length > 0)
    throw new Refusal("usage", "The path of a Trino server's address must be /catalog or /catalog/schema.");
  const authorization = readAuthorization(user, address.password, parameters, environment);
  if (authorization !== undefined && !isSecure && !isLoopback(host))
    throw new Refusal("usage", "A password or token for Trino needs TLS: leave out secure=false.");
  const session = { ...readSession(parameters.session), ...limitsOf(limits) };
  const headers = {
    "X-Trino-User": user,
    "X-Trino-Source": "winnow",
    "X-Trino-Time-Zone": "UTC",
    ...(catalog && { "X-Trino-Catalog": catalog }),
    ...(schema && { "X-Trino-Schema": schema }),
    ...(Object.keys(session).length > 0 && { "X-Trino-Session": sessionHeader(session) }),
    ...(authorization !== undefined && { Authorization: authorization }),
  };
  if (Object.values(headers).some((value) => !/^[\x20-\x7e]*$/.test(value)))
    throw new Refusal("usage", "Names in the address of a Trino server must be plain ASCII.");
  return {
    isSecure,
    host: host.replace(/^\[(.*)\]$/, "$1"),
    port: address.port ?? (isSecure ? 8443 : 8080),
    headers,
    tls: isSecure ? tlsFiles(parameters) : {},
  };
}

function readSecure(isSecureScheme: boolean, host: string, asked: string | undefined): boolean {
  if (asked === undefined) return isSecureScheme || !isLoopback(host);
  if (asked === "true" || (asked === "false" && !isSecureScheme)) return asked === "true";
  throw new Refusal("usage", "secure must be true, or false with the scheme trino://.");
}

/** A name and password, or a token such as a JWT. */
function readAuthorization(
  user: string,
  given: string | undefined,
  parameters: Words,
  environment: Words,
): string | undefined {
  const token = readToken(parameters["token-file"]) ?? environment.TRINO_TOKEN;
  if (given !== undefined && token !== undefined)
    throw new Refusal("usage", "Trino takes a password or a token, not both.");
  if (token !== undefined) return `Bearer ${token}`;
  const password = given ?? environment.TRINO_PASSWORD;
  return password === undefined
    ? undefined
    : `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

function readToken(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    throw new Refusal("no-permission", `The file of token-file, ${JSON.stringify(path)}, cannot be read.`);
  }
}

function tlsFiles({ ca, cert, key }: Words): TrinoAddress["tls"] {
  const files = {
    ca: readCertificateFile("ca", ca),
    cert: readCertificateFile("cert", cert),
    key: readCertificateFile("key", key),
  };
  if ((files.cert === undefined) !== (files.key === undefined))
    throw new Refusal("usage", "A client certificate needs cert and key together.");
  return Object.fromEntries(Object.entries(files).filter(([, file]) => file !== undefined));
}

/** `name:value,name:value`, session properties of the server or of a catalog. */
function readSession(text: string | undefined): Record<string, string> {
  if (text === undefined) return {};
  const properties = text.split(",").map((each) => /^([a-z]\w*(?:\.\w+)?):(.+)$/i.exec(each)?.slice(1));
  if (properties.some((property) => property === undefined))
    throw new Refusal("usage", "session must be name:value, several of them separated by commas.");
  return Object.fromEntries(properties as [string, string][]);
}

/** The engine's own limits; ours ends the statement too. */
function limitsOf({ timeLimit, memoryLimit }: SourceOptions): Record<string, string> {
  return {
    ...(timeLimit !== undefined && { query_max_run_time: `${Math.ceil(timeLimit)}ms` }),
    ...(memoryLimit !== undefined && { query_max_memory: `${Math.floor(memoryLimit)}B` }),
  };
}

function sessionHeader(session: Readonly<Record<string, string>>): string {
  return Object.entries(session)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join(",");
}
