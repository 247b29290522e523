/**
 * `discreteLaplace` and `discreteGaussian`, walked over the outcomes of their primitives instead of over bits: each
 * primitive is replaced by a choice with the probabilities that its own bit tree has proven.
 */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Entropy } from "../../src/entropy.js";
import { Interval } from "../../src/exact/interval.js";
import { type Rational, rational } from "../../src/exact/rational.js";
import { discreteGaussian } from "../../src/sample/discrete-gaussian.js";
import { discreteLaplace } from "../../src/sample/discrete-laplace.js";
import { replayEntropy } from "../../src/testing/bit-tree.js";
import { type Choose, choiceTree } from "../../src/testing/choice-tree.js";
import { expectLaw } from "../support/expect-law.js";
import { symmetricLaw } from "../support/law.js";
import { vectors } from "../support/vectors.js";
import { lawOfRounds } from "./law-of-rounds.js";

const PRECISION = 160;
/** Larger variates, which have probability e^−40, are not followed. */
const SCALES_FOLLOWED = 40n;

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

function flip(choose: Choose, probability: Interval): boolean {
  return choose([complement(probability), probability]) === 1;
}

/** ⌊scale·E⌋ for an exponential E: at least y with probability e^(−y/scale). */
function chooseGeometric(choose: Choose, scale: Rational): bigint {
  const values = Number(scale.times(SCALES_FOLLOWED).ceil());
  const tails = Array.from({ length: values + 1 }, (_, y) => expOfMinus(rational(y).dividedBy(scale)));
  const masses = tails.slice(1).map((tail, y) => tails[y].minus(tail));
  const chosen = choose([...masses, tails[values]]);
  if (chosen === values) throw new Ended("beyond");
  return BigInt(chosen);
}

/** x with probability (1 − a)/(1 + a)·a^|x|, a = e^(−1/scale). */
function chooseLaplace(choose: Choose, scale: Rational): bigint {
  const largest = Number(scale.times(SCALES_FOLLOWED).ceil());
  const a = expOfMinus(rational(1).dividedBy(scale));
  const atZero = complement(a).dividedBy(a.plus(1));
  const values = Array.from({ length: 2 * largest + 1 }, (_, i) => i - largest);
  const masses = values.map((x) => atZero.times(expOfMinus(rational(Math.abs(x)).dividedBy(scale))));
  const beyond = expOfMinus(rational(largest + 1).dividedBy(scale))
    .dividedBy(a.plus(1))
    .times(2);
  const chosen = choose([...masses, beyond]);
  if (chosen === values.length) throw new Ended("beyond");
  return BigInt(values[chosen]);
}

function complement(probability: Interval): Interval {
  return probability.negated().plus(1);
}

/** e^(−γ), kept: a tree asks for the same few of them over and over. */
const exponentials = new Map<string, Interval>();
function expOfMinus(gamma: Rational): Interval {
  const key = `${gamma.numerator}/${gamma.denominator}`;
  const value = exponentials.get(key) ?? Interval.from(gamma.negated(), PRECISION).exp();
  exponentials.set(key, value);
  return value;
}
