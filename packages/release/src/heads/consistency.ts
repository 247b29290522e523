/**
 * Whether the entries under one head are the first of those under a later one, by a proof as RFC 6962 (section 2.1.2) and C2SP
 * `tlog-witness` have it: it doesn't repeat the node over the first entries where that is part of the later tree, and it is empty
 * if both are the same or the first has no entries.
 * @module
 */
import { EMPTY_ROOT, topsOf } from "../ledger/inclusion.js";

/** A number of entries and the node over them. */
export interface SizedTop {
  readonly size: number;
  readonly top: string;
}

export async function isConsistent(
  first: SizedTop,
  second: SizedTop,
  path: readonly string[],
): Promise<boolean> {
  if (first.size > second.size) return false;
  if (first.size === 0) return path.length === 0 && first.top === EMPTY_ROOT;
  if (first.size === second.size) return path.length === 0 && first.top === second.top;
  const isWhole = (BigInt(first.size) & (BigInt(first.size) - 1n)) === 0n;
  const tops = await topsOf(first.size, second.size, isWhole ? [first.top, ...path] : path);
  return tops !== undefined && tops[0] === first.top && tops[1] === second.top;
}
