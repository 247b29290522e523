/**
 * Checking a ledger from its first entry to its last. What finds what:
 *
 * - a **changed** row: its text no longer has its hash; if the hash was changed too, the next row does not follow it;
 * - a **missing** row: a number is left out;
 * - a **reordered** row: the number in its text is not the number of its place;
 * - a **truncated** ledger: the head, kept apart from the rows, names an entry that is not there;
 * - a ledger **rolled back** to an older copy, or written anew with all hashes and the head: nothing inside it can tell,
 *   because an older copy is a whole ledger. Every published release carries the number and the hash of its entry: the
 *   ledger must still hold that entry. So a roll-back is found by any release published after the copy was made.
 * @module
 */
import { canonicalJson } from "./canonical-json.js";
import { type LedgerEntry, type RecordedRelease, readEntry } from "./entry.js";
import { type ChainHead, type ChainRow, EMPTY_CHAIN, hashText } from "./hash-chain.js";

export type FindingKind =
  | "changed"
  | "missing"
  | "reordered"
  | "truncated"
  | "rolled-back"
  | "altered-release";

export interface Finding {
  readonly kind: FindingKind;
  /** The number of the entry it is about. */
  readonly sequence: number;
  readonly sentence: string;
}

/** A release as it was published, with its place in the ledger. */
export interface PublishedRelease extends RecordedRelease {
  readonly ledger: { readonly sequence: number; readonly head: string };
}

export interface ChainReport {
  /** The last entry that was read. */
  readonly head: ChainHead;
  /** Nothing was found if this is empty. */
  readonly findings: readonly Finding[];
}

export interface VerifyOptions {
  /** Rows up to this link were checked before: the first row given follows it. */
  readonly after?: ChainHead | undefined;
  /** The head as it is kept apart from the rows. */
  readonly head?: ChainHead | undefined;
  readonly against?: readonly PublishedRelease[] | undefined;
  /** Called with every entry that could be read. */
  readonly onEntry?: ((entry: LedgerEntry) => void) | undefined;
}

/** Reads all rows, in the order of their numbers. */
export async function verifyChain(
  rows: Iterable<ChainRow> | AsyncIterable<ChainRow>,
  { after = EMPTY_CHAIN, head, against = [], onEntry }: VerifyOptions = {},
): Promise<ChainReport> {
  const findings: Finding[] = [];
  const absent = new Set(against);
  let last = after;
  for await (const row of rows) {
    const entry = readable(row.text);
    const published = against.filter(({ ledger }) => ledger.sequence === row.sequence);
    findings.push(...(await checkRow(row, entry, last)), ...checkPublished(row, entry, published));
    for (const release of published) absent.delete(release);
    if (entry !== undefined) onEntry?.(entry);
    last = { sequence: row.sequence, hash: row.hash };
  }
  findings.push(...checkHead(last, head), ...[...absent].map((release) => notThere(release, last)));
  return { head: last, findings };
}

/** At most one finding for a row: the first is the cause of the others. */
async function checkRow(row: ChainRow, entry: LedgerEntry | undefined, last: ChainHead): Promise<Finding[]> {
  const { sequence } = row;
  if (entry === undefined || (await hashText(row.text)) !== row.hash)
    return [{ kind: "changed", sequence, sentence: `Entry ${sequence} was changed: its hash does not fit.` }];
  if (entry.sequence !== sequence)
    return [
      {
        kind: "reordered",
        sequence,
        sentence: `Entry ${sequence} was moved: it was written as entry ${entry.sequence}.`,
      },
    ];
  if (sequence !== last.sequence + 1)
    return [
      {
        kind: "missing",
        sequence: last.sequence + 1,
        sentence: `Entry ${last.sequence + 1} is missing: entry ${last.sequence} is followed by ${sequence}.`,
      },
    ];
  if (entry.previous !== last.hash)
    return [
      {
        kind: "changed",
        sequence: last.sequence,
        sentence: `Entry ${last.sequence} was changed: entry ${sequence} was written after another.`,
      },
    ];
  return [];
}

function checkHead(last: ChainHead, head: ChainHead | undefined): Finding[] {
  if (head === undefined || (head.sequence === last.sequence && head.hash === last.hash)) return [];
  const { sequence } = head;
  if (sequence > last.sequence) {
    const sentence = `The ledger was cut off: it ends at entry ${last.sequence}, and its head is entry ${sequence}.`;
    return [{ kind: "truncated", sequence, sentence }];
  }
  return [{ kind: "changed", sequence, sentence: `The head of the ledger is not its last entry.` }];
}

/** Whether the entry is the one that the release was published with. */
function checkPublished(
  { sequence, hash }: ChainRow,
  entry: LedgerEntry | undefined,
  published: readonly PublishedRelease[],
): Finding[] {
  return published.flatMap(({ ledger, ...release }): Finding[] => {
    if (ledger.head !== hash) {
      const sentence = `Release ${JSON.stringify(release.id)} was recorded as another entry ${sequence}: the ledger was rolled back to an older copy, or is another one.`;
      return [{ kind: "rolled-back", sequence, sentence }];
    }
    if (entry?.kind === "release" && canonicalJson(entry.release) === canonicalJson(release)) return [];
    const sentence = `Release ${JSON.stringify(release.id)} does not say what the ledger recorded as entry ${sequence}.`;
    return [{ kind: "altered-release", sequence, sentence }];
  });
}

function notThere({ id, ledger: { sequence } }: PublishedRelease, last: ChainHead): Finding {
  const sentence = `Release ${JSON.stringify(id)} was recorded as entry ${sequence}, but the ledger ends at entry ${last.sequence}: it was rolled back to an older copy, or is another one.`;
  return { kind: "rolled-back", sequence, sentence };
}

function readable(text: string): LedgerEntry | undefined {
  try {
    return readEntry(text);
  } catch {
    return undefined;
  }
}
