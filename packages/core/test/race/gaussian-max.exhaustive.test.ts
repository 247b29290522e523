import { describe, expect, it } from "vitest";
import type { Interval } from "../../src/exact/interval.js";
import { rational } from "../../src/exact/rational.js";
import { gaussianMax } from "../../src/race/gaussian-max.js";
import { ScoreReader, type Scores } from "../../src/race/scores.js";
import { LazyGaussian, lazyGaussian } from "../../src/sample/lazy-gaussian.js";
import { OutOfBits, replayEntropy } from "../../src/testing/bit-tree.js";
import { type ChoiceTree, type Choose, choiceTree } from "../../src/testing/choice-tree.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
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

/** N = 1/2 + whole, with zeros for all further digits. */
function halfPast(whole: number): LazyGaussian {
  const entropy = replayEntropy("0".repeat(32 * 20), { wordBits: 32 });
  return new LazyGaussian(false, whole, 0, { entropy, word: 1 << 30, bits: 31 });
}

describe("gaussianMax", () => {
  // Keys are a + σ/2 and 3σ/2 with σ = √2·10^40, so that a is compared with σ.
  const ROOT_OF_TWO = 14142135623730950488016887242096980785696n;

  it.each([
    { distance: "just below", a: ROOT_OF_TWO, winner: 1 },
    { distance: "just above", a: ROOT_OF_TWO + 1n, winner: 0 },
  ])("tells a score from an irrational σ that it is $distance by a part in 10^40", ({ a, winner }) => {
    const variates = [halfPast(0), halfPast(1)];
    const draw = () => variates.shift()!;
    expect(gaussianMax(new ScoreReader([a, 0n]), rational("2e80"), NOTHING, draw)).toBe(winner);
  });

  it("refines variates that agree in their first digits", () => {
    const digits = "0110".repeat(16);
    const variate = (last: string) => {
      const entropy = replayEntropy(digits + last.repeat(32), { wordBits: 32 });
      return new LazyGaussian(true, 3, 4, { entropy, word: 12345, bits: 31 });
    };
    for (const [first, second, winner] of [
      ["0", "1", 0], // the digits of a negative number: the smaller fraction is the larger number
      ["1", "0", 1],
    ] as const) {
      const variates = [variate(first), variate(second)];
      const draw = () => variates.shift()!;
      expect(gaussianMax(new ScoreReader([5, 5]), rational(3), NOTHING, draw)).toBe(winner);
    }
  });

  it.each(["1e-9", "1/3", "7", "1e12"])(
    "gives the largest key that its variates allow, for σ² = %s",
    (variance) => {
      const sigma = Math.sqrt(rational(variance).toNumber());
      const scores = [0.5, -3, 7, 7.25, 1e6, 999_999, 12];
      for (let run = 0; run < 100; run++) {
        const winner = gaussianMax(new ScoreReader(scores), rational(variance), seededEntropy(run));
        const entropy = seededEntropy(run);
        const keys = scores.map((score) => score + sigma * lazyGaussian(entropy).lower);
        expect(keys[winner]).toBe(Math.max(...keys));
      }
    },
  );

  it.each([
    { variance: "1e-700", scores: [0, 5e-324], winners: [1] },
    { variance: "1e-700", scores: [0, 0], winners: [0, 1] },
    { variance: "1e-646", scores: [0, 5e-324], winners: [0, 1] },
    { variance: "1e700", scores: [-1e308, 1e308], winners: [0, 1] },
    { variance: "1e600", scores: [1.7e308, -1.7e308], winners: [0] },
  ])(
    "draws as usual beyond the doubles: σ² = $variance and scores $scores",
    ({ variance, scores, winners }) => {
      const entropy = seededEntropy(`extreme ${variance}`);
      const seen = new Set<number>();
      for (let run = 0; run < 40; run++)
        seen.add(gaussianMax(new ScoreReader(scores), rational(variance), entropy));
      expect([...seen].sort()).toEqual(winners);
    },
  );
});
