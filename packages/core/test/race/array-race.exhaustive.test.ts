import { describe, expect, it } from "vitest";
import type { Entropy } from "../../src/entropy.js";
import { rational } from "../../src/exact/rational.js";
import { raceOverArray } from "../../src/race/array-race.js";
import type { Terms } from "../../src/race/contender.js";
import type { FirstCut } from "../../src/race/first-cut.js";
import { exponential, gumbel, laplace, type Noise } from "../../src/race/noise.js";
import { areShared, ScoreReader, type Scores, SharedScores } from "../../src/race/scores.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { real } from "../sample/binary-digits.js";
import { ONE_SHOT } from "../select/selection-laws.js";
import { expectLaw } from "../support/expect-law.js";
import type { Law } from "../support/law.js";
import { lawOnStairs, STAIRS } from "./stairs.js";

function readerOf(scores: Scores): ScoreReader {
  return areShared(scores) ? new SharedScores(scores, {}) : new ScoreReader(scores);
}

function inSharedMemory(scores: readonly number[]): Float64Array {
  const memory = new Float64Array(new SharedArrayBuffer(8 * scores.length));
  memory.set(scores);
  return memory;
}

/** The order that a race over these scores gives. */
function order(
  { scores, places, terms }: { scores: Scores; places: number; terms: Terms },
  guess?: FirstCut,
): (entropy: Entropy) => string {
  const given = guess === undefined ? {} : { guess: () => guess };
  return (entropy) => {
    const race = raceOverArray(readerOf(scores), places, terms, entropy, given);
    return String(race.finish().map(({ id }) => id));
  };
}

const SCORES = [0.5, 0, 0.3, 0.1];

/** Too low, between the scores, above the best, above all keys but few, above all keys; coins for 1 to 3 zeros. */
const GUESSES: readonly FirstCut[] = [
  { cut: -3, zeros: 2 },
  { cut: 0.2, zeros: 1 },
  { cut: 0.6, zeros: 1 },
  { cut: 0.9, zeros: 2 },
  { cut: 1.4, zeros: 3 },
  { cut: 1.4, zeros: 1 },
  { cut: 1.8, zeros: 2 },
  { cut: 2.5, zeros: 1 },
];

/** The same from two parts, of which the second has a race above the cut of the first. */
function orderOfParts(scores: readonly number[], places: number, guess: FirstCut) {
  return (entropy: Entropy): string => {
    const race = raceOverArray(new ScoreReader(scores.slice(0, places)), places, STAIRS, entropy);
    race.settle();
    const start = { floor: race.cut, guess: () => guess };
    const rest = raceOverArray(new ScoreReader(scores.slice(places)), places, STAIRS, entropy, start);
    const { ids } = rest.pool;
    for (let place = 0; place < ids.length; place++) ids[place] += places;
    race.join(rest);
    return String(race.finish().map(({ id }) => id));
  };
}

