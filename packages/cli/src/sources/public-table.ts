/**
 * A public table of the server that has the rows, as the list of candidates: its names are read once, before anything
 * private, to say what is asked; the server then joins the counts against the table itself, so the list is never sent.
 * @module
 */
import { Refusal } from "../refusal.js";
import { locationScheme } from "./location-scheme.js";
import { splitName } from "./server-relation.js";
import { retryLostConnections } from "./server-retry.js";
import type { PublicTable, SourceOptions } from "./source.js";

/** How the names come from an engine: in parts, each name once, none of them empty. */
export type NameReader = (
  location: string,
  listed: PublicTable,
  limits: SourceOptions,
  signal: AbortSignal | undefined,
) => AsyncIterable<readonly string[]>;

/** All names of the table. */
export async function readPublicTable(
  location: string,
  listed: PublicTable,
  options: SourceOptions,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  refusePrivateTable(listed, options);
  const read = await readerFor(location);
  const names = await retryLostConnections(async () => {
    const parts: (readonly string[])[] = [];
    for await (const part of read(location, listed, options, signal)) parts.push(part);
    return parts.flat();
  }, signal);
  if (names.length === 0)
    throw new Refusal("usage", `The public table ${JSON.stringify(listed.table)} has no candidate.`);
  return names;
}

async function readerFor(location: string): Promise<NameReader> {
  switch (locationScheme(location)) {
    case "postgres":
    case "postgresql":
      return (await import("./postgres.js")).readPostgresNames;
    case "clickhouse":
    case "clickhouses":
      return (await import("./clickhouse.js")).readClickhouseNames;
    default:
      throw new Refusal(
        "usage",
        "--domain-table needs a source on a server, postgres:// or clickhouse://. For files, pass the list as a file with --domain.",
      );
  }
}

/** The items that happen to be in private rows are private themselves. */
function refusePrivateTable({ table }: PublicTable, { table: rows }: SourceOptions): void {
  const partsOf = (name: string, option: string) => JSON.stringify(splitName(name, option));
  if (rows !== undefined && partsOf(table, "--domain-table") === partsOf(rows, "--table"))
    throw new Refusal(
      "usage",
      "--domain-table must be a public table, not the one of --table, because items that happen to be in private rows are private.",
    );
}
