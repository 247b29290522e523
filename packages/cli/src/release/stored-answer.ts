/**
 * Asking again under a release id: the stored answer if everything that is public about the question is the same, whichever
 * way it was written, and a refusal otherwise. The rows are not opened: they may have changed, and the answer has not.
 * @module
 */
import { isReleaseId, type Release, type ReleaseSource } from "winnow-release";
import type { Ledger } from "../ledger/open-ledger.js";
import { Refusal } from "../refusal.js";
import { tell } from "../render/curator.js";
import type { ReleaseOptions } from "./options.js";
import type { Request } from "./request.js";

/** In which words the choice to trust a file's writer is recorded. */
export const MULTILINE =
  "Newlines inside quoted fields were allowed: whoever wrote the file was trusted not to reach into the next line.";

export async function storedAnswer(
  ledger: Ledger,
  { dataset, question, roles }: Request,
  options: ReleaseOptions,
): Promise<Release | undefined> {
  const { releaseId: id } = options;
  if (id === undefined) return undefined;
  if (!isReleaseId(id))
    throw new Refusal(
      "usage",
      "--release-id must be a short text without control characters or spaces at its ends.",
    );
  const found = await ledger.find(id, { dataset, question });
  if (found === undefined) return undefined;
  const isSameSource =
    found.source.item === roles?.item &&
    found.source.user === roles.user &&
    isReadAlike(found.source.dialect, options) &&
    found.notes.includes(MULTILINE) === (options.multiline ?? false);
  if (!isSameSource)
    throw new Refusal(
      "release-id-taken",
      `The release id ${JSON.stringify(id)} belongs to a release whose rows were read otherwise.`,
    );
  tell(`Release ${id} was made before: this is its answer again, and nothing was charged.`);
  return found;
}

/** A table or a query says which rows; of the rest, what is not given is taken from the header and may be anything. */
function isReadAlike(dialect: ReleaseSource["dialect"], options: ReleaseOptions): boolean {
  const { table, query, format, delimiter, quote } = options;
  if (dialect.table !== table || dialect.query !== query) return false;
  const given = Object.entries({ format, delimiter, quote });
  return given.every(([name, value]) => value === undefined || dialect[name] === value);
}

/** What was fixed before a row was read, with the table or the query that was asked for. */
export function recordedDialect(
  dialect: ReleaseSource["dialect"],
  { table, query }: ReleaseOptions,
): ReleaseSource["dialect"] {
  return { ...dialect, ...(table !== undefined && { table }), ...(query !== undefined && { query }) };
}