describe("On stairs, by exhaustion", () => {
  it.each(GUESSES)(
    "a race that goes on above a cut has its law, with the first cut $cut and $zeros zeros for the rest",
    (guess) => {
      for (const places of [1, 2]) {
        const scores = SCORES.slice(0, places + 1);
        const tree = bitTree(orderOfParts(scores, places, guess), { depth: 16 });
        expect(tree.undecided.toNumber()).toBeLessThan(0.04);
        expectLaw({ tree, probabilities: lawOnStairs(scores, places) });
      }
    },
  );

  it.each(GUESSES)("a race of two has its law with the first cut $cut and $zeros zeros", (guess) => {
    const scores = SCORES.slice(0, 2);
    const tree = bitTree(order({ scores, places: 1, terms: STAIRS }, guess), { depth: 16 });
    expect(tree.undecided.toNumber()).toBeLessThan(0.04);
    expectLaw({ tree, probabilities: lawOnStairs(scores, 1) });
  });

  it.each(GUESSES.slice(0, 5))(
    "a race of three has its law with the first cut $cut and $zeros zeros",
    (guess) => {
      const scores = SCORES.slice(0, 3);
      for (const places of [1, 2]) {
        const tree = bitTree(order({ scores, places, terms: STAIRS }, guess), { depth: 16 });
        expect(tree.undecided.toNumber()).toBeLessThan(0.003);
        expectLaw({ tree, probabilities: lawOnStairs(scores, places) });
      }
    },
  );

  it.each(GUESSES)(
    "a race of two in shared memory has its law with the first cut $cut and $zeros zeros",
    (guess) => {
      const scores = SCORES.slice(0, 2);
      const memory = inSharedMemory(scores);
      const tree = bitTree(order({ scores: memory, places: 1, terms: STAIRS }, guess), { depth: 16 });
      expect(tree.undecided.toNumber()).toBeLessThan(0.04);
      expectLaw({ tree, probabilities: lawOnStairs(scores, 1) });
    },
  );

  it("a race of four has its law with the first cut that the scores suggest", () => {
    const tree = bitTree(order({ scores: SCORES, places: 2, terms: STAIRS }), { depth: 16 });
    expect(tree.undecided.toNumber()).toBe(0);
    expectLaw({ tree, probabilities: lawOnStairs(SCORES, 2) });
  });
});

/** Whether 1 beats 0 at scale 1: 1 − e^−1/2, e/(e + 1), and 1 − (1/2 + 1/4)·e^−1 by Laplace noise. */
const e = real("1").exp();
const DUELS = [
  duel(exponential, real("1").minus(real("1/2").div(e))),
  duel(gumbel, e.div(e.plus(1))),
  duel(laplace, real("1").minus(real("3/4").div(e))),
];

function duel(noise: Noise, win: typeof e): { name: string; terms: Terms; law: Law } {
  const law = { "0": win.toFixed(40), "1": real("1").minus(win).toFixed(40) };
  return { name: noise.name, terms: { noise, scale: rational(1) }, law };
}

describe.each(DUELS)("A race of two with $name noise", ({ terms, law }) => {
  it.each([
    { guess: undefined, depth: 16, undecided: 0.09 },
    { guess: { cut: 1, zeros: 2 }, depth: 15, undecided: 0.3 },
    { guess: { cut: 2.5, zeros: 1 }, depth: 14, undecided: 0.6 },
  ])("has its law by exhaustion with the first cut $guess.cut", ({ guess, depth, undecided }) => {
    const tree = bitTree(order({ scores: [1, 0], places: 1, terms }, guess), { depth });
    expect(tree.undecided.toNumber()).toBeLessThan(undecided);
    expectLaw({ tree, probabilities: law });
  });
});

describe("A race over an array", () => {
  it("has its law by exhaustion in words of four bits, of three candidates for two places", () => {
    const { scores, k, law } = ONE_SHOT[1];
    const terms = { noise: exponential, scale: rational(1) };
    const tree = bitTree(order({ scores, places: k, terms }), { depth: 16, wordBits: 4 });
    expect(tree.undecided.toNumber()).toBeLessThan(0.4);
    expectLaw({ tree, probabilities: law });
  });

  it("draws next to nothing for candidates far below the cut", () => {
    const scores = Float64Array.from({ length: 100_000 }, (_, index) =>
      index % 1000 === 7 ? 1e6 + index : index % 500,
    );
    const entropy = seededEntropy("far below");
    order({ scores, places: 10, terms: { noise: exponential, scale: rational(1) } })(entropy);
    expect(entropy.bitsUsed).toBeLessThan(100 * 32);
  });

  it("gives everybody a place if there are as many places as candidates, or more", () => {
    for (const places of [3, 5]) {
      const terms = { noise: gumbel, scale: rational(1) };
      const ids = order({ scores: [5, 1, 9], places, terms })(seededEntropy(places));
      expect(ids.split(",").sort()).toEqual(["0", "1", "2"]);
    }
  });
});
