/**
 * Two attacks on weights that floating point loses, each with its victim. UNSAFE, for study only: both victims are
 * textbook exponential mechanisms, and an outcome of positive probability never comes up.
 *
 * Zero-rounding [Ilv20, Attack 1]. The victim is the exponential mechanism as everyone would write it first [Ilv20,
 * Figure 1], with the paper's line numbers at the ends of lines; low utilities win, and a weight below 10^−324 is
 * rounded to zero. All utilities are x, where e^(−x/2) is the smallest number that isn't rounded to zero. If Alice is
 * in the data, all but the first are x + 1: no utility moves by more than 1, yet all weights except the first vanish,
 * and the first outcome is certain where it was one of a thousand.
 *
 * Truncated addition [Ilv20, Attack 2]. The victim works in single precision, as on a graphics card or over a
 * `Float32Array`: a weight below 2^−24 of the sum so far changes nothing when it is added. The first outcome has a large weight and eight million others a tiny one
 * each, together about as much. If Alice is in the data, the large weight is e^(1/2) times larger and the tiny ones
 * that much smaller: just so small that adding one of them to the large one changes nothing, and neither does adding
 * all of them one by one.
 *
 * In double precision the limit is 2^−53 and the fault is the same: with two outcomes one is impossible with Alice and
 * possible without her (a test shows it), so no ε holds. But n weights below 2^−53 of the sum have a chance of at most
 * n·2^−53·e^ε together. To be seen in a few thousand rounds it would take some 2^42 outcomes, which no one lists; so the
 * game is played in single precision, where 2^23 are enough, and in half precision against base 2, where 2^10 are.
 * @module
 */
import { base2Exponential, type Entropy, etaAtMost, topK } from "winnow-dp";
import { type AttackDefinition, defineAttack, type World } from "./attack.js";

const ZERO_ROUNDING_OUTCOMES = 1000;
const ZERO_ROUNDING_EPSILON = 1;

const ZERO_ROUNDING = {
  mistake: "computes e^(−ε·utility/2) as a double, which is 0 from a utility of about 1,490 on",
  trick: "asks for utilities at that edge, so that Alice turns all weights but one to zero",
  source: "[Ilv20, Attack 1, Figure 1] [Sho25, sampling vulnerabilities]",
  epsilon: ZERO_ROUNDING_EPSILON,
  rounds: 2000,
  textbook: {
    name: "exponential mechanism in doubles",
    prepare: () => {
      const worlds = utilitiesOfWorlds();
      return (world, entropy) =>
        guessByFirst(naiveExponentialMechanism(worlds[world], ZERO_ROUNDING_EPSILON, entropy));
    },
  },
} satisfies Omit<AttackDefinition, "id" | "title" | "defence" | "ours">;

export const zeroRounding = defineAttack({
  ...ZERO_ROUNDING,
  id: "zero-rounding",
  title: "Weights rounded to zero",
  defence:
    "no weight is ever computed: candidates race with exact noise, and only differences of scores matter",
  ours: {
    name: "topK with ρ = ε²/8, the exponential mechanism",
    prepare: () => {
      const worlds = utilitiesOfWorlds();
      return (world, entropy) => {
        const { winners } = topK(worlds[world], { k: 1, rho: "1/8", negate: true, entropy });
        return guessByFirst(winners[0].candidate);
      };
    },
  },
});

/** The public bounds of utilities, beyond the edge at which weights vanish. */
const UTILITIES = { lower: 0, upper: 2000 };

export const zeroRoundingInBase2 = defineAttack({
  ...ZERO_ROUNDING,
  id: "zero-rounding-base2",
  title: "Weights rounded to zero, against base 2",
  defence: "weights are powers of a dyadic fraction, held exactly however small they are",
  ours: {
    name: "base2Exponential",
    prepare: () => {
      const worlds = utilitiesOfWorlds();
      const eta = etaAtMost(ZERO_ROUNDING_EPSILON);
      const options = {
        eta,
        ...UTILITIES,
        maxCandidates: ZERO_ROUNDING_OUTCOMES,
        mode: "optimised",
      } as const; // no one holds a stopwatch here
      return (world, entropy) => {
        const { candidate: index } = base2Exponential(worlds[world], (utility) => utility, {
          ...options,
          entropy,
        });
        return guessByFirst(index);
      };
    },
  },
});

/** Without Alice, and with her. */
function utilitiesOfWorlds(): [number[], number[]] {
  let edge = 0;
  while (Math.exp(-(ZERO_ROUNDING_EPSILON / 2) * (edge + 1)) > 0) edge++;
  const without = Array.from({ length: ZERO_ROUNDING_OUTCOMES }, () => edge);
  return [without, without.map((utility, index) => (index === 0 ? utility : utility + 1))];
}

function guessByFirst(outcome: number): World {
  return outcome === 0 ? 1 : 0;
}

/**
 * UNSAFE: an index with probability about proportional to e^(−ε·utility/2).
 *
 * @example
 * ```ts
 * import { naiveExponentialMechanism } from "winnow-audit";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * // Not private: weights that underflow are lost.
 * naiveExponentialMechanism([0, 5000], 1, seededEntropy("float")); // → 0
 * ```
 */
export function naiveExponentialMechanism(
  utilities: readonly number[],
  epsilon: number,
  entropy: Entropy,
): number {
  const weights = utilities.map((utility) => Math.exp(-(epsilon / 2) * utility)); // 10
  const total = weights.reduce((sum, weight) => sum + weight, 0); // 11
  const uniform = entropy.bits(53) / 0x20_0000_0000_0000; // 15
  let cumulative = 0;
  const chosen = weights.findIndex((weight) => {
    cumulative += weight; // 13
    return cumulative / total >= uniform; // 17, 18
  });
  return chosen < 0 ? weights.length - 1 : chosen;
}

