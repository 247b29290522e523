/**
 * Rejection timing [Ilv20, Figure 9]. The published sampler draws a number below the next power of two until it falls below the
 * total weight. With all utilities 1 the total is a power of two and the first draw is kept; if Alice makes one utility 0
 * it is half a unit more, and nearly every second draw is rejected. The adversary never sees the answer, only how many
 * random bits were used, which is what a stopwatch sees.
 *
 * With a minimum of draws the same number is made in both worlds, but for a probability of 2^−64.
 * @module
 */
import type { Entropy } from "../../entropy/entropy.js";
import { eta } from "../../privacy/base2-parameter.js";
import { base2Exponential } from "../../select/base2/base2-exponential.js";
import { fixedPrecisionBase2 } from "../fixed-precision-base2.js";
import { defineAttack } from "./attack.js";
import type { World } from "./distinguishing-game.js";

const OUTCOMES = 32;
const PRECISION = 32;
const MIN_RETRIES = 64;

export const rejectionTiming = defineAttack({
  id: "rejection-timing",
  title: "How often a draw was rejected",
  mistake: "draws again until a number is below the total weight, and so takes longer for some totals",
  trick: "measures the time, or counts the random bits, and does not look at the answer at all",
  defence: "constant work makes at least minRetries draws, all of the same length, and scans everything",
  source: "[Ilv20, Figure 9]",
  epsilon: "0.6932", // ln 2, rounded up: η = 1 in base 2, utilities move one way
  rounds: 2000,
  textbook: {
    name: "published sampler, no minimum of retries",
    prepare: () => (world, entropy) => {
      const options = { eta: eta(1, 1, 1), precision: PRECISION, minRetries: 1, entropy };
      const used = bitsOf(entropy, () => fixedPrecisionBase2(utilitiesOf(world), options));
      return used > PRECISION ? 1 : 0;
    },
  },
  ours: {
    name: `base2Exponential, constant work, minRetries ${MIN_RETRIES}`,
    prepare: () => (world, entropy) => {
      const used = bitsOf(entropy, () => drawWithConstantWork(world, entropy));
      return used > BITS_WITHOUT_MORE_RETRIES ? 1 : 0;
    },
  },
});

/** A word for every utility, and for every draw one bit for the range of utilities and five for 32 outcomes. */
const BITS_WITHOUT_MORE_RETRIES = OUTCOMES * 32 + MIN_RETRIES * (1 + 5);

function utilitiesOf(world: World): number[] {
  return Array.from({ length: OUTCOMES }, (_, index) => (index === 0 ? 1 - world : 1));
}

function drawWithConstantWork(world: World, entropy: Entropy): void {
  base2Exponential(utilitiesOf(world), (utility) => utility, {
    eta: eta(1, 1, 1),
    monotone: true,
    utilityMin: 0,
    utilityMax: 1,
    maxOutcomes: OUTCOMES,
    mode: "constant-work",
    minRetries: MIN_RETRIES,
    entropy,
  });
}

function bitsOf(entropy: Entropy, run: () => void): number {
  const before = entropy.bitsUsed;
  run();
  return entropy.bitsUsed - before;
}
