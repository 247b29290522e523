/**
 * The release before one about the same question, which its table is compared with. It is looked for among the last entries of the
 * ledger; a stored document that can't be read is left out, because a release must be shown whatever was published before it.
 * @module
 */
import {
  forJson,
  type Ledger,
  predecessorOf,
  type RecordedRelease,
  type Release,
  readRelease,
} from "winnow-release";

export async function releaseBefore(ledger: Ledger, release: Release): Promise<Release | undefined> {
  const late = await lateReleases(ledger, release.dataset).catch(() => []);
  return predecessorOf(release, late);
}

/** Those of a data set among the last entries, oldest first. */
export async function lateReleases(ledger: Ledger, dataset: string): Promise<readonly Release[]> {
  return (await ledger.lately(dataset)).flatMap(readable);
}

/** Labels of teachers and looks at a watched list have schemas of their own. */
function readable(stored: RecordedRelease): readonly Release[] {
  if (!("schema" in stored) || !String(stored.schema).startsWith("winnow-release/")) return [];
  try {
    return [readRelease(forJson(stored))];
  } catch {
    return [];
  }
}
