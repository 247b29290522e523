/**
 * The other ways to a top k with gaps, as functions of a case and of the samplers to use, and the walk over
 * all outcomes of these samplers.
 * @module
 */

import { Reference } from "../../../packages/audit/src/reference-samplers.js";
import { type GapCase, outcomeOf } from "../../../packages/audit/test/laws/gap-outcomes.js";
import type { RationalLike } from "../../../packages/core/src/exact/rational.js";
import type { Winner } from "../../../packages/core/src/race/candidates.js";
import { type BitTree, bitTree } from "../../../packages/core/src/testing/bit-tree.js";
import { type ChoiceTree, choiceTree } from "../../../packages/core/src/testing/choice-tree.js";
import { lazyRealTopKWithGap, paperTopKWithGap } from "../../src/study/paper-top-k-with-gap.js";
import { GridStream, rankFree } from "../../src/study/rank-free.js";
import { ChoosingReference } from "./choosing-reference.js";

export type GapOracle = (of: GapCase, reference: Reference) => Required<Winner>[];

/** Of a case, what mechanisms are asked for. */
export function optionsOf({ k, scale, resolution }: GapCase) {
  return { k, scale, resolution };
}

export const byRanks: GapOracle = (of, reference) => rankFree(of.scores, optionsOf(of), reference);

export const byLazyReals: GapOracle = (of, reference) =>
  lazyRealTopKWithGap(of.scores, optionsOf(of), reference);

/** The published algorithm with this M. */
export function byRefinement(refinement: bigint): GapOracle {
  return (of, reference) => paperTopKWithGap(of.scores, { ...optionsOf(of), refinement }, reference);
}

export const byStream: GapOracle = (of, reference) => streamed(of, reference, [...of.scores.keys()]);

export const byReversedStream: GapOracle = (of, reference) =>
  streamed(of, reference, [...of.scores.keys()].reverse());

function streamed(of: GapCase, reference: Reference, order: readonly number[]): Required<Winner>[] {
  const stream = new GridStream(optionsOf(of), reference);
  for (const index of order) stream.push(index, of.scores[index]);
  return stream.finish();
}

/** Every candidate in a stream of its own, merged one after the other. */
export const byMergedStreams: GapOracle = (of, reference) => {
  const alone = (score: RationalLike, index: number) =>
    new GridStream(optionsOf(of), reference).push(index, score);
  return of.scores
    .map(alone)
    .reduce((merged, stream) => stream.merge(merged))
    .finish();
};

/** Over all outcomes of the samplers. */
export function treeOfChoices(oracle: GapOracle, of: GapCase, smallestMass: string): ChoiceTree {
  return choiceTree((choose) => outcomeOf(oracle(of, new ChoosingReference(choose)), of), { smallestMass });
}

/** Over all bits. */
export function treeOfBits(oracle: GapOracle, of: GapCase, depth: number): BitTree {
  return bitTree((entropy) => outcomeOf(oracle(of, new Reference(entropy)), of), { depth });
}

/** Few steps of noise and many ties: the scale is half a step. */
const TIED = { scale: "1/2", resolution: 1, largestGap: 3 };

/** Small enough to be walked. The last is of a resolution that is no grid for its scores. */
export const SMALL_CASES = {
  two: { ...TIED, scores: [1, 0], k: 1 },
  three: { ...TIED, scores: [2, 0, 0], k: 1 },
  allRanked: { ...TIED, scores: [1, 0, 0], k: 2 },
  four: { ...TIED, scores: [-1, -2, -1, -1], k: 2 },
  fractions: { scores: ["7/3", "5/4", 0], k: 1, scale: "1/4", resolution: "1/2", largestGap: 5 },
  coarse: { scores: [1, 0, 0], k: 1, scale: "1/4", resolution: "3/2", largestGap: 2 },
} as const satisfies Record<string, GapCase>;
