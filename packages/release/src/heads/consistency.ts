/**
 * Whether the entries under one head are the first of those under a later one, by a proof as RFC 6962 (section 2.1.2) and C2SP
 * `tlog-witness` have it: it doesn't repeat the node over the first entries where that is part of the later tree, and it is empty
 * if both are the same or the first has no entries.
 * @module
 */
import {
  type ConsistencyProof,
  EMPTY_ROOT,
  fromHex,
  rootOver,
  topsOf,
  verifyConsistency,
} from "../ledger/inclusion.js";
import type { Checkpoint } from "./checkpoint.js";

/** A number of entries and the node over them. */
export interface SizedTop {
  readonly size: number;
  readonly top: string;
}

/** Whether one head continues another, by a proof. */
export async function isConsistent(
  first: SizedTop,
  second: SizedTop,
  path: readonly string[],
): Promise<boolean> {
  if (first.size > second.size) return false;
  if (second.size === 0 && second.top !== EMPTY_ROOT) return false; // of no entries there is one head
  if (first.size === 0) return path.length === 0 && first.top === EMPTY_ROOT;
  if (first.size === second.size) return path.length === 0 && first.top === second.top;
  const isWhole = (BigInt(first.size) & (BigInt(first.size) - 1n)) === 0n;
  const tops = await topsOf(first.size, second.size, isWhole ? [first.top, ...path] : path);
  return tops !== undefined && tops[0] === first.top && tops[1] === second.top;
}

/** Whether a proof, as a ledger gives it, shows that a head has all entries of an earlier one of the same ledger. */
export async function continues(
  later: Checkpoint,
  earlier: Checkpoint,
  proof: ConsistencyProof,
): Promise<boolean> {
  const isOf = async ({ size, root }: ConsistencyProof["first"], head: Checkpoint) =>
    size === head.size && root === (await rootOver(head.size, fromHex(head.top)));
  const isBetween = (await isOf(proof.first, earlier)) && (await isOf(proof.second, later));
  return later.origin === earlier.origin && isBetween && (await verifyConsistency(proof));
}
