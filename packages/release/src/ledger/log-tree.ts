/**
 * The Merkle tree over the entries of a ledger, in the memory of one run. It reads the hash of every entry once, in turns of
 * some thousands between which other work goes on, and from then on the new ones only: the log never changes behind it. If it
 * did (an older copy was put back under a running service), the tree says so from then on, and proves nothing.
 * @module
 */

import { WinnowError } from "winnow-dp";
import { Refusal } from "../refusal/refusal.js";
import { readEntry } from "./entry.js";
import type { ChainHead, ChainRow } from "./hash-chain.js";
import {
  type ConsistencyProof,
  fromHex,
  INCLUSION_SCHEMA,
  type InclusionProof,
  MerkleTree,
  type ReadLeaves,
  rootOver,
  type TreeHasher,
} from "./inclusion.js";
import { ledgerReplaced, notNamed } from "./ledger-refusals.js";
import type { Store } from "./store.js";

/** Entries in a turn: some twenty milliseconds of hashing. */
const TURN = 4096;

/**
 * The head of a chain with the root of its Merkle tree.
 *
 * @inline
 */
export type RootedHead = ChainHead & { readonly root: string };

export class LogTree {
  readonly #store: Store;
  readonly #tree: MerkleTree;
  #last = "";
  #root: RootedHead | undefined;

  constructor(store: Store, hasher: TreeHasher) {
    this.#store = store;
    this.#tree = new MerkleTree(hasher);
  }

  /** Takes some more entries; says whether these are all up to the head. Within a transaction, after a look at the log. */
  async advance(head: ChainHead): Promise<boolean> {
    const { size } = this.#tree;
    if (head.sequence < size) throw changed();
    const wanted = Math.min(TURN, head.sequence - size);
    const read =
      size === 0 ? ["", ...(await this.#hashes(0, wanted))] : await this.#hashes(size - 1, wanted + 1);
    const [known, ...hashes] = read;
    if (known !== this.#last || hashes.length !== wanted) throw changed();
    for (const hash of hashes) {
      if (!/^[\da-f]{64}$/i.test(hash)) throw changed();
      this.#tree.append(hash);
    }
    this.#last = hashes.at(-1) ?? this.#last;
    if (this.#tree.size < head.sequence) return false;
    if (head.sequence > 0 && this.#last !== head.hash) throw changed();
    if (this.#root?.sequence !== head.sequence) this.#root = { ...head, root: this.#tree.root() };
    return true;
  }

  /** As of the last time that all entries were taken. */
  get head(): RootedHead {
    return this.#root!;
  }

  /** The node over the first `size` entries, which signed heads have (RFC 6962). */
  topAt(size = this.head.sequence): Promise<string> {
    this.#checkSize(size, 0);
    return this.#unchanged(this.#tree.topAt(size, this.#leaves));
  }

  /** The nodes beside the way from an entry to the node over the first `size` entries. */
  pathOf(sequence: number, size = this.head.sequence): Promise<string[]> {
    this.#checkSize(size, sequence);
    return this.#unchanged(this.#tree.inclusion(sequence - 1, this.#leaves, size));
  }

  /** That the first `first` entries are the first of `size`, as in RFC 6962: a whole subtree isn't repeated. */
  async pathBetween(first: number, size: number): Promise<string[]> {
    this.#checkSize(size, first);
    if (first === 0) return [];
    const { path } = await this.#unchanged(this.#tree.consistency(first, this.#leaves, size));
    const isWhole = (BigInt(first) & (BigInt(first) - 1n)) === 0n;
    return isWhole ? path.slice(1) : path;
  }

  #checkSize(size: number, least: number): void {
    const { sequence } = this.head;
    if (!Number.isSafeInteger(size) || size < least || size > sequence)
      throw new Refusal(
        "usage",
        `size must be an integer from ${least} to ${sequence}, the number of entries.`,
      );
  }

  /** That the release of this row is under the root. */
  async inclusion({ text, sequence, hash }: ChainRow, id: string): Promise<InclusionProof> {
    const entry = readEntry(text);
    if (entry.kind !== "release" || entry.release.id !== id) throw notNamed(sequence);
    const { sequence: size, root } = this.head;
    const path = await this.pathOf(sequence);
    return {
      schema: INCLUSION_SCHEMA,
      id,
      sequence,
      hash,
      previous: entry.previous,
      size,
      root,
      path,
    };
  }

  /** Proof that the first `size` entries, at least one, are the first of the first `later`: by default of all. */
  async consistency(size: number, later = this.head.sequence): Promise<ConsistencyProof> {
    this.#checkSize(later, 1);
    if (!Number.isSafeInteger(size) || size < 1 || size > later)
      throw new Refusal("usage", `size must be an integer from 1 to ${later}, the number of entries.`);
    const { root, path } = await this.#unchanged(this.#tree.consistency(size, this.#leaves, later));
    const second = { size: later, root: await rootOver(later, fromHex(await this.topAt(later))) };
    return { first: { size, root }, second, path };
  }

  readonly #leaves: ReadLeaves = (first, count) => this.#hashes(first, count);

  /** The hashes of `count` entries after the first `after`. */
  #hashes(after: number, count: number): Promise<string[]> {
    return this.#store.hashesAfter(after, count);
  }

  /** The tree refuses leaves that are no longer those it was made of. */
  async #unchanged<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw error instanceof WinnowError ? changed() : error;
    }
  }
}

function changed(): Refusal {
  return ledgerReplaced("its entries aren't those that were read before");
}
