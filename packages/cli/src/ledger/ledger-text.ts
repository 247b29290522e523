/**
 * What is read from files of text: a ledger that the page or `budget export` wrote, verified from its first entry to its
 * last, and a release as it was published.
 * @module
 */
import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { type ChainRow, type PublishedRelease, readLedgerFile } from "winnow-release";
import { fileRefusal, Refusal } from "../refusal.js";
import { ledgerRefusal } from "./connection.js";

/** How the text of a ledger begins that the page or `budget export` wrote. */
const TEXT_START = Buffer.from('{"entries":');

export function isLedgerText(file: string): boolean {
  try {
    const handle = openSync(file, "r");
    try {
      const start = Buffer.alloc(TEXT_START.length);
      readSync(handle, start, 0, start.length, 0);
      return start.equals(TEXT_START);
    } finally {
      closeSync(handle);
    }
  } catch {
    return false; // whoever opens it says what is wrong
  }
}

/** The rows of a ledger file of text, verified from the first to the last. */
export async function readLedgerText(path: string): Promise<readonly ChainRow[]> {
  try {
    return await readLedgerFile(createInterface({ input: createReadStream(path), crlfDelay: Infinity }));
  } catch (error) {
    throw error instanceof Error && "syscall" in error
      ? fileRefusal("The ledger file", path, error)
      : ledgerRefusal(path, error);
  }
}

export async function readPublishedRelease(path: string): Promise<PublishedRelease> {
  const document = parseJson(await readReleaseFile(path));
  if (!isPublished(document))
    throw new Refusal(
      "usage",
      `The file ${JSON.stringify(path)} is not a release with its place in a ledger.`,
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is compared with the ledger; the rest of the document is compared as a whole. */
function isPublished(value: unknown): value is PublishedRelease {
  const document = fieldsOf(value);
  const place = fieldsOf(document.ledger);
  return (
    typeof document.id === "string" && typeof place.sequence === "number" && typeof place.head === "string"
  );
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
