/**
 * Opens a ledger: a file, or a PostgreSQL server by its address. A file that isn't a complete ledger of this version is
 * refused and left untouched; a missing one is created only on request. Reading needs no permission to write.
 *
 * Only `makeServerLedger` creates a ledger on a server: a release to a mistyped database must not start a second ledger
 * with a budget of its own. Sentences call a server by host, port and database alone. An address whose parts can't be told
 * apart for sure is refused without being shown, because a password with a special character that isn't percent-encoded
 * would be read as another part of it.
 * @module
 */
import { chmodSync, copyFileSync, existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientConfig } from "pg";
import { type Ledger, mustBeButIs, type PublishedRelease, Refusal, readStrictJson } from "winnow-release";
import { fileRefusal } from "../refusal.js";
import { tell } from "../render/terminal.js";
import { makePrivateFolder, removePrivateFolder } from "../sources/files/private-folder.js";
import { readPostgresAddress } from "../sources/postgres/postgres-connection.js";
import { locationScheme } from "../sources/source.js";
import { SOFTWARE } from "../this-package.js";
import { ledgerOver, openFileLedger, PATIENCE } from "./file-ledger.js";
import { createLedger } from "./ledger-file.js";
import { isLedgerText, readLedgerText } from "./ledger-text.js";
import type { MadeLedger } from "./postgres-schema.js";
import type { Session } from "./postgres-session.js";
import { Connection } from "./sqlite-connection.js";
import { ledgerRefusal } from "./sqlite-refusal.js";
import { SqliteStore } from "./sqlite-store.js";

/** Who may charge a ledger on a server, unless --role names another. */
export const DEFAULT_ROLE = "winnow_charger";

interface OpenLedgerOptions {
  /** Create an empty ledger if there is none. */
  readonly create?: boolean;
  /** The caller sets budgets, which only the owner of a ledger on a server may do. */
  readonly asOwner?: boolean;
  /** Read only: a ledger that can't be written, also because its disk is full, is copied to a private folder first. */
  readonly readOnly?: boolean;
  /** Charged by a process that runs for long, which replays the log. */
  readonly isServed?: boolean;
  /** A connection to a server replaced one that broke. */
  readonly onReconnect?: () => void;
  /** How long to wait for other runs, in milliseconds. */
  readonly patience?: number;
}

/** In a service others wait behind each operation; and how long a new connection and an answer of the server may take there. */
const SERVED = { patience: 3000, longestConnect: 3000, longestAnswer: 5000 };
/** Between attempts to reach a server, in milliseconds. */
const PAUSE = 100;

export async function openLedger(path: string, options: OpenLedgerOptions = {}): Promise<Ledger> {
  const ledger = await findLedger(path, options);
  if (ledger === undefined)
    throw new Refusal("missing-ledger", `There is no ledger at ${JSON.stringify(ledgerName(path))}.`);
  return ledger;
}

/** The ledger if there is one: for commands that only read, where a missing ledger is an empty one. */
export async function findLedger(path: string, options: OpenLedgerOptions = {}): Promise<Ledger | undefined> {
  const server = readLedgerAddress(path);
  if (server !== undefined) return findServerLedger(server, options);
  const { create = false, readOnly = false, isServed = false } = options;
  const { patience = isServed ? SERVED.patience : PATIENCE } = options;
  const file = resolve(path);
  if (readOnly && isLedgerText(file)) {
    try {
      return await openText(path, file, patience);
    } catch (error) {
      throw ledgerRefusal(path, error);
    }
  }
  return openFileLedger(path, {
    ...{ create, patience, tell, ...(isServed ? SERVED_LEDGER : LEDGER) },
    ...(readOnly && { copy: () => openCopy(path, file, patience) }),
  });
}

const LEDGER = { software: SOFTWARE };
const SERVED_LEDGER = { ...LEDGER, replays: true };

export interface LedgerAddress {
  /** Without account and password. */
  readonly name: string;
  readonly address: ClientConfig;
}

/** The address of a server; undefined for a file. */
export function readLedgerAddress(location: string): LedgerAddress | undefined {
  const scheme = locationScheme(location, "ledger");
  if (scheme === undefined) return undefined;
  if (scheme !== "postgres" && scheme !== "postgresql")
    throw new Refusal(
      "usage",
      mustBeButIs("--ledger", "a file or the address of a PostgreSQL server", `the scheme ${scheme}://`),
    );
  const address = readPostgresAddress(location);
  const { pathname, hash, password } = new URL(location);
  if (!/^(\/[^/@]*)?$/.test(pathname) || hash !== "")
    throw new Refusal(
      "usage",
      "The address of the ledger must be postgres://user@host:port/database, with special characters percent-encoded.",
    );
  // Other accounts can see the command line of a process, and this replaces it.
  if (password !== "") process.title = "winnow";
  const { host, port, database, user } = address;
  const place = port === DEFAULT_PORT ? host : `${host}:${port}`;
  return { name: `postgres://${place}/${database ?? user ?? ""}`, address };
}

const DEFAULT_PORT = 5432;

/** As sentences call it. */
export function ledgerName(location: string): string {
  return readLedgerAddress(location)?.name ?? location;
}

