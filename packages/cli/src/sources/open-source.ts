/**
 * Opens what a location names: a server by its scheme, otherwise files, standard input or a database file. An engine is
 * loaded when it is needed.
 * @module
 */
import { Refusal } from "../refusal.js";
import { locationScheme } from "./location-scheme.js";
import { retryLostConnections } from "./server-retry.js";
import type { Source, SourceOptions } from "./source.js";

export async function openSource(location: string, options: SourceOptions = {}): Promise<Source> {
  const scheme = locationScheme(location);
  switch (scheme) {
    case undefined:
      return (await import("./duckdb/duckdb-source.js")).openDuckdb(location, options);
    case "postgres":
    case "postgresql":
      return openServer((await import("./postgres.js")).openPostgres, location, options);
    case "clickhouse":
    case "clickhouses":
      return openServer((await import("./clickhouse.js")).openClickhouse, location, options);
    default:
      throw new Refusal(
        "usage",
        `The source must be a file, - for standard input, postgres:// or clickhouse://; got the scheme ${scheme}://.`,
      );
  }
}

/** A connection that breaks while the schema is read is made again. */
function openServer(
  open: (location: string, options: SourceOptions) => Promise<Source>,
  location: string,
  options: SourceOptions,
): Promise<Source> {
  return retryLostConnections(() => open(location, options));
}
