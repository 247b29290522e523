/** All mechanisms, in the order in which they are shown. The first that may answer a question is its default. */
import { histogramTopK } from "./histogram-top-k.js";
import { integerPartition } from "./integer-partition.js";
import { limitedTopK } from "./limited-top-k.js";
import type { Mechanism } from "./mechanism.js";
import { permuteAndFlip } from "./permute-and-flip.js";
import { quantiles } from "./quantiles.js";
import { selectPartitions } from "./select-partitions.js";
import { stableTopK } from "./stable-top-k.js";
import { stableTopKFixed } from "./stable-top-k-fixed.js";
import { thresholdTopK } from "./threshold-top-k.js";
import { topK } from "./top-k.js";
import { topKSet } from "./top-k-set.js";
import { topKWithGap } from "./top-k-with-gap.js";

/** All mechanisms, in the order in which they are offered. */
export const MECHANISMS: readonly Mechanism[] = [
  topKWithGap,
  topK,
  permuteAndFlip,
  topKSet,
  histogramTopK,
  limitedTopK,
  thresholdTopK,
  stableTopKFixed,
  stableTopK,
  selectPartitions,
  integerPartition,
  quantiles,
];

/** The names of all mechanisms. */
export const MECHANISM_NAMES: readonly string[] = MECHANISMS.map(({ name }) => name);

const BY_NAME: ReadonlyMap<unknown, Mechanism> = new Map(MECHANISMS.map((each) => [each.name, each]));

/** Undefined if none has that name: names come from files and from other programs. */
export function mechanismNamed(name: unknown): Mechanism | undefined {
  return BY_NAME.get(name);
}
