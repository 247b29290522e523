import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { ScoreReader } from "../../src/race/scores.js";
import { peel } from "../../src/select/peel.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { lawOnStairs, STAIRS } from "../race/stairs.js";
import { expectLaw } from "../support/expect-law.js";

const SCORES = [0.5, 0, 0.3];

/** The law of two rounds on stairs: the second among those who did not win the first. */
function lawOfTwoRounds(): Record<string, string> {
  const law = Object.entries(lawOnStairs(SCORES, 1)).flatMap(([first, p]) => {
    const others = [0, 1, 2].filter((index) => index !== Number(first));
    const second = lawOnStairs(
      others.map((index) => SCORES[index]),
      1,
      (place) => others[place],
    );
    return Object.entries(second).map(([index, q]) => [`${first},${index}`, rational(p).times(q)] as const);
  });
  return Object.fromEntries(law.map(([order, p]) => [order, `${p.numerator}/${p.denominator}`]));
}

describe("Peeling", () => {
  it("is round after round without the winners before, by exhaustion on stairs", () => {
    const tree = bitTree(
      (entropy) =>
        peel(new ScoreReader(SCORES), { k: 2, scale: STAIRS.scale }, entropy, STAIRS.noise).map(
          ({ candidate }) => candidate,
        ),
      { depth: 14 },
    );
    expect(tree.undecided.toNumber()).toBe(0);
    expectLaw({ tree, probabilities: lawOfTwoRounds() });
  });

  it("is another law than one shot: everyone draws anew", () => {
    expect(lawOfTwoRounds()).not.toEqual(lawOnStairs(SCORES, 2));
  });

  it("ranks everybody if there are as many rounds as candidates", () => {
    const winners = peel(new ScoreReader([4, 4, 4, 1]), { k: 4, scale: rational(1) }, seededEntropy("all"));
    expect(winners.map(({ candidate }) => candidate).toSorted()).toEqual([0, 1, 2, 3]);
  });
});
