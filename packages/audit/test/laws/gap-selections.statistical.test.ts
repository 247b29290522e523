import { describe, it } from "vitest";
import type { Entropy } from "../../../core/src/entropy.js";
import { rational } from "../../../core/src/exact/rational.js";
import type { Winner } from "../../../core/src/race/candidates.js";
import { makeNoisyTopK } from "../../../core/src/select/noisy-top-k.js";
import { TopKStream } from "../../../core/src/select/top-k-stream.js";
import { topKWithGap } from "../../../core/src/select/top-k-with-gap.js";
import { expectAccepts, expectRejects, type Tally, tally } from "../../../core/test/support/tally.js";
import { type TopKWithGapVector, vectors } from "../../../core/test/support/vectors.js";
import { floatTopKWithGap } from "../../src/attacks/float-top-k-with-gap.js";
import { caseOf, closedLaw, type GapCase, onGrid, outcomeOf, vectorLaw } from "./gap-outcomes.js";

/** Top k with gaps as it is released, over arrays and streams, on the vectors that the oracles pass. */

/** A case as these take it: scores are numbers. */
interface NumberCase extends GapCase {
  readonly scores: readonly number[];
}

type Selection = (of: NumberCase, entropy: Entropy) => readonly Winner[];

function numberCaseOf(vector: TopKWithGapVector): NumberCase {
  const of = onGrid(caseOf(vector)); // none of these floors scores
  return { ...of, scores: of.scores.map((score) => rational(score).toNumber()) };
}

const streamOf = ({ k, scale, resolution }: NumberCase, entropy: Entropy) =>
  new TopKStream({ k, scale, resolution, entropy });

const SELECTIONS: readonly [string, Selection][] = [
  [
    "topKWithGap",
    ({ scores, largestGap: _, ...options }, entropy) => topKWithGap(scores, { ...options, entropy }).winners,
  ],
  [
    "topKWithGap on a typed array, negated",
    ({ scores, largestGap: _, ...options }, entropy) => {
      const negated = Float64Array.from(scores, (score) => -score);
      return topKWithGap(negated, { ...options, negate: true, entropy }).winners;
    },
  ],
  [
    "makeNoisyTopK",
    ({ scores, largestGap: _, ...options }, entropy) =>
      makeNoisyTopK({ ...options, measure: "pure" }).invoke(scores, entropy).winners,
  ],
  ["TopKStream", (of, entropy) => streamOf(of, entropy).pushScores(of.scores).finish().winners],
  [
    "TopKStream from the last to the first",
    (of, entropy) => {
      const candidates = [...of.scores.entries()].reverse();
      return streamOf(of, entropy).pushAll(candidates).finish().winners;
    },
  ],
  [
    "TopKStreams that are merged",
    (of, entropy) =>
      [...of.scores.entries()]
        .map(([index, score]) => streamOf(of, entropy).push(index, score))
        .reduce((merged, stream) => stream.merge(merged))
        .finish().winners,
  ],
];

function draws(name: string, selection: Selection, of: NumberCase, runs: number): Tally {
  const sample = (entropy: Entropy) => outcomeOf(selection(of, entropy), of);
  return tally({ seed: `${name} ${of.scores}`, runs, sample });
}

describe.each(SELECTIONS)("%s", (name, selection) => {
  it.each(vectors.noisy_topk_gap)("has the law of the vector $name", (vector) => {
    expectAccepts(draws(name, selection, numberCaseOf(vector), 5_000), vectorLaw(vector));
  });

  it.each<NumberCase>([
    { scores: [0.1, 0.9, 0.2], k: 1, scale: "1/5", resolution: 1, largestGap: 2 },
    { scores: [7 / 3, 5 / 4, 0.7, -0.35], k: 2, scale: "1/2", resolution: "2/3", largestGap: 2 },
  ])("has its law for fractions, which are not floored: $scores", (of) => {
    const drawn = draws(name, selection, of, 5_000);
    expectAccepts(drawn, closedLaw(of));
    expectRejects(drawn, closedLaw(onGrid(of)));
  });

  it("is told from noise that is 10 percent off", () => {
    const of = numberCaseOf(vectors.noisy_topk_gap[1]);
    const off = { ...of, scale: rational(of.scale).times("1.1") };
    expectRejects(draws(name, selection, of, 10_000), closedLaw(off));
  });
});

describe("floatTopKWithGap, which is unsafe", () => {
  it("is no worse than others by its figures: χ² does not see what an adversary sees", () => {
    const vector = vectors.noisy_topk_gap[0];
    const of = numberCaseOf(vector);
    const unsafe: Selection = ({ scores, k, scale }, entropy) =>
      floatTopKWithGap(scores, { k, scale: rational(scale).toNumber(), entropy }).map(({ index, gap }) => ({
        candidate: index,
        gap: rational(gap),
      }));
    expectAccepts(draws("float", unsafe, of, 5_000), vectorLaw(vector));
  });
});
