import { describe, expect, it } from "vitest";
import { Reference } from "../../../audit/src/reference-samplers.js";
import { Interval } from "../../src/exact/interval.js";
import { Rational, type RationalLike, rational } from "../../src/exact/rational.js";
import { type PermuteAndFlipOptions, permuteAndFlip } from "../../src/select/permute-and-flip.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { type Choose, choiceTree } from "../../src/testing/choice-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";

import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectLaw } from "../support/expect-law.js";
import { lawFromZero } from "../support/law.js";
import { vectors } from "../support/vectors.js";
import { exponentialLaw, lawOf } from "./noisy-max-laws.js";
import { referencePermuteAndFlip } from "./reference-permute-and-flip.js";

const PRECISION = 160;

/** A reference whose coins and uniform integers are choices with the probabilities that are proven for them. */
class Choosing extends Reference {
  readonly choose: Choose;

  constructor(choose: Choose) {
    super(replayEntropy(""));
    this.choose = choose;
  }

  override uniformBelow(n: bigint): bigint {
    const each = Interval.from(Rational.of(1n, n), PRECISION);
    return BigInt(this.choose(Array.from({ length: Number(n) }, () => each)));
  }

  override bernoulliExp(p: bigint, q: bigint): boolean {
    const heads = Interval.from(Rational.of(-p, q), PRECISION).exp();
    return this.choose([heads.negated().plus(1), heads]) === 1;
  }
}

/** The law of the reference algorithm, by all outcomes of its shuffle and its coins. */
function referenceLaw(scores: readonly number[], scale: RationalLike) {
  return choiceTree((choose) => referencePermuteAndFlip(new Choosing(choose), scores, rational(scale)), {
    smallestMass: "1e-40",
  });
}

describe("The reference permute-and-flip, by the tree of its shuffle and coins", () => {
  it.each(vectors.permute_and_flip)("has its law for scores $scores", ({ scores, scale, probs }) => {
    const tree = referenceLaw(scores, scale);
    expectLaw({ tree, probabilities: lawFromZero(probs) });
    expect(tree.undecided.isBelow("1e-30")).toBe(true);
  });

  it.each(vectors.permute_and_flip)("has the law of exponential noise for scores $scores", (vector) => {
    const { scores, scale } = vector;
    const tree = referenceLaw(scores, scale);
    exponentialLaw(scores, scale).forEach((probability, index) => {
      const difference = probability.withPrecision(PRECISION).minus(tree.mass.get(String(index))!);
      expect(difference.contains(0)).toBe(true);
    });
  });
});

describe("permuteAndFlip, by bit tree", () => {
  it.each([
    { scores: [1, 0], scale: "2", depth: 12, wordBits: 1, undecided: "0.04" },
    { scores: [0, 0], scale: "1/3", depth: 12, wordBits: 1, undecided: "0.06" },
    { scores: [0.7, 3], scale: "5/2", depth: 16, wordBits: 4, undecided: "0.01" },
    { scores: [1, 0, 2], scale: "2", depth: 15, wordBits: 3, undecided: "0.1" },
  ])(
    "has its law for scores $scores and scale $scale in words of $wordBits bits",
    ({ scores, scale, undecided, ...options }) => {
      const tree = bitTree((entropy) => permuteAndFlip(scores, { scale, entropy }).candidate, options);
      expectLaw({ tree, probabilities: lawOf(exponentialLaw(scores, scale)) });
      expect(tree.undecided.compare(undecided)).toBe(-1);
    },
  );

  it("has the same law for a candidate of score 0 that is not listed", () => {
    const tree = bitTree(
      (entropy) => permuteAndFlip([1], { scale: 2, domain: { size: 2 }, entropy }).candidate,
      {
        depth: 14,
      },
    );
    expectLaw({ tree, probabilities: lawOf(exponentialLaw([1, 0], 2)) });
    expect(tree.undecided.compare("0.05")).toBe(-1);
  });

  it("takes the smallest score when negated", () => {
    const tree = bitTree((entropy) => permuteAndFlip([1, 2], { scale: 2, negate: true, entropy }).candidate, {
      depth: 12,
    });
    expectLaw({ tree, probabilities: lawOf(exponentialLaw([-1, -2], 2)) });
  });
});

/** All scores in a box and all neighbours: each score moves by −1, 0 or 1, or by 0 or 1 if they are monotone. */
function* neighbours(candidates: number, monotone: boolean) {
  for (const scores of tuples([0, 1, 3], candidates))
    for (const moves of tuples(monotone ? [0, 1] : [-1, 0, 1], candidates))
      yield [scores, scores.map((score, i) => score + moves[i])];
}

function tuples(values: readonly number[], length: number): number[][] {
  if (length === 0) return [[]];
  return tuples(values, length - 1).flatMap((head) => values.map((value) => [...head, value]));
}

