/**
 * Opens the source at a location: a server by its scheme, otherwise files, standard input or a database file. Each
 * engine is loaded only when needed.
 *
 * A public table on the server that has the rows can be the list of candidates. Its names are read once, before
 * anything private, to state the question; the server then joins the counts against the table itself, so the list
 * is never sent.
 * @module
 */
import { mustBeButIs, Refusal } from "winnow-release";
import { retryLostConnections } from "./server-connection.js";
import { splitName } from "./server-source.js";
import { locationScheme, type PublicTable, type Source, type SourceOptions } from "./source.js";

export async function openSource(location: string, options: SourceOptions = {}): Promise<Source> {
  const scheme = locationScheme(location);
  if (options.trustQuery && options.query === undefined)
    throw new Refusal("usage", "--trust-query must go with --query.");
  switch (scheme) {
    case undefined:
      return (await import("./files/file-source.js")).openDuckdb(location, options);
    case "postgres":
    case "postgresql":
      return openServer((await import("./postgres/postgres-source.js")).openPostgres, location, options);
    case "clickhouse":
    case "clickhouses":
      return openServer(
        (await import("./clickhouse/clickhouse-source.js")).openClickhouse,
        location,
        options,
      );
    case "trino":
    case "trinos":
      return openServer((await import("./trino/trino-source.js")).openTrino, location, options);
    default:
      throw new Refusal(
        "usage",
        mustBeButIs(
          "The source",
          "a file, - for standard input, postgres://, clickhouse:// or trino://",
          `the scheme ${scheme}://`,
        ),
      );
  }
}

/** Reconnects if the connection breaks while the schema is read. */
function openServer(
  open: (location: string, options: SourceOptions) => Promise<Source>,
  location: string,
  options: SourceOptions,
): Promise<Source> {
  if (options.header === false)
    throw new Refusal("usage", mustBeButIs("With --no-header, the rows", "CSV or TSV", "a server"));
  if (options.numbers !== undefined && options.numbers !== "plain")
    throw new Refusal("usage", "--numbers must go with files; on a server, give the column a numeric type.");
  return retryLostConnections(() => open(location, options));
}

/** The names from an engine, in parts: each name once, none of them empty. */
type NameReader = (
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
    throw new Refusal("usage", `The public table ${JSON.stringify(listed.table)} has no candidates.`);
  return names;
}

async function readerFor(location: string): Promise<NameReader> {
  switch (locationScheme(location)) {
    case "postgres":
    case "postgresql":
      return (await import("./postgres/postgres-source.js")).readPostgresNames;
    case "clickhouse":
    case "clickhouses":
      return (await import("./clickhouse/clickhouse-source.js")).readClickhouseNames;
    case "trino":
    case "trinos":
      return (await import("./trino/trino-source.js")).readTrinoNames;
    default:
      throw new Refusal(
        "usage",
        "--domain-table needs a source on a server, postgres://, clickhouse:// or trino://. For files, pass the list as a file with --domain.",
      );
  }
}

/** Items that happen to be in private rows are private themselves. A table name without a schema may mean either table. */
function refusePrivateTable({ table }: PublicTable, { table: rows }: SourceOptions): void {
  if (rows === undefined) return;
  const [listed, counted] = [splitName(table, "--domain-table"), splitName(rows, "--table")].map((parts) =>
    parts.map((part) => part.toLowerCase()).reverse(),
  );
  const shared = Math.min(listed.length, counted.length);
  if (listed.slice(0, shared).join("\0") === counted.slice(0, shared).join("\0"))
    throw new Refusal(
      "not-public",
      "--domain-table must be a public table, not the one of --table, because items that happen to be in private rows are private.",
    );
}
