/**
 * The name of a data set in the ledger, unless --dataset gives one: the name of the file without its folders, or the server
 * and database without account and password. Two files with the same name share an account, which is the safe side. Folders
 * stay out of releases because they reveal more about a machine than about the data.
 * @module
 */
import { realpathSync } from "node:fs";
import { basename } from "node:path";
import { Refusal } from "../refusal.js";
import { locationScheme } from "../sources/source.js";

const STANDARD_INPUT = "-";

export function datasetName(location: string, dataset: string | undefined): string {
  if (dataset !== undefined) {
    if (dataset.trim() === "") throw new Refusal("usage", "--dataset must be a name; got an empty one.");
    return dataset.trim();
  }
  if (location === STANDARD_INPUT)
    throw new Refusal("usage", "Rows from standard input have no name: pass one with --dataset.");
  return locationScheme(location) === undefined ? basename(resolved(location)) : serverName(location);
}

/** Follows links, so that a link doesn't get a second budget. A glob or a missing file keeps its name. */
function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** One name per database, however its address is written. */
function serverName(location: string): string {
  if (!URL.canParse(location))
    throw new Refusal("usage", "The address of the server must be a URL such as postgres://host/database.");
  const { protocol, hostname, port, pathname } = new URL(location);
  const scheme = SAME_SCHEME[protocol] ?? protocol;
  const place = port === "" || DEFAULT_PORTS[scheme]?.includes(port) ? "" : `:${port}`;
  // Catalogs and schemas of Trino have no case.
  const path = scheme === "trino:" ? pathname.toLowerCase() : pathname;
  return `${scheme}//${hostname.toLowerCase()}${place}${path.replace(/\/+$/, "")}`;
}

const SAME_SCHEME: Readonly<Record<string, string>> = {
  "postgresql:": "postgres:",
  "clickhouses:": "clickhouse:",
  "trinos:": "trino:",
};
const DEFAULT_PORTS: Readonly<Record<string, readonly string[]>> = {
  "postgres:": ["5432"],
  "clickhouse:": ["8123", "8443"],
  "trino:": ["8080", "8443"],
};