/** The largest ratio of probabilities of any answer between neighbours, as an enclosure. */
function largestRatio(candidates: number, scale: RationalLike, monotone: boolean): Interval {
  const laws = new Map<string, Interval[]>();
  const lawAt = (scores: number[]) => {
    const key = String(scores);
    if (!laws.has(key)) laws.set(key, exponentialLaw(scores, scale));
    return laws.get(key)!;
  };
  let largest = Interval.from(1, 192);
  for (const [scores, moved] of neighbours(candidates, monotone)) {
    const [before, after] = [lawAt(scores), lawAt(moved)];
    for (let i = 0; i < candidates; i++)
      for (const ratio of [before[i].dividedBy(after[i]), after[i].dividedBy(before[i])])
        if (ratio.lo > largest.lo) largest = ratio;
  }
  return largest;
}

describe("The privacy of permuteAndFlip", () => {
  const epsilon = rational("2/3");
  const allowed = Interval.from(epsilon, 192).exp();

  it.each([2, 3].flatMap((candidates) => [true, false].map((monotone) => ({ candidates, monotone }))))(
    "is the claimed ε exactly, over all neighbours of $candidates candidates, monotone $monotone",
    ({ candidates, monotone }) => {
      const { privacy } = permuteAndFlip([0], { epsilon, monotone, entropy: seededEntropy(1) });
      expect(privacy).toEqual({ measure: "pure", epsilon });
      const scale = (monotone ? rational(1) : rational(2)).dividedBy(epsilon);
      const ratio = largestRatio(candidates, scale, monotone);
      expect(ratio.minus(allowed).isBelow("1e-50")).toBe(true);
      expect(ratio.minus(allowed).isAbove("-1e-50")).toBe(true);
    },
  );

  it.each([{ monotone: true }, { monotone: false }])(
    "is found out with 5 % less noise, monotone $monotone",
    ({ monotone }) => {
      const scale = (monotone ? rational("0.95") : rational("1.9")).dividedBy(epsilon);
      expect(largestRatio(2, scale, monotone).isAbove(allowed)).toBe(true);
    },
  );

  it.each<[PermuteAndFlipOptions, string]>([
    [{ epsilon: "1/2" }, "1/2"],
    [{ epsilon: 1, sensitivity: 3, monotone: true }, "1"],
    [{ scale: 4 }, "1/2"],
    [{ scale: 4, monotone: true }, "1/4"],
    [{ scale: "3/2", sensitivity: "1/2", monotone: true }, "1/3"],
  ])("is reported for %o", (options, loss) => {
    const { privacy } = permuteAndFlip([1, 2], { ...options, entropy: seededEntropy(2) });
    expect(privacy).toEqual({ measure: "pure", epsilon: rational(loss) });
  });
});

describe("permuteAndFlip refuses", () => {
  it.each<[string, readonly number[], object, string]>([
    ["no candidate", [], { epsilon: 1 }, "scores must be a list of 1 or more candidates; got 0"],
    [
      "a score that is not a number",
      [1, Number.NaN],
      { epsilon: 1 },
      "scores must be finite numbers or bigints (up to 1.79e308) throughout",
    ],
    [
      "a score of +∞",
      [1, Infinity],
      { epsilon: 1 },
      "scores must be finite numbers or bigints (up to 1.79e308) throughout",
    ],
    [
      "a score of −∞",
      [-Infinity, 1],
      { epsilon: 1 },
      "scores must be finite numbers or bigints (up to 1.79e308) throughout",
    ],
    ["no budget", [1, 2], {}, 'budget must be exactly one of epsilon, rho and scale; got "none"'],
    [
      "two budgets",
      [1, 2],
      { epsilon: 1, scale: 1 },
      'budget must be exactly one of epsilon, rho and scale; got "epsilon and scale"',
    ],
    ["an ε of 0", [1, 2], { epsilon: 0 }, "epsilon must be a rational > 0; got 0"],
    ["a negative ε", [1, 2], { epsilon: "-1/2" }, 'epsilon must be a rational > 0; got "-1/2"'],
    ["a negative scale", [1, 2], { scale: -1 }, "scale must be a rational >= 0; got -1"],
    [
      "a sensitivity of 0",
      [1, 2],
      { epsilon: 1, sensitivity: 0 },
      "sensitivity must be a rational > 0; got 0",
    ],
    ["a ρ", [1, 2], { rho: 1 }, "rho must be absent, because permute-and-flip has epsilon or scale; got 1"],
    [
      "a domain smaller than the list",
      [1, 2],
      { epsilon: 1, domain: { size: 1 } },
      "size must be at least the number of scores; got 1",
    ],
  ])("%s, before a bit is drawn", (_, scores, options, message) => {
    const entropy = seededEntropy(3);
    const run = () => permuteAndFlip(scores, { ...options, entropy } as PermuteAndFlipOptions);
    expect(run).toThrow(expect.objectContaining({ message }));
    expect(entropy.bitsUsed).toBe(0);
  });
});
