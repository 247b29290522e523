/**
 * Proofs that a release is in a ledger, and that a ledger only grew, which show nothing of other entries but hashes.
 *
 *  Merkle tree stands over the hashes of the entries, as in Certificate Transparency (RFC 9162, section 2.1): a leaf is
 * SHA-256(0x00 ‖ hash of an entry), an inner node SHA-256(0x01 ‖ left ‖ right), and a tree of n leaves splits at the largest
 * power of two below n. The root that is published is SHA-256(0x02 ‖ n in 8 bytes, the largest first ‖ the node over all
 * leaves), so it stands for all entries and for their number: proofs of the tree alone would also fit some other numbers.
 * Anyone who kept a root can check later, with about log₂ n hashes, that their release is among the entries
 * (`verifyInclusion`) and that a later root has them all, in the same order (`verifyConsistency`). A proof is worth as much
 * as the root: compare it with one that someone else kept.
 *
 * `MerkleTree` grows by one leaf at a time and keeps the inner nodes over whole blocks of 64 leaves: a few
 * megabytes for a million entries. A proof reads the hashes of one block again.
 * @module
 */
import { invalidParameter } from "winnow-dp";
import { entryText, LEDGER_FORMAT } from "./entry.js";
import { type Finding, hashText, type PublishedRelease } from "./hash-chain.js";

/** The schema of a proof of inclusion. */
export const INCLUSION_SCHEMA = "winnow-inclusion/1";

/** That a release is an entry of the ledger with this root. All hashes are in hexadecimal. */
export interface InclusionProof {
  readonly schema: typeof INCLUSION_SCHEMA;
  /** The id of the release. */
  readonly id: string;
  /** The number of its entry, and the hash of that entry. */
  readonly sequence: number;
  readonly hash: string;
  /** The hash of the entry before: the release and this give the text of the entry. */
  readonly previous: string;
  /** The number of entries under the root. */
  readonly size: number;
  readonly root: string;
  /** The nodes beside the way from the leaf to the root. */
  readonly path: readonly string[];
}

/**
 * The root over the first `size` entries.
 *
 * @inline
 */
export interface TreeHead {
  readonly size: number;
  readonly root: string;
}

/** That the entries under one root are the first of those under a later one. */
export interface ConsistencyProof {
  readonly first: TreeHead;
  readonly second: TreeHead;
  readonly path: readonly string[];
}

/** The two kinds of nodes, in hexadecimal; not asynchronous, because a tree over a million entries has two million of them. */
export interface TreeHasher {
  /** SHA-256 of 0x00 and the bytes of the leaf. */
  leaf(leaf: string): string;
  /** SHA-256 of 0x01 and the bytes of both nodes. */
  node(left: string, right: string): string;
  /** SHA-256 of 0x02, the number of leaves in 8 bytes, and the bytes of the node over all of them. */
  root(size: number, node: string): string;
}

/** Reads `count` leaves again, from the one with the index `first`. */
export type ReadLeaves = (first: number, count: number) => Promise<readonly string[]>;

/** SHA-256 of nothing: the node over no leaves. */
export const EMPTY_ROOT = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

const BLOCK_LEVEL = 6;
const BLOCK = 2 ** BLOCK_LEVEL;

/** The hashed leaves of a whole block. */
interface Block {
  readonly block: number;
  readonly leaves: readonly string[];
}

/** The Merkle tree over a ledger's entries (RFC 9162). */
export class MerkleTree {
  readonly #hasher: TreeHasher;
  /** The roots of whole subtrees: of 2^6 leaves, of 2^7 … */
  readonly #levels: string[][] = [[]];
  /** The hashed leaves after the last whole block. */
  #tail: string[] = [];
  #size = 0;

  constructor(hasher: TreeHasher) {
    this.#hasher = hasher;
  }

  get size(): number {
    return this.#size;
  }