const TRUNCATED_ADDITION_OUTCOMES = 1 << 23;
const TRUNCATED_ADDITION_EPSILON = 1;
/** The utility of all others without Alice: e^(−(SMALL + 1)/2) is just below half a unit in the last place of 1. */
const SMALL = 32.3;
/** The first outcome's utility and everyone else's, without Alice and with her. */
const TRUNCATED_ADDITION_WORLDS = [
  { first: 1, others: SMALL },
  { first: 0, others: SMALL + 1 },
];

export const truncatedAddition = defineAttack({
  id: "truncated-addition",
  title: "Weights lost in a sum, in single precision",
  mistake:
    "adds weights of very different size, in single precision; all of them are positive. In doubles the fault is the same, and too rare for a game",
  trick: "chooses utilities so that Alice makes the small weights vanish beside the large one",
  defence:
    "nothing is summed: of eight million candidates with one score, exact noise decides how many matter",
  source: "[Ilv20, Attack 2]",
  epsilon: TRUNCATED_ADDITION_EPSILON,
  rounds: 6000,
  textbook: {
    name: "exponential mechanism over a Float32Array",
    prepare: () => {
      const mechanisms = TRUNCATED_ADDITION_WORLDS.map(({ first, others }) => {
        const utility = (outcome: number) => (outcome === 0 ? first : others);
        return new ShortFloatMechanism(
          TRUNCATED_ADDITION_OUTCOMES,
          utility,
          TRUNCATED_ADDITION_EPSILON,
          Math.fround,
        );
      });
      return (world, entropy) => guessByLargest(mechanisms[world].draw(entropy));
    },
  },
  ours: {
    name: "topK with ρ = ε²/8 and a domain size",
    // Only differences of utilities count: all others have score 0 and need not be listed.
    prepare: () => (world, entropy) => {
      const { first, others } = TRUNCATED_ADDITION_WORLDS[world];
      const { winners } = topK([others - first], {
        k: 1,
        rho: "1/8",
        domain: { size: TRUNCATED_ADDITION_OUTCOMES },
        entropy,
      });
      return guessByLargest(winners[0].candidate);
    },
  },
});

/** As on a graphics card with half precision: a significand of 11 bits, so that 2^10 outcomes are enough. */
const HALF_OUTCOMES = 1 << 10;
/** e^(−(small + 1)/2) is just below half a unit in the last place of 1. */
const HALF_SMALL = 14.3;
const HALF_WORLDS = [
  { first: 1, others: HALF_SMALL },
  { first: 0, others: HALF_SMALL + 1 },
].map(({ first, others }) =>
  Array.from({ length: HALF_OUTCOMES }, (_, outcome) => (outcome === 0 ? first : others)),
);

export const truncatedAdditionInBase2 = defineAttack({
  id: "truncated-addition-base2",
  title: "Weights lost in a sum, in half precision, against base 2",
  mistake: "adds weights of very different size, in half precision; all of them are positive",
  trick: "chooses utilities so that Alice makes the small weights vanish beside the large one",
  defence: "integers choose a proposal and an exact coin keeps it; no weight is added to another",
  source: "[Ilv20, Attack 2]",
  epsilon: TRUNCATED_ADDITION_EPSILON,
  rounds: 6000,
  textbook: {
    name: "exponential mechanism in half precision",
    prepare: () => {
      const mechanisms = HALF_WORLDS.map(
        (utilities) =>
          new ShortFloatMechanism(
            HALF_OUTCOMES,
            (i) => utilities[i],
            TRUNCATED_ADDITION_EPSILON,
            halfPrecision,
          ),
      );
      return (world, entropy) => guessByLargest(mechanisms[world].draw(entropy));
    },
  },
  ours: {
    name: "base2Exponential",
    prepare: () => {
      const options = {
        epsilon: TRUNCATED_ADDITION_EPSILON,
        lower: 0,
        upper: 16,
        maxCandidates: HALF_OUTCOMES,
      };
      return (world, entropy) => {
        const { candidate: index } = base2Exponential(HALF_WORLDS[world], (utility) => utility, {
          ...options,
          entropy,
        });
        return guessByLargest(index);
      };
    },
  },
});

/** The nearest number with 11 significant bits, by Veltkamp's splitting; of numbers as large as here, which half precision has. */
function halfPrecision(value: number): number {
  const product = value * 0x400_0000_0001; // 2^42 + 1
  return product - (product - value);
}

function guessByLargest(outcome: number): World {
  return outcome === 0 ? 1 : 0;
}

class ShortFloatMechanism {
  readonly #cumulative: Float32Array;
  readonly #rounded: (value: number) => number;

  constructor(
    outcomes: number,
    utility: (outcome: number) => number,
    epsilon: number,
    rounded: (value: number) => number,
  ) {
    this.#cumulative = new Float32Array(outcomes);
    this.#rounded = rounded;
    let sum = 0;
    for (let outcome = 0; outcome < outcomes; outcome++) {
      sum = rounded(sum + rounded(Math.exp(-(epsilon / 2) * utility(outcome))));
      this.#cumulative[outcome] = sum;
    }
  }

  /** UNSAFE: an outcome with probability about proportional to e^(−ε·utility/2). */
  draw(entropy: Entropy): number {
    const total = this.#cumulative[this.#cumulative.length - 1];
    const wanted = this.#rounded((entropy.bits(24) / 0x100_0000) * total);
    let [first, last] = [0, this.#cumulative.length - 1];
    while (first < last) {
      const middle = (first + last) >>> 1;
      if (this.#cumulative[middle] >= wanted) last = middle;
      else first = middle + 1;
    }
    return first;
  }
}
