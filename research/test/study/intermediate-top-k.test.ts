import { describe, expect, it } from "vitest";
import { lawOf } from "../../../packages/audit/src/laws/law.js";
import { exponentialTopKLaw } from "../../../packages/audit/src/laws/top-k-laws.js";
import { likelihoodRatio, neighboursOf } from "../../../packages/audit/src/likelihood-ratio.js";
import { Reference } from "../../../packages/audit/src/reference-samplers.js";
import { closedLaw, decimals } from "../../../packages/audit/test/laws/gap-outcomes.js";
import { rational } from "../../../packages/core/src/exact/rational.js";
import { choiceTree } from "../../../packages/core/src/testing/choice-tree.js";
import { replayEntropy } from "../../../packages/core/src/testing/replay-entropy.js";
import { seededEntropy } from "../../../packages/core/src/testing/seeded-entropy.js";
import { expectLaw } from "../../../packages/core/test/support/expect-law.js";
import { vectors } from "../../../packages/core/test/support/more-vectors.js";
import { expectAccepts, expectRejects, tally } from "../../../packages/core/test/support/tally.js";
import {
  geometricNoisyMax,
  intermediateTopKWithGap,
  lazyRealTopKWithGap,
} from "../../src/study/paper-top-k-with-gap.js";
import { ChoosingReference } from "./choosing-reference.js";
import { type GapOracle, optionsOf, SMALL_CASES, treeOfBits } from "./gap-oracles.js";

const byIntermediate: GapOracle = (of, reference) =>
  intermediateTopKWithGap(of.scores, { ...optionsOf(of), refinement: 2n }, reference).winners;

/** Gives the i-th exponential the bits of a stream of its own, so that two algorithms see the same real numbers. */
class SameReals extends Reference {
  readonly #seed: number;
  #drawn = 0;

  constructor(seed: number) {
    super(replayEntropy(""));
    this.#seed = seed;
  }

  override lazyExponential() {
    return new Reference(seededEntropy(`${this.#seed} ${this.#drawn++}`)).lazyExponential();
  }
}

describe("Algorithm 3 of [Ding23]", () => {
  it("gives the answers of Algorithm 2 on the same real numbers", () => {
    const cases = [
      { scores: [3, 3, 2, 0], k: 2, scale: 1, resolution: 1 },
      { scores: [0, 0, 0, 0, 0], k: 3, scale: "1/2", resolution: "1/3" },
      { scores: ["1/2", "2/5"], k: 1, scale: 2, resolution: "1/4" },
    ];
    let refined = 0;
    for (const { scores, ...options } of cases)
      for (let seed = 0; seed < 60; seed++)
        for (const refinement of [2n, 10n]) {
          const found = intermediateTopKWithGap(scores, { ...options, refinement }, new SameReals(seed));
          expect(found.winners).toEqual(lazyRealTopKWithGap(scores, options, new SameReals(seed)));
          if (found.refinements > 0) refined++;
        }
    expect(refined).toBeGreaterThan(100);
  });

  it("has the law of the closed form over all bits, to 0.85", () => {
    const tree = treeOfBits(byIntermediate, SMALL_CASES.two, 14);
    expectLaw({ tree, probabilities: closedLaw(SMALL_CASES.two) });
    expect(tree.undecided.compare("0.85")).toBe(-1);
  });

  it.each(vectors.algorithm3)("refines as often as it must: distance $score_difference, M = $M", (vector) => {
    const { score_difference, resolution, M, scale, prob_tie_at_depth } = vector;
    const draws = (stretched: string) =>
      tally({
        seed: `refinements ${M}`,
        runs: 3000,
        sample: (entropy) =>
          intermediateTopKWithGap(
            [score_difference, 0],
            { k: 1, scale: rational(scale).times(stretched), resolution, refinement: BigInt(M) },
            new Reference(entropy),
          ).refinements,
        key: (refinements) => String(Math.min(refinements, 2)),
      });
    const [more0, more1] = prob_tie_at_depth.map((p) => rational(p));
    const law = {
      0: String(rational(1).minus(more0)),
      1: String(more0.minus(more1)),
      2: String(more1),
    };
    expectAccepts(draws("1"), law);
    expectRejects(draws("1/4"), law);
  });

  it.each([
    [{ k: 2 }, "k must be an integer below the number of candidates; got 2"],
    [{ k: 1, refinement: 1n }, "refinement must be an integer >= 2; got 1n"],
    [{ k: 1, prune: true }, "options has an unknown name"],
  ])("refuses %o before a bit is drawn", (options, message) => {
    const reference = new Reference(replayEntropy(""));
    expect(() => intermediateTopKWithGap([1, 2], { scale: 1, resolution: 1, ...options }, reference)).toThrow(
      message,
    );
  });
});

describe("The noisy max of Lemma 4.1", () => {
  const treeOf = (scores: readonly (number | bigint)[]) =>
    choiceTree((choose) => String(geometricNoisyMax(scores, { scale: 2 }, new ChoosingReference(choose))), {
      smallestMass: "1e-6",
    });

  it.each([[[0, 0]], [[3, 1]], [[1n, 0n, 1n]]])("has the law of permute-and-flip: %o", (scores) => {
    const tree = treeOf(scores);
    expectLaw({ tree, probabilities: decimals(exponentialTopKLaw(scores, { k: 1, scale: 2 })) });
    expect(tree.undecided.isBelow("0.01")).toBe(true);
  });

  it("loses 2Δ/β, and not more", () => {
    const law = (scores: readonly number[]) => lawOf(treeOf(scores));
    const around = neighboursOf([0, 0]).map((scores) => scores.map((score) => score.toNumber()));
    const { least, most } = likelihoodRatio(law([1, -1]), [law([0, 0])]);
    expect(rational(least).compare("0.6") > 0 && rational(most).compare("1.001") < 0).toBe(true);
    for (const scores of around)
      expect(rational(likelihoodRatio(law([0, 0]), [law(scores)]).most).compare("1.001")).toBe(-1);
  });

  it("would have another law with the first of the equals: 1/(1 + e^(−1/β)) in place of 1/2", () => {
    const first = choiceTree(
      (choose) => {
        const reference = new ChoosingReference(choose);
        const [a, b] = [reference.geometric(1n, 2n), reference.geometric(1n, 2n)];
        return a >= b ? "0" : "1";
      },
      { smallestMass: "1e-6" },
    );
    const p = 1 / (1 + Math.exp(-1 / 2));
    expect(
      lawOf(first)
        .get("0")!
        .isAbove(String(p - 0.005)),
    ).toBe(true);
    expect(
      lawOf(first)
        .get("0")!
        .isBelow(String(p + 0.005)),
    ).toBe(true);
  });

  it("refuses scores that are not integers, and none, before a bit is drawn", () => {
    const reference = new Reference(replayEntropy(""));
    expect(() => geometricNoisyMax([1, 0.5], { scale: 1 }, reference)).toThrow("scores must be an integer");
    expect(() => geometricNoisyMax([], { scale: 1 }, reference)).toThrow(
      "scores must be a list of 1 or more",
    );
  });
});
