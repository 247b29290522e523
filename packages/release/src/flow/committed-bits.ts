/**
 * Bits that a release commits to. Before the rows are read, its reservation commits to a fresh seed; the release commits to the counts
 * and repeats the commitment to the seed. Both hide what they commit to. Someone who gets the rows and the opening can compute the answer
 * again, bit for bit; a second draw would need a second reservation, which stays in the ledger
 * ([proof](../../../core/src/expanded-entropy.proof.md)).
 *
 * The opening is as secret as the rows: with the seed and the answer, anyone can compute the noise.
 * @module
 */
import { type Entropy, expandedEntropy, invalidParameter, sha256 } from "winnow-dp";
import type { ReleaseBits, ReservedBits } from "../document/release-document.js";
import { canonicalJson } from "../ledger/canonical-json.js";
import { hashText } from "../ledger/hash-chain.js";
import { forEachRow } from "../parts/counted-rows.js";
import { compareNames } from "../parts/names.js";
import type { Batches, CountedItems } from "../question/answer.js";

/** The schema of an opening. */
export const OPENING_SCHEMA = "winnow-opening/1";

/** How the seed is expanded: ChaCha20 (RFC 8439) under the seed as its key. */
export const GENERATOR = "chacha20";

/** What opens the commitments of one release; secret like its rows. All values are 64 hexadecimal digits. */
export interface Opening {
  readonly schema: typeof OPENING_SCHEMA;
  /** The id of the release. */
  readonly id: string;
  readonly generator: typeof GENERATOR;
  readonly seed: string;
  readonly seedBlinder: string;
  readonly countsBlinder: string;
}

/**
 * The release that an opening is for, in public terms.
 *
 * @inline
 */
export interface Committed {
  readonly dataset: string;
  readonly question: unknown;
}

/** Fresh secrets of the system. */
export function newOpening(id: string): Opening {
  const fresh = () => hex(globalThis.crypto.getRandomValues(new Uint8Array(32)));
  const secrets = { seed: fresh(), seedBlinder: fresh(), countsBlinder: fresh() };
  return { schema: OPENING_SCHEMA, id, generator: GENERATOR, ...secrets };
}

const RULE = "an opening as winnow wrote it";
const SECRET = /^[\da-f]{64}$/;

/** Reads an opening; no error quotes any part of it. */
export function readOpening(text: string): Opening {
  let json: Partial<Record<keyof Opening, unknown>> | null;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalidParameter("opening", RULE);
  }
  const { schema, id, generator, seed, seedBlinder, countsBlinder } = json ?? {};
  const isSecret = (value: unknown): value is string => typeof value === "string" && SECRET.test(value);
  const isWhole = isSecret(seed) && isSecret(seedBlinder) && isSecret(countsBlinder);
  if (schema !== OPENING_SCHEMA || generator !== GENERATOR || typeof id !== "string" || !isWhole)
    throw invalidParameter("opening", RULE);
  return { schema, id, generator, seed, seedBlinder, countsBlinder };
}

/** The commitment to the seed, made before a row is read. */
export async function reservedBits(
  opening: Opening,
  { dataset, question }: Committed,
): Promise<ReservedBits> {
  const { generator, id, seed, seedBlinder } = opening;
  const text = canonicalJson({ dataset, generator, id, question, seed });
  return { generator, seed: await hashText(`winnow-bits/1 seed\n${seedBlinder}\n${text}`) };
}

/** All commitments of a release. `counts` is the hash of the counts that were drawn from. */
export async function releaseBits(
  opening: Opening,
  committed: Committed & { readonly answer: unknown; readonly counts: string },
): Promise<ReleaseBits> {
  const { answer, counts } = committed;
  const reserved = await reservedBits(opening, committed);
  const text = canonicalJson({ answer, counts, seed: reserved.seed });
  const commitment = await hashText(`winnow-bits/1 counts\n${opening.countsBlinder}\n${text}`);
  return { ...reserved, counts: commitment };
}

/** The bits of a release, from the first one on. */
export function bitsOf({ seed }: Pick<Opening, "seed">): Entropy {
  return expandedEntropy(bytes(seed));
}

/** The key by which the items of a person are chosen where each counts for a limited number of them. */
export function limitKeyOf({ seed }: Pick<Opening, "seed">): Uint8Array {
  const words = sha256(new TextEncoder().encode("winnow-bits/1 limit\n"), bytes(seed));
  const view = new DataView(new ArrayBuffer(32));
  for (const [i, word] of words.entries()) view.setUint32(4 * i, word);
  return new Uint8Array(view.buffer);
}

/**
 * Counts in the one order in which an answer is drawn from them again, and their hash.
 *
 * @inline
 */
export interface OrderedCounts {
  readonly batches: readonly CountedItems[];
  readonly hash: string;
}

/** Rows in a piece of the hash. */
const PIECE = 1000;

/** All counts, by name; they are in memory at once. */
export async function orderedCounts(batches: Batches): Promise<OrderedCounts> {
  const rows: (readonly [item: string, users: number])[] = [];
  await forEachRow(batches, (item, users) => rows.push([item, users]));
  rows.sort(([a, m], [b, n]) => compareNames(a, b) || m - n);
  let hash = "";
  for (let first = 0; first < rows.length; first += PIECE)
    hash = await hashText(`${hash}\n${canonicalJson(rows.slice(first, first + PIECE))}`);
  const all = { items: rows.map(([item]) => item), users: rows.map(([, users]) => users) };
  return { batches: [all], hash: await hashText(`${rows.length}\n${hash}`) };
}

function hex(secret: Uint8Array): string {
  return Array.from(secret, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function bytes(digits: string): Uint8Array {
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) =>
    Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16),
  );
}
