/**
 * What the service needs from this machine: the ledger, public lists and twins, and the rows of each data set, read by the same
 * code as one release of the command line. Paths in the configuration are relative to its folder.
 * @module
 */
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import {
  allConditions,
  columnsOf,
  type Domain,
  guardChargedInputs,
  Refusal,
  readPredicate,
  readStrictJson,
} from "winnow-release";
import type { Config, DatasetConfig, DatasetRows, Host, PublicLists } from "winnow-server";
import { pageFolder, readBuiltPage } from "../built-page.js";
import { othersMayWrite } from "../ledger/ledger-file.js";
import { openLedger } from "../ledger/open-ledger.js";
import { readDomain, readPublicFile } from "../public-files.js";
import { fileRefusal } from "../refusal.js";
import { markOf } from "../release/dataset-name.js";
import { readGroups } from "../release/groups.js";
import { guardFiles } from "../release/public-inputs.js";
import { type Columns, checkRoles, columnsIn } from "../release/roles.js";
import { publicCounts, Rows, twinCandidates } from "../release/rows.js";
import { recordedDialect, trustNotes } from "../release/run.js";
import { boundFor, groupedRows, panelFor } from "../release/wanted.js";
import { tell } from "../render/terminal.js";
import { readPublicTable } from "../sources/open-source.js";
import { locationScheme, type SourceOptions } from "../sources/source.js";
import { SOFTWARE } from "../this-package.js";

const FILE = "The configuration of the service";

/** The parsed file. */
export async function readServiceFile(path: string): Promise<unknown> {
  const text = await readPublicFile(FILE, path);
  if (othersMayWrite(path))
    tell(
      `Other accounts can write the configuration ${JSON.stringify(path)}, and so give themselves keys and caps: restrict it to yours (chmod go-w).`,
    );
  let read: ReturnType<typeof readStrictJson>;
  try {
    read = readStrictJson(text);
  } catch {
    throw new Refusal("usage", `${FILE} ${JSON.stringify(path)} must be JSON.`);
  }
  if (read.fault !== undefined) throw new Refusal("usage", read.fault);
  return read.value;
}

/** The operator's certificate, if there is one. */
export async function readTls({ listen: { tls } }: Config, path: string) {
  if (tls === undefined) return undefined;
  const read = (file: string) =>
    readFile(resolve(dirname(path), file), "utf8").catch((error: unknown) => {
      throw fileRefusal("The TLS file", file, error);
    });
  return { key: await read(tls.key), cert: await read(tls.certificate) };
}

export function machineHost(path: string, { ledger }: Config): Host {
  const folder = dirname(path);
  /** A file is found from the folder of the configuration; an address stays as it is. */
  const located = (location: string) =>
    locationScheme(location) === undefined ? resolve(folder, location) : location;

  return {
    software: SOFTWARE,
    openLedger: (location, watch) => openLedger(located(location), { ...watch, isServed: true }),

    readPage: () => readBuiltPage(pageFolder("analyst-page")),

    async guardInputs(dataset, opened) {
      const { domain, groups, public: twin, source } = dataset;
      const list = domain.kind === "list" ? domain.file : undefined;
      const given = {
        "domain.file": list && located(list),
        "groups.file": groups && located(groups.file),
        public: twin && located(twin),
      };
      const sources = await new Rows(located(source), sourceOptions(dataset)).files();
      const inputs = await guardFiles(given, { sources, ledger: located(ledger), config: path });
      return guardChargedInputs(inputs, opened);
    },

    async markOf(dataset, opened) {
      const [location, options] = [located(dataset.source), sourceOptions(dataset)];
      return markOf(opened, { location, files: await new Rows(location, options).files() }, options);
    },

    async readList(dataset) {
      const { domain, source } = dataset;
      if (domain.kind !== "list") return [];
      if (domain.table !== undefined)
        return readPublicTable(
          source,
          { table: domain.table, column: domain.column },
          sourceOptions(dataset),
          undefined,
        );
      const file = located(domain.file ?? "");
      return readDomain(file, domain.column);
    },

    async readGroups({ groups }) {
      return groups === undefined ? [] : readGroups(located(groups.file), groups.by);
    },

    async readTwin(dataset, list) {
      const file = located(dataset.public ?? "");
      const { item, user, maxItemsPerUser } = dataset;
      const candidates = twinCandidates(domainOf(dataset, list), list);
      const options = { ...sourceOptions(dataset), ...conditionOf(dataset) };
      return publicCounts(file, options, { item, user }, candidates, maxItemsPerUser);
    },

    async openRows(dataset, lists, signal) {
      const options = sourceOptions(dataset);
      const rows = new Rows(located(dataset.source), options);
      try {
        return await countable(rows, dataset, lists, signal);
      } catch (error) {
        await rows.close();
        throw error;
      }
    },
  };
}

