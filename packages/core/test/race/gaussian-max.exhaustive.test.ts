import { describe, expect, it } from "vitest";
import type { Interval } from "../../src/exact/interval.js";
import { rational } from "../../src/exact/rational.js";
import { gaussianMax } from "../../src/race/gaussian-max.js";
import { ScoreReader, type Scores } from "../../src/race/scores.js";
import { LazyGaussian } from "../../src/sample/lazy-gaussian.js";
import { type ChoiceTree, type Choose, choiceTree } from "../../src/testing/choice-tree.js";
import { OutOfBits, replayEntropy } from "../../src/testing/replay-entropy.js";
import { cellProbability, probabilityBelow } from "../sample/gaussian-cells.js";
import { gaussianLaw, lawOf } from "../select/noisy-max-laws.js";
import { expectLaw } from "../support/expect-law.js";
import { lawFromZero } from "../support/law.js";

const OPEN = "open";
const NOTHING = replayEntropy("");

/** A variate in a cell of 2^−widthBits within four standard deviations of 0, of which no more will be known. */
function chooseCell(choose: Choose, widthBits: number, weights: readonly Interval[]): LazyGaussian {
  const chosen = choose(weights);
  if (chosen === weights.length - 1) throw new OutOfBits(0); // beyond
  const cell = chosen - (4 << widthBits);
  const strip = cell < 0 ? -cell - 1 : cell;
  return new LazyGaussian(cell < 0, strip, widthBits, { entropy: NOTHING, word: 0, bits: 0 });
}

/** The law of the winner, from all cells that the variates may lie in; where these do not tell, it stays undecided. */
function lawOverCells(scores: Scores, variance: string, widthBits: number): ChoiceTree {
  const reach = 4 << widthBits;
  const cells = Array.from({ length: 2 * reach }, (_, i) => cellProbability(i - reach, widthBits));
  const weights = [...cells, probabilityBelow(-reach, widthBits).times(2)];
  const run = (choose: Choose) => {
    try {
      return String(
        gaussianMax(new ScoreReader(scores), rational(variance), NOTHING, () =>
          chooseCell(choose, widthBits, weights),
        ),
      );
    } catch (thrown) {
      if (thrown instanceof OutOfBits) return OPEN;
      throw thrown;
    }
  };
  const { mass, undecided } = choiceTree(run, { smallestMass: "1e-30" });
  const open = mass.get(OPEN)!;
  mass.delete(OPEN);
  return { mass, undecided: undecided.plus(open) };
}

describe("gaussianMax, by the cells of its variates", () => {
  it.each([
    { scores: [1, 0], variance: "2" },
    { scores: [0.3, 0.7], variance: "1/5" },
    { scores: [-40n, -37n], variance: "10" },
  ])("has the law of two candidates with scores $scores and σ² = $variance", ({ scores, variance }) => {
    const tree = lawOverCells(scores, variance, 3);
    expectLaw({ tree, probabilities: lawOf(gaussianLaw(scores, variance)) });

    expect(tree.undecided.isBelow("0.07")).toBe(true);
  });

  it("has the law of three candidates: who beats the others", () => {
    const tree = lawOverCells([0, 0, 0], "1", 2);
    expectLaw({ tree, probabilities: lawFromZero(["1/3", "1/3", "1/3"]) });

    expect(tree.undecided.isBelow("0.37")).toBe(true);
  });
});
