/**
 * How to reach a ClickHouse server over HTTP: from the URL, else from CLICKHOUSE_USER, CLICKHOUSE_PASSWORD and
 * CLICKHOUSE_DATABASE, else from the file of the server's own client. TLS with a verified certificate is used
 * unless the server is on this machine or `secure=false` says otherwise.
 * @module
 */
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { NodeClickHouseClientConfigOptions } from "@clickhouse/client/dist/config.js";
import { Refusal } from "../../refusal.js";
import { isLoopback, readAddress, readCertificateFile } from "../server-address.js";
import { locationScheme } from "../source.js";

const PARAMETERS = ["secure", "ca", "cert", "key"];
/** The client limits the time without a byte, which a long count needs; our limit is for the whole request. */
const NO_LIMIT = 2 ** 31 - 1;

type Words = Readonly<Record<string, string | undefined>>;

export function readClickhouseAddress(
  location: string,
  environment: Words = process.env,
): NodeClickHouseClientConfigOptions {
  const {
    host = "localhost",
    port,
    user,
    password,
    database,
    parameters,
  } = readAddress(location, PARAMETERS);
  const secure = readSecure(locationScheme(location) === "clickhouses", host, parameters.secure);
  const file = readClientFile();
  return {
    url: `${secure ? "https" : "http"}://${host}:${port ?? (secure ? 8443 : 8123)}`,
    username: user ?? environment.CLICKHOUSE_USER ?? file.user ?? "default",
    password: password ?? environment.CLICKHOUSE_PASSWORD ?? file.password ?? "",
    database: database ?? environment.CLICKHOUSE_DATABASE ?? "default",
    application: "winnow",
    request_timeout: NO_LIMIT,
    keep_alive: { enabled: false },
    ...(secure && tlsFiles(parameters)),
  };
}

function readSecure(isSecureScheme: boolean, host: string, asked: string | undefined): boolean {
  if (asked === undefined) return isSecureScheme || !isLoopback(host);
  if (asked === "true" || (asked === "false" && !isSecureScheme)) return asked === "true";
  throw new Refusal("usage", "secure must be true, or false with the scheme clickhouse://.");
}

function tlsFiles({ ca, cert, key }: Words): Pick<NodeClickHouseClientConfigOptions, "tls"> {
  const ca_cert = readCertificateFile("ca", ca);
  const own = readCertificateFile("cert", cert);
  const ownKey = readCertificateFile("key", key);
  if (own === undefined && ownKey === undefined) return ca_cert === undefined ? {} : { tls: { ca_cert } };
  if (ca_cert === undefined || own === undefined || ownKey === undefined)
    throw new Refusal("usage", "A client certificate needs cert, key and ca together.");
  return { tls: { ca_cert, cert: own, key: ownKey } };
}

/** Name and password of `clickhouse-client`. */
function readClientFile(): { user?: string; password?: string } {
  const path = join(homedir(), ".clickhouse-client", "config.xml");
  if (!existsSync(path)) return {};
  const text = readFileSync(path, "utf8");
  const field = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1];
  const [user, password] = [field("user"), field("password")];
  return { ...(user !== undefined && { user }), ...(password !== undefined && { password }) };
}
