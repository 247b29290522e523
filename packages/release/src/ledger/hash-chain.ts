/**
 * The chain of entries: every entry names the SHA-256 of the text of the entry before it, so no entry can be changed,
 * removed or moved without changing all later ones. Hashing is asynchronous (Web Crypto): a storage whose transactions
 * don't wait, such as IndexedDB, chains the entry first and appends it only if the head is still the one it was
 * chained to.
 *
 * A check from the first entry to the last finds
 *
 * - a **changed** row: its text no longer has its hash; if the hash was changed too, the next row doesn't follow it;
 * - a **missing** row: a number is left out;
 * - a **reordered** row: the number in its text isn't the number of its place;
 * - a **truncated** ledger: the head, which is kept apart from the rows, names an entry that isn't there;
 * - a ledger **rolled back** to an older copy, or rewritten with all hashes and the head. Nothing inside the ledger
 *   can tell, because an older copy is a complete ledger. But every published release carries the number and the hash
 *   of its entry, and the ledger must still hold that entry. So any release published after the copy was made reveals
 *   it.
 *
 * A ledger also travels as a file between the page, the command line and a drawer: JSON Lines in UTF-8. The first line
 * says how many entries follow and which hash the last one has, so a file that was cut off is noticed; every other line
 * is the canonical text of one entry, exactly as it is stored and hashed. Nothing in it is private.
 *
 *     {"entries":2,"format":"winnow-ledger-file/1","head":"5e1c…"}
 *     {"budget":{…},"dataset":"visits","format":"winnow-ledger/1","kind":"budget","previous":"0000…","sequence":1,…}
 *     {"format":"winnow-ledger/1","kind":"release","previous":"8a41…","release":{…},"sequence":2}
 *
 * A copy is a second ledger: charge one of them and restore the other from it, never both. `compareChains` tells how two
 * relate before one takes the place of the other.
 * @module
 */
import { Refusal } from "../refusal/refusal.js";
import { canonicalJson } from "./canonical-json.js";
import {
  entryText,
  LEDGER_FORMAT,
  type LedgerEntry,
  type NewEntry,
  type RecordedRelease,
  readEntry,
} from "./entry.js";
import type { LedgerPlace } from "./witnessed-place.js";

/** The last link: the number of the last entry and its hash. */
export interface ChainHead {
  readonly sequence: number;
  readonly hash: string;
}

/** An entry as it is stored. */
export interface ChainRow extends ChainHead {
  /** The canonical text of the entry. */
  readonly text: string;
}

/** The head of a ledger without entries. */
export const EMPTY_CHAIN: ChainHead = Object.freeze({ sequence: 0, hash: "0".repeat(64) });

/** The SHA-256 of the UTF-8 text, in hexadecimal. */
export async function hashText(text: string): Promise<string> {
  if (node !== undefined) return node.createHash("sha256").update(text, "utf8").digest("hex");
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

interface NodeCrypto {
  createHash(name: "sha256"): { update(text: string, encoding: "utf8"): { digest(encoding: "hex"): string } };
}

/** Node's own SHA-256, where we run on Node: an entry takes microseconds there, and a turn of the thread pool by Web Crypto. */
const node = (
  globalThis as { process?: { getBuiltinModule?(name: "node:crypto"): NodeCrypto | undefined } }
).process?.getBuiltinModule?.("node:crypto");

/** The row that follows the head. */
export async function chain(entry: NewEntry, head: ChainHead): Promise<ChainRow> {
  const sequence = head.sequence + 1;
  const text = entryText({ ...entry, format: LEDGER_FORMAT, sequence, previous: head.hash });
  return { sequence, text, hash: await hashText(text) };
}

/**
 * The kinds of findings.
 *
 * @inline
 */
export type FindingKind =
  | "changed"
  | "missing"
  | "reordered"
  | "truncated"
  | "rolled-back"
  | "altered-release"
  /** A proof does not show that the release is in the ledger. */
  | "not-included"
  /** The head isn't signed by a key of the ledger, or by one that was revoked. */
  | "not-signed"
  /** Too few witnesses have cosigned the head. */
  | "not-witnessed"
  /** The rows and the opening don't lead to the release. */
  | "not-recomputed"
  /** A table or trigger of the file is missing, or not Winnow's. */
  | "schema"
  /** The totals kept beside the log aren't the sums of its entries. */
  | "totals"
  /** A release was charged something other than its price. */
  | "charge"
  /** The price of the release wasn't computed again. */
  | "not-priced";

/** Something that is wrong with a ledger. */
export interface Finding {
  readonly kind: FindingKind;
  /** The number of the entry it is about. */
  readonly sequence: number;
  readonly sentence: string;
}

/** A release as it was published, with its place in the ledger. */
export interface PublishedRelease extends RecordedRelease {
  readonly ledger: LedgerPlace;
}

/** The result of verifying a chain of hashes. */
export interface ChainReport {
  /** The last entry that was read. */
  readonly head: ChainHead;
  /** Nothing was found if this is empty. */
  readonly findings: readonly Finding[];
}

/** What a chain is compared with. */
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
    return [
      { kind: "changed", sequence, sentence: `Entry ${sequence} was changed: its hash does not match.` },
    ];
  return checkLink(sequence, entry, last);
}