async function findServerLedger(
  server: LedgerAddress,
  {
    create = false,
    asOwner = false,
    isServed = false,
    onReconnect,
    patience = isServed ? SERVED.patience : PATIENCE,
  }: OpenLedgerOptions,
): Promise<Ledger | undefined> {
  const { hasLedger, ownershipNotes } = await import("./postgres-schema.js");
  const { connectTo } = await import("./postgres-session.js");
  const { PostgresStore } = await import("./postgres-store.js");
  const longestAnswer = isServed ? SERVED.longestAnswer : undefined;
  const address = isServed
    ? { ...server.address, connectionTimeoutMillis: SERVED.longestConnect }
    : server.address;
  const work = async (session: Session) => {
    if (!(await hasLedger(session))) {
      await session.end();
      return undefined;
    }
    const charges = isServed || (create && !asOwner);
    for (const note of await ownershipNotes(session, server.name, charges)) tell(note);
    const connect = () => connectTo(address, longestAnswer);
    const store = new PostgresStore(server.name, connect, patience, { session, isServed, onReconnect });
    return ledgerOver(store, isServed ? SERVED_LEDGER : LEDGER);
  };
  return atServer({ ...server, address }, patience, work, longestAnswer);
}

/** Creates the ledger of a server unless it exists, brings one of an older version up to date, and lets the role charge it. */
export async function makeServerLedger(location: string, role: string): Promise<MadeLedger> {
  const server = readLedgerAddress(location);
  if (server === undefined)
    throw new Refusal("usage", "--server needs --ledger with the address of a PostgreSQL server.");
  const { makeTables } = await import("./postgres-schema.js");
  return atServer(server, PATIENCE, async (session) => {
    const made = await makeTables(session, role);
    await session.end();
    return made;
  });
}

/** Runs the work on a new connection, and again on another if that one breaks. The driver is loaded only when needed. */
async function atServer<T>(
  { name, address }: LedgerAddress,
  patience: number,
  work: (session: Session) => Promise<T>,
  longestAnswer?: number,
): Promise<T> {
  const { connectPatiently, LostConnection, serverLedgerRefusal } = await import("./postgres-session.js");
  let isReachable = false;
  for (const deadline = performance.now() + patience; ; ) {
    let session: Session | undefined;
    try {
      session = await connectPatiently(address, patience, longestAnswer);
      isReachable = true;
      return await work(session);
    } catch (error) {
      await session?.end();
      const mayPass = error instanceof LostConnection && isReachable && performance.now() < deadline;
      if (!mayPass) throw serverLedgerRefusal(name, error);
      await sleep(PAUSE);
    }
  }
}

/** A ledger in text form, verified and unpacked into a private folder, to be read. */
async function openText(path: string, file: string, patience: number): Promise<Ledger> {
  const folder = makePrivateFolder();
  const remove = () => removePrivateFolder(folder);
  try {
    const text = await readLedgerText(file);
    const copy = join(folder, "ledger");
    createLedger(copy);
    const ledger = ledgerOver(new SqliteStore(path, await Connection.open(copy, patience), remove), LEDGER);
    await ledger.takeOver(text);
    return ledger;
  } catch (error) {
    remove();
    throw error;
  }
}

/** SQLite writes next to a file even to read it, so it reads a copy, with the rows that are still in the write-ahead log. */
async function openCopy(path: string, file: string, patience: number): Promise<Ledger> {
  const folder = makePrivateFolder();
  const copy = join(folder, "ledger");
  const remove = () => removePrivateFolder(folder);
  try {
    copyFileSync(file, copy);
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`);
    for (const made of [copy, `${copy}-wal`]) if (existsSync(made)) chmodSync(made, 0o600);
    return ledgerOver(new SqliteStore(path, await Connection.open(copy, patience), remove), LEDGER);
  } catch (error) {
    remove();
    throw error instanceof Error && "syscall" in error ? fileRefusal("The ledger", path, error) : error;
  }
}

export async function readPublishedRelease(path: string): Promise<PublishedRelease> {
  const { value: document, fault } = parseJson(await readReleaseFile(path));
  if (fault !== undefined)
    throw new Refusal("usage", `The file ${JSON.stringify(path)} says two things at once: ${fault}`);
  if (!isPublished(document))
    throw new Refusal(
      "usage",
      `The file ${JSON.stringify(path)} isn't a release with its place in a ledger.`,
    );
  return document;
}

async function readReleaseFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw fileRefusal("The release", path, error);
  }
}

/** A field that is there twice would be checked in one of its values, and read by a person in the other. */
function parseJson(text: string): { readonly value?: unknown; readonly fault?: string | undefined } {
  try {
    return readStrictJson(text);
  } catch {
    return {};
  }
}

/** The fields that are compared with the ledger; the rest of the document is compared as a whole. Its place has no others: no hash covers it. */
function isPublished(value: unknown): value is PublishedRelease {
  const document = fieldsOf(value);
  const { sequence, head, witnessed: _, ...more } = fieldsOf(document.ledger);
  return (
    Object.keys(more).length === 0 &&
    typeof document.id === "string" &&
    typeof sequence === "number" &&
    typeof head === "string"
  );
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
