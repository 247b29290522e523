/**
 * How to reach a ClickHouse server over HTTP: from the URL, else from CLICKHOUSE_USER, CLICKHOUSE_PASSWORD and
 * CLICKHOUSE_DATABASE, else from the file of the server's own client. TLS with a verified certificate is used
 * unless the server is on this machine or `secure=false` says otherwise.
 *
 * And the settings under which it counts exactly or fails. An account's profile may allow partial results when a
 * limit is hit, leave out shards that are down, return each shard's counts unmerged, or write values in another
 * way. The settings are sent with each query. If an account's settings are fixed, they are compared, and refused
 * if a count under them could differ.
 * @module
 */

import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { NodeClickHouseClientConfigOptions } from "@clickhouse/client/dist/config.js";
import { Refusal } from "winnow-release";
import { isLoopback, readAddress, readCertificateFile } from "../server-connection.js";
import { locationScheme, type SourceOptions } from "../source.js";

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

export type Settings = Record<string, string | number>;

/** Those of these settings that the server knows must have these values. */
const EXACT: Settings = {
  read_overflow_mode: "throw",
  read_overflow_mode_leaf: "throw",
  group_by_overflow_mode: "throw",
  sort_overflow_mode: "throw",
  result_overflow_mode: "throw",
  timeout_overflow_mode: "throw",
  timeout_overflow_mode_leaf: "throw",
  set_overflow_mode: "throw",
  join_overflow_mode: "throw",
  transfer_overflow_mode: "throw",
  distinct_overflow_mode: "throw",
  skip_unavailable_shards: 0,
  distributed_group_by_no_merge: 0,
  optimize_distributed_group_by_sharding_key: 0, // exact only if the sharding key places the rows
  partial_result_on_first_cancel: 0,
  parallel_replicas_count: 0, // reads only part of the rows
  parallel_replica_offset: 0,
  use_query_cache: 0, // may be outdated
  additional_result_filter: "",
  join_use_nulls: 0,
  aggregate_functions_null_for_empty: 0,
  extremes: 0,
  limit: 0,
  offset: 0,
  bool_true_representation: "true",
  bool_false_representation: "false",
  date_time_output_format: "simple",
  output_format_decimal_trailing_zeros: 0,
  output_format_tsv_crlf_end_of_line: 0,
};

/** Makes an abandoned request end its query. */
const CANCEL = "cancel_http_readonly_queries_on_client_close";

/** The statement that asks for the names and values of the settings that matter. */
export const ASK_SETTINGS = `SELECT name, value FROM system.settings WHERE name IN (${[...Object.keys(EXACT), CANCEL, "readonly", "max_query_size"].map((name) => `'${name}'`).join(", ")})`;

/** The settings to send with each query to a server with these settings. */
export function settingsFor(current: ReadonlyMap<string, string>, limits: SourceOptions): Settings {
  const different = Object.entries(EXACT).filter(
    ([name, value]) => current.has(name) && current.get(name) !== String(value),
  );
  if (current.get("readonly") === "1") {
    if (different.length === 0) return {};
    throw new Refusal(
      "server-refused",
      "The ClickHouse account's fixed settings allow incomplete counts, or change how values are written.",
    );
  }
  return {
    ...(current.get("readonly") === "0" && { readonly: 1 }),
    ...Object.fromEntries(different),
    ...(current.has(CANCEL) && { [CANCEL]: 1 }),
    ...limitsOf(limits),
  };
}

function limitsOf({ timeLimit, memoryLimit }: SourceOptions): Settings {
  return {
    ...(timeLimit !== undefined && { max_execution_time: Math.ceil(timeLimit / 1000) }),
    ...(memoryLimit !== undefined && {
      max_memory_usage: Math.floor(memoryLimit),
      max_bytes_before_external_group_by: Math.floor(memoryLimit / 2),
      max_bytes_before_external_sort: Math.floor(memoryLimit / 2),
    }),
  };
}