async function countable(
  rows: Rows,
  dataset: DatasetConfig,
  { items, groups: listed }: PublicLists,
  opening: AbortSignal,
): Promise<DatasetRows> {
  const source = await rows.open(opening);
  const { item, user, domain, groups } = dataset;
  const columns = columnsIn(source);
  checkRoles(columns, { item, user }, domain.kind === "grid" ? "--column" : "--item", groups?.by);
  checkConditions(columns, dataset);
  const table =
    domain.kind === "list" && domain.table !== undefined
      ? { table: domain.table, column: domain.column }
      : undefined;
  return {
    source: { item, user, dialect: recordedDialect(source.dialect, dataset) },
    notes: trustNotes(source.dialect, dataset),
    async *count(wanted, { maxItemsPerUser, where, about, signal }) {
      const candidates = wanted.kind === "listed" ? { kind: "listed" as const, items, table } : wanted;
      // A row may break the connection, and the pauses of more attempts would show that.
      const asked = { item, user, candidates, where, panel: panelFor(about), signal };
      if (groups !== undefined)
        yield* groupedRows(source, { groups, maxItemsPerUser }, { ...asked, listed, items }).counts();
      else yield* source.histogram({ ...asked, bound: boundFor({ maxItemsPerUser }) });
    },
    close: () => rows.close(),
  };
}

/** The columns of conditions are there, before anyone asks: they are public, as the configuration is. */
function checkConditions({ names }: Columns, { where, types, time, allow }: DatasetConfig): void {
  const own = where === undefined ? [] : columnsOf(readPredicate(where, types));
  const missing = Object.entries({ where: own, "allow.where": allow.where ?? [], time: time ?? [] })
    .flatMap(([field, columns]) => [columns].flat().map((column) => [field, column] as const))
    .find(([, column]) => names.length > 0 && !names.includes(column));
  if (missing !== undefined)
    throw new Refusal(
      "unknown-column",
      `The source has no column ${JSON.stringify(missing[1])} for ${missing[0]}.`,
    );
}

const MILLISECONDS = 1000;

/** The operator's condition, for a twin; the types as the command line takes them. */
function conditionOf({ where, types = {} }: DatasetConfig): Pick<SourceOptions, "where"> {
  return where === undefined ? {} : { where: allConditions([where], types) };
}

function sourceOptions({ timeLimit, ...dataset }: DatasetConfig): SourceOptions {
  const { format, table, query, trustQuery, delimiter, quote, header, multiline, memoryLimit } = dataset;
  const limit = timeLimit === undefined ? undefined : timeLimit * MILLISECONDS;
  return {
    format,
    table,
    query,
    trustQuery,
    delimiter,
    quote,
    header,
    multiline,
    memoryLimit,
    timeLimit: limit,
  };
}

/** As far as it says which items of a twin are counted. */
function domainOf({ domain }: DatasetConfig, list: readonly string[]): Domain {
  if (domain.kind === "list") return { kind: "listed", size: list.length, hash: "" };
  return domain.kind === "integers" ? domain : { kind: "unknown" };
}