  /** The bytes of the leaf in hexadecimal. */
  append(leaf: string): void {
    this.#tail.push(this.#hasher.leaf(leaf));
    this.#size++;
    if (this.#tail.length < BLOCK) return;
    let node = this.#over(this.#tail);
    this.#tail = [];
    for (let level = 0; ; level++) {
      this.#levels[level] ??= [];
      const row = this.#levels[level]!;
      row.push(node);
      if (row.length % 2 === 1) return;
      node = this.#hasher.node(row.at(-2)!, node);
    }
  }

  /** The node over all leaves, as in RFC 9162. */
  get top(): string {
    return this.#size === 0 ? EMPTY_ROOT : this.#range(0, this.#size);
  }

  /** The root over all leaves. */
  root(): string {
    return this.#hasher.root(this.#size, this.top);
  }

  /** The node over the first `size` leaves, as in RFC 9162. */
  async topAt(size: number, read: ReadLeaves): Promise<string> {
    return size === 0 ? EMPTY_ROOT : this.#range(0, size, await this.#near(read, size - 1));
  }

  /** The path of RFC 9162, section 2.1.3.1, for the leaf with an index from 0, in the tree of the first `size` leaves. */
  async inclusion(index: number, read: ReadLeaves, size = this.#size): Promise<string[]> {
    const near = await this.#near(read, index, size - 1);
    const path = (lo: number, hi: number): string[] => {
      if (hi - lo === 1) return [];
      const middle = lo + splitOf(hi - lo);
      return index < middle
        ? [...path(lo, middle), this.#range(middle, hi, near)]
        : [...path(middle, hi), this.#range(lo, middle, near)];
    };
    return path(0, size);
  }

  /**
   * The root of the first `first` leaves, at least one, and the proof of RFC 9162, section 2.1.4.1, that the tree of the first
   * `size` leaves has them. It always begins with a node, also where that would be the one over all of the first leaves.
   */
  async consistency(
    first: number,
    read: ReadLeaves,
    size = this.#size,
  ): Promise<{ root: string; path: string[] }> {
    const near = await this.#near(read, first - 1, size - 1);
    const proof = (lo: number, hi: number): string[] => {
      if (first === hi) return [this.#range(lo, hi, near)];
      const middle = lo + splitOf(hi - lo);
      return first <= middle
        ? [...proof(lo, middle), this.#range(middle, hi, near)]
        : [...proof(middle, hi), this.#range(lo, middle, near)];
    };
    const root = this.#hasher.root(first, this.#range(0, first, near));
    return { root, path: first === size ? [] : proof(0, size) };
  }

  /** The root of some leaves that the tree has a node over. Part of a whole block can be asked for if it is near. */
  #range(lo: number, hi: number, near: readonly Block[] = []): string {
    const level = levelOf(hi - lo);
    if (2 ** level === hi - lo && level >= BLOCK_LEVEL)
      return this.#levels[level - BLOCK_LEVEL]![lo / (hi - lo)]!;
    const block = Math.floor(lo / BLOCK);
    if (hi <= (block + 1) * BLOCK) {
      const leaves = near.find((one) => one.block === block)?.leaves ?? this.#tail;
      return this.#over(leaves.slice(lo % BLOCK, hi - block * BLOCK));
    }
    const middle = lo + splitOf(hi - lo);
    return this.#hasher.node(this.#range(lo, middle, near), this.#range(middle, hi, near));
  }

  /** The whole blocks that these leaves are in. */
  async #near(read: ReadLeaves, ...leaves: readonly number[]): Promise<Block[]> {
    const blocks: Block[] = [];
    for (const leaf of leaves) {
      const block = Math.floor(leaf / BLOCK);
      if (blocks.some((one) => one.block === block)) continue;
      const known = await this.#blockOf(leaf, read);
      if (known !== undefined) blocks.push(known);
    }
    return blocks;
  }

  /** The whole block that a leaf is in, compared with what is known of it; undefined for those that are kept. */
  async #blockOf(index: number, read: ReadLeaves): Promise<Block | undefined> {
    const block = Math.floor(index / BLOCK);
    const known = this.#levels[0]![block];
    if (known === undefined) return undefined;
    const leaves = (await read(block * BLOCK, BLOCK)).map((leaf) => this.#hasher.leaf(leaf));
    if (leaves.length !== BLOCK || this.#over(leaves) !== known)
      throw invalidParameter("leaves", "those that the tree was made of");
    return { block, leaves };
  }

  /** Pair by pair: the split at the largest power of two leaves the odd one for the next level. */
  #over(leaves: readonly string[]): string {
    let row = leaves;
    while (row.length > 1) {
      const next: string[] = [];
      for (let i = 0; i + 1 < row.length; i += 2) next.push(this.#hasher.node(row[i]!, row[i + 1]!));
      if (row.length % 2 === 1) next.push(row.at(-1)!);
      row = next;
    }
    return row[0]!;
  }
}

/** The largest power of two below n > 1. */
function splitOf(n: number): number {
  return 2 ** (levelOf(n) - 1);
}

/** The least power of two that is at least n has this exponent. */
function levelOf(n: number): number {
  let level = 0;
  for (let leaves = 1; leaves < n; leaves *= 2) level++;
  return level;
}

function joined(prefix: number, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(1 + parts.reduce((sum, { length }) => sum + length, 0));
  bytes[0] = prefix;
  let end = 1;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
  }
  return bytes;
}

/** Reads a proof; throws if it isn't one. */
export function readInclusionProof(text: string): InclusionProof {
  let proof: Partial<Record<keyof InclusionProof, unknown>> | null;
  try {
    proof = JSON.parse(text);
  } catch {
    throw invalidParameter("proof", "JSON text");
  }
  const { schema, id, sequence, hash, previous, size, root, path } = proof ?? {};
  if (schema !== INCLUSION_SCHEMA) throw invalidParameter("proof.schema", `"${INCLUSION_SCHEMA}"`);
  if (typeof id !== "string") throw invalidParameter("proof.id", "a text");
  const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;
  if (!isCount(size)) throw invalidParameter("proof.size", "an integer >= 1");
  if (!isCount(sequence) || sequence > size)
    throw invalidParameter("proof.sequence", "an integer from 1 to the size");
  if (!isHash(hash)) throw invalidParameter("proof.hash", HASH_RULE);
  if (!isHash(previous)) throw invalidParameter("proof.previous", HASH_RULE);
  if (!isHash(root)) throw invalidParameter("proof.root", HASH_RULE);
  if (!Array.isArray(path) || !path.every(isHash))
    throw invalidParameter("proof.path", `a list, each of ${HASH_RULE}`);
  return { schema, id, sequence, hash, previous, size, root, path };
}

/** Reads a proof as a ledger gives it; throws if it isn't one. */
export function readConsistencyProof(text: string): ConsistencyProof {
  let proof: Partial<Record<keyof ConsistencyProof, unknown>> | null;
  try {
    proof = JSON.parse(text);
  } catch {
    throw invalidParameter("proof", "JSON text");
  }
  const { first, second, path } = proof ?? {};
  if (!isTreeHead(first) || !isTreeHead(second))
    throw invalidParameter(
      "proof",
      "a proof of consistency: two heads with a size and a root each, and a path",
    );
  if (!Array.isArray(path) || !path.every(isHash))
    throw invalidParameter("proof.path", `a list, each of ${HASH_RULE}`);
  return { first, second, path };
}

function isTreeHead(value: unknown): value is TreeHead {
  const { size, root } = (value ?? {}) as Partial<Record<keyof TreeHead, unknown>>;
  return Number.isSafeInteger(size) && Number(size) > 0 && isHash(root);
}

const HASH_RULE = "64 hexadecimal digits";

export function isHash(value: unknown): value is string {
  return typeof value === "string" && /^[\da-f]{64}$/.test(value);
}

/** The problem with a published release and its proof: none, or one finding. */
export async function verifyInclusion(
  { ledger, ...release }: PublishedRelease,
  { id, sequence, hash, previous, size, root, path }: InclusionProof,
): Promise<Finding[]> {
  const name = JSON.stringify(release.id);
  if (release.id !== id || ledger.sequence !== sequence || ledger.head !== hash) {
    const sentence = `The proof is about release ${JSON.stringify(id)} as entry ${sequence}, and not about release ${name} as entry ${ledger.sequence}, or about another ledger.`;
    return [{ kind: "not-included", sequence, sentence }];
  }
  const entry = { kind: "release", release, format: LEDGER_FORMAT, sequence, previous } as const;
  if ((await hashText(entryText(entry))) !== hash) {
    const sentence = `Release ${name} does not say what the ledger recorded as entry ${sequence}.`;
    return [{ kind: "altered-release", sequence, sentence }];
  }
  const top = await topOver({ hash, sequence, size, path });
  if (top !== undefined && (await rootOver(size, fromHex(top))) === root) return [];
  const sentence = `The proof does not lead from entry ${sequence} to the root of a ledger with ${size} entries.`;
  return [{ kind: "not-included", sequence, sentence }];
}

/** The node over all entries that a path leads to from the hash of one; undefined if the path has another length than it must. */
export async function topOver({
  hash,
  sequence,
  size,
  path,
}: Pick<InclusionProof, "hash" | "sequence" | "size" | "path">): Promise<string | undefined> {
  const top = await topOf(await digest(joined(0, fromHex(hash))), sequence - 1, size, path);
  return top && toHex(top);
}

/** RFC 9162, section 2.1.3.2. Undefined if the path has another length than it must. */
async function topOf(
  leaf: Uint8Array,
  index: number,
  size: number,
  path: readonly string[],
): Promise<Uint8Array | undefined> {
  let [at, last, node] = [BigInt(index), BigInt(size - 1), leaf];
  for (const text of path) {
    if (last === 0n) return undefined;
    const beside = fromHex(text);
    if ((at & 1n) === 1n || at === last) {
      node = await digest(joined(1, beside, node));
      for (; (at & 1n) === 0n && at !== 0n; at >>= 1n) last >>= 1n;
    } else node = await digest(joined(1, node, beside));
    at >>= 1n;
    last >>= 1n;
  }
  return last === 0n ? node : undefined;
}

/** The root over this many entries, from the node over them. */
export async function rootOver(size: number, top: Uint8Array): Promise<string> {
  const number = new DataView(new ArrayBuffer(8));
  number.setBigUint64(0, BigInt(size));
  return toHex(await digest(joined(2, new Uint8Array(number.buffer), top)));
}

/** RFC 9162, section 2.1.4.2: whether the entries under the first root are the first of those under the second. */
export async function verifyConsistency({ first, second, path }: ConsistencyProof): Promise<boolean> {
  const isOrdered = Number.isSafeInteger(second.size) && first.size >= 1 && first.size <= second.size;
  if (!Number.isSafeInteger(first.size) || !isOrdered || !path.every(isHash)) return false;
  if (first.size === second.size) return path.length === 0 && first.root === second.root;
  const tops = await topsOf(first.size, second.size, path);
  if (tops === undefined) return false;
  const [before, after] = tops.map(fromHex);
  const roots = [await rootOver(first.size, before), await rootOver(second.size, after)];
  return roots[0] === first.root && roots[1] === second.root;
}

/**
 * The nodes over the first `first` leaves and over all `second` > `first` that a proof of consistency leads to; undefined if it has
 * another length than it must. It begins with a node, as `MerkleTree.consistency` gives it.
 */
export async function topsOf(
  first: number,
  second: number,
  path: readonly string[],
): Promise<[before: string, after: string] | undefined> {
  const [start, ...rest] = path;
  if (start === undefined || rest.length === 0) return undefined;
  let [at, last] = [BigInt(first - 1), BigInt(second - 1)];
  for (; (at & 1n) === 1n; at >>= 1n) last >>= 1n;
  let [before, after] = [fromHex(start), fromHex(start)];
  for (const text of rest) {
    if (last === 0n) return undefined;
    const beside = fromHex(text);
    if ((at & 1n) === 1n || at === last) {
      before = await digest(joined(1, beside, before));
      after = await digest(joined(1, beside, after));
      for (; (at & 1n) === 0n && at !== 0n; at >>= 1n) last >>= 1n;
    } else after = await digest(joined(1, after, beside));
    at >>= 1n;
    last >>= 1n;
  }
  return last === 0n ? [toHex(before), toHex(after)] : undefined;
}

async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: text.length / 2 }, (_, i) =>
    Number.parseInt(text.slice(2 * i, 2 * i + 2), 16),
  );
}
