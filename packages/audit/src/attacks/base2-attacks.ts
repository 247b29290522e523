/**
 * Two attacks on the base-2 exponential mechanism as published.
 *
 * The swapped rounding of [Ilv20, Mechanism 4]. UNSAFE, for study only: the victim rounds utilities as printed, down
 * with the probability that belongs to up, so the nearer integer becomes the rarer one: 0.999 is nearly always rounded
 * to 0, and 1.001 to 2. There are two outcomes, of utility 0.999 and 1.001; Alice adds 0.002 to the first and 0.998 to
 * the second, never more than 1 and both upwards. With the probabilities exchanged these are rounded to 0 and 2
 * without her and to 2 and 1 with her: three steps from each other, where utilities that move one way by at most 1 may
 * move by one. The first outcome has probability 4/5 without her and 1/3 with her, the second 1/5 and 2/3.
 *
 * Rejection timing [Ilv20, Figure 9]. The published sampler draws a number below the next power of two until it falls
 * below the total weight. With all utilities 1 the total is a power of two and the first draw is kept; if Alice makes
 * one utility 0, the total is half a unit more, and nearly every second draw is rejected. The adversary never sees the
 * answer, only how many random bits were used, which is what a stopwatch sees. With a minimum of draws, the same
 * number of draws is made in both worlds except with probability 2^−64.
 * @module
 */
import { base2Exponential, type Entropy, eta } from "winnow-dp";
import { defineAttack, type World } from "./attack.js";
import { fixedPrecisionBase2 } from "./fixed-precision-base2.js";
import { rounded } from "./rounded.js";

/** The utilities without Alice and with her. */
const ROUNDING_WORLDS = [
  [0.999, 1.001],
  [1.001, 1.999],
] as const;

export const swappedRounding = defineAttack({
  id: "swapped-rounding",
  title: "The rounding as printed",
  mistake: "rounds utilities with the two probabilities exchanged, as the paper prints them",
  trick: "chooses utilities beside integers, which the rounding drives to the far ones",
  defence:
    "the fraction is the probability of rounding up, exactly; no one moves a rounded utility by more than 1",
  source: "[Ilv20, Mechanism 4]",
  epsilon: "0.6932", // ln 2, rounded up: η = 1 in base 2, utilities move one way
  rounds: 20_000,
  textbook: {
    name: "base-2 exponential mechanism, rounding as printed",
    prepare: () => (world, entropy) =>
      guess(drawSwapped(ROUNDING_WORLDS[world], entropy), { first: 0, second: 1 }),
  },
  ours: {
    name: "base2Exponential",
    // Rightly rounded, Alice makes the first outcome the better one: 1/2 without her and 2/3 with her.
    prepare: () => (world, entropy) => guess(draw(ROUNDING_WORLDS[world], entropy), { first: 1, second: 0 }),
  },
});

function drawSwapped(utilities: readonly number[], entropy: Entropy): number {
  return draw(
    utilities.map((utility) => roundSwapped(utility, entropy)),
    entropy,
  );
}

function draw(utilities: readonly number[], entropy: Entropy): number {
  const range = { lower: 0, upper: 2, maxCandidates: 2 };
  const options = { eta: eta(1, 1, 1), monotone: true, ...range, entropy };
  return base2Exponential(utilities, (utility) => utility, options).candidate;
}

/** The world that each outcome speaks for. */
function guess(outcome: number, worlds: { readonly first: World; readonly second: World }): World {
  return outcome === 0 ? worlds.first : worlds.second;
}

/** UNSAFE: ⌊utility⌋ with probability utility − ⌊utility⌋, else ⌈utility⌉. */
export function roundSwapped(utility: number, entropy: Entropy): number {
  return Math.floor(utility) + Math.ceil(utility) - rounded(utility, entropy);
}

const OUTCOMES = 32;
const TIMED_PRECISION = 32;
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
      const options = { eta: eta(1, 1, 1), precision: TIMED_PRECISION, minRetries: 1, entropy };
      const used = bitsOf(entropy, () => fixedPrecisionBase2(utilitiesOf(world), options));
      return used > TIMED_PRECISION ? 1 : 0;
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
    lower: 0,
    upper: 1,
    maxCandidates: OUTCOMES,
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