/** Whether an entry at this place follows the last; its text is known to have its hash. */
function checkLink(sequence: number, entry: LedgerEntry, last: ChainHead): Finding[] {
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

/** Whether the last entry is the head. */
function checkHead(last: ChainHead, head: ChainHead | undefined): Finding[] {
  if (head === undefined || (head.sequence === last.sequence && head.hash === last.hash)) return [];
  const { sequence } = head;
  if (sequence > last.sequence) {
    const sentence = `The ledger was cut off: it ends at entry ${last.sequence}, and its head is entry ${sequence}.`;
    return [{ kind: "truncated", sequence, sentence }];
  }
  return [{ kind: "changed", sequence, sentence: `The head of the ledger is not its last entry.` }];
}

/** A release as it is published: a sealed state stays in the ledger. */
function publicPart<R extends object>(release: R): Omit<R, "sealed"> {
  const { sealed: _, ...rest } = release as R & { readonly sealed?: unknown };
  return rest;
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
    if (
      entry?.kind === "release" &&
      canonicalJson(publicPart(entry.release)) === canonicalJson(publicPart(release))
    )
      return [];
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

/** The format of a ledger that was exported as text. */
export const LEDGER_FILE_FORMAT = "winnow-ledger-file/1";

/** The lines of the file, each with its line feed. `head` is the last of the rows. */
export function* ledgerFileLines(head: ChainHead, rows: Iterable<ChainRow>): Generator<string, void> {
  yield `${canonicalJson({ format: LEDGER_FILE_FORMAT, entries: head.sequence, head: head.hash })}\n`;
  for (const { text } of rows) yield `${text}\n`;
}

/** The rows of a file, verified from the first to the last. Throws a `ledger-broken` that says what is wrong. */
export async function readLedgerFile(lines: Lines): Promise<readonly ChainRow[]> {
  const rows: ChainRow[] = [];
  for await (const { row } of ledgerFileRows(lines)) rows.push(row);
  return rows;
}

type Lines = Iterable<string> | AsyncIterable<string>;

/** A row that follows the one before it, and the entry in its text. */
export interface VerifiedRow {
  readonly row: ChainRow;
  readonly entry: LedgerEntry;
}

/**
 * The rows of a file one by one, each verified to follow the one before; at the end, that none is missing. Throws as
 * `readLedgerFile` does, and holds one row.
 */
export async function* ledgerFileRows(lines: Lines): AsyncGenerator<VerifiedRow, void> {
  let head: ChainHead | undefined;
  let last = EMPTY_CHAIN;
  for await (const text of lines) {
    if (text === "") continue;
    if (head === undefined) {
      head = readHead(text);
      continue;
    }
    const entry = readEntry(text);
    const { sequence } = entry;
    refuse(checkLink(sequence, entry, last));
    const row = { sequence, text, hash: await hashText(text) };
    yield { row, entry };
    last = row;
  }
  if (head === undefined) throw notAFile();
  refuse(checkHead(last, head));
}

function refuse([finding]: readonly Finding[]): void {
  if (finding !== undefined) throw new Refusal("ledger-broken", finding.sentence);
}

function readHead(line: string): ChainHead {
  let parsed: { format?: unknown; entries?: unknown; head?: unknown } | null;
  try {
    parsed = JSON.parse(line);
  } catch {
    throw notAFile();
  }
  const { format, entries, head } = parsed ?? {};
  if (format !== LEDGER_FILE_FORMAT || !Number.isSafeInteger(entries) || typeof head !== "string")
    throw notAFile();
  return entries === 0 ? EMPTY_CHAIN : { sequence: entries as number, hash: head };
}

function notAFile(): Refusal {
  return new Refusal("ledger-broken", `The file is not a ledger of the format ${LEDGER_FILE_FORMAT}.`);
}

/**
 * How a ledger relates to another: equal to it, longer by some entries, an older copy of it, or about something else.
 *
 * @inline
 */
export type ChainRelation = "same" | "ahead" | "behind" | "other";

/** How rows that start at the first entry relate to a ledger that ends at `head`; `hashAt` gives the hashes of its entries. */
export function compareChains(
  rows: readonly ChainRow[],
  head: ChainHead,
  hashAt: (sequence: number) => string | undefined,
): ChainRelation {
  const last = rows.at(-1) ?? EMPTY_CHAIN;
  if (last.sequence < head.sequence) {
    const isPart = last.sequence === 0 || hashAt(last.sequence) === last.hash;
    return isPart ? "behind" : "other";
  }
  if (head.sequence > 0 && rows[head.sequence - 1].hash !== head.hash) return "other";
  return last.sequence === head.sequence ? "same" : "ahead";
}
