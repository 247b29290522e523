/**
 * A release that commits to its bits: its opening is written before the reservation, to a file that only its owner can read.
 * @module
 */
import { type CommittedBits, limitKeyOf, newOpening } from "winnow-release";
import type { ContributionBound } from "../sources/source.js";
import { type PendingFile, prepareFile } from "../write-file.js";

/** Bits with a file for their opening, which is new. */
export interface KeptBits extends CommittedBits {
  /** The limit on the items of a person, with a key of these bits. */
  boundFor(maxItemsPerUser: number | undefined): ContributionBound | undefined;
  discard(): Promise<void>;
}

/** Undefined without the option. */
export async function prepareBits(
  path: string | undefined,
  id: string,
  inputs: readonly string[],
): Promise<KeptBits | undefined> {
  if (path === undefined) return undefined;
  const file: PendingFile = await prepareFile(path, { inputs, keepsAccess: true });
  const opening = newOpening(id);
  return {
    opening,
    keep: () => file.write(`${JSON.stringify(opening, undefined, 2)}\n`),
    boundFor: (itemsPerUser) =>
      itemsPerUser === undefined ? undefined : { itemsPerUser, key: limitKeyOf(opening) },
    discard: () => file.discard(),
  };
}
