/**
 * Reading a release that was published, to hold the ledger against it.
 * @module
 */
import { readFile } from "node:fs/promises";
import type { PublishedRelease } from "winnow-release";
import { fileRefusal } from "../file-refusal.js";
import { Refusal } from "../refusal.js";

export async function readPublishedRelease(path: string): Promise<PublishedRelease> {
  const document = parse(await read(path));
  if (!isPublished(document))
    throw new Refusal(
      "usage",
      `The file ${JSON.stringify(path)} is not a release with its place in a ledger.`,
    );
  return document;
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw fileRefusal("The release", path, error);
  }
}

function parse(text: string): unknown {
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
