/**
 * `discreteLaplace` and `discreteGaussian`, walked over the outcomes of their primitives instead of over bits: each
 * primitive is replaced by a choice with the probabilities that its own bit tree has proven.
 */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Entropy } from "../../src/entropy.js";
import { Interval } from "../../src/exact/interval.js";
import type { Rational } from "../../src/exact/rational.js";
import { discreteGaussian } from "../../src/sample/discrete-gaussian.js";
import { discreteLaplace } from "../../src/sample/discrete-laplace.js";
import { type Choose, choiceTree } from "../../src/testing/choice-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { expectLaw } from "../support/expect-law.js";
import { symmetricLaw } from "../support/law.js";
import {
  chooseFollowed,
  expOfMinus,
  flip,
  geometricMasses,
  laplaceMasses,
  PRECISION,
} from "../support/primitive-masses.js";
import { vectors } from "../support/vectors.js";
import { lawOfRounds } from "./law-of-rounds.js";

/** Ends a run that begins a second round, or whose variate is too large to follow. */
class Ended extends Error {}

const primitives = vi.hoisted(() => ({
  drawGeometric: (_scale: Rational): bigint => 0n,
  drawDiscreteLaplace: undefined as undefined | ((scale: Rational) => bigint),
  drawBernoulliExp: (_gamma: Rational): boolean => true,
}));

vi.mock("../../src/sample/geometric.js", () => ({
  drawGeometric: (scale: Rational) => primitives.drawGeometric(scale),
}));
vi.mock("../../src/sample/bernoulli-exp.js", () => ({
  drawBernoulliExp: (gamma: Rational) => primitives.drawBernoulliExp(gamma),
}));
vi.mock("../../src/sample/discrete-laplace.js", async (original) => {
  const actual = await original<typeof import("../../src/sample/discrete-laplace.js")>();
  return {
    ...actual,
    drawDiscreteLaplace: (scale: Rational, entropy: Entropy) =>
      primitives.drawDiscreteLaplace?.(scale) ?? actual.drawDiscreteLaplace(scale, entropy),
  };
});

beforeEach(() => {
  primitives.drawDiscreteLaplace = undefined;
});

describe("The tree of the primitives' outcomes", () => {
  it.each(vectors.discrete_laplace)("gives discreteLaplace its law for scale $t/$s", ({ s, t, pmf_abs }) => {
    const round = choiceTree(
      (choose) =>
        oneRound((nextRound) => {
          primitives.drawGeometric = (scale) => nextRound() ?? chooseGeometric(choose, scale);
          return discreteLaplace(`${t}/${s}`, choosingEntropy(choose));
        }),
      { smallestMass: "1e-30" },
    );
    const tree = lawOfRounds(round, { rejected: "again", unknown: "beyond" });
    expectLaw({ tree, probabilities: symmetricLaw(pmf_abs) });
    expect(tree.undecided.isBelow("1e-16")).toBe(true);
  });

  it.each(vectors.discrete_gaussian)(
    "gives discreteGaussian its law for σ² = $sigma2",
    ({ sigma2, pmf_abs }) => {
      const round = choiceTree(
        (choose) =>
          oneRound((nextRound) => {
            primitives.drawDiscreteLaplace = (scale) => nextRound() ?? chooseLaplace(choose, scale);
            primitives.drawBernoulliExp = (gamma) => flip(choose, expOfMinus(gamma));
            return discreteGaussian(sigma2, replayEntropy(""));
          }),
        { smallestMass: "1e-30" },
      );
      const tree = lawOfRounds(round, { rejected: "again", unknown: "beyond" });
      expectLaw({ tree, probabilities: symmetricLaw(pmf_abs) });
      expect(tree.undecided.isBelow("1e-16")).toBe(true);
    },
  );
});

/** Runs a rejection loop to the end of its first round. `nextRound` is undefined at first and then ends the run. */
function oneRound(run: (nextRound: () => undefined) => bigint): string {
  let rounds = 0;
  try {
    return String(
      run(() => {
        if (rounds++ > 0) throw new Ended("again");
        return undefined;
      }),
    );
  } catch (thrown) {
    if (thrown instanceof Ended) return thrown.message;
    throw thrown;
  }
}

function choosingEntropy(choose: Choose): Entropy {
  const fill = (words: Uint32Array) => {
    words[0] = flip(choose, Interval.from("1/2", PRECISION)) ? 1 : 0;
  };
  return new Entropy({ fill, wordBits: 1, poolWords: 1 });
}

/** ⌊scale·E⌋ for an exponential E. */
function chooseGeometric(choose: Choose, scale: Rational): bigint {
  return chooseFollowed(choose, geometricMasses(scale)) ?? beyond();
}

function chooseLaplace(choose: Choose, scale: Rational): bigint {
  const masses = laplaceMasses(scale);
  return chooseFollowed(choose, masses, 1 - masses.length / 2) ?? beyond();
}

function beyond(): never {
  throw new Ended("beyond");
}
