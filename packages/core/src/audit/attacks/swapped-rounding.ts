/**
 * The swapped rounding of [Ilv20, Mechanism 4]. There are two outcomes, of utility 0.999 and 1.001; Alice adds 0.002 to the first
 * and 0.998 to the second, never more than 1 and both upwards. With the probabilities exchanged these are rounded to 0 and 2
 * without her and to 2 and 1 with her: three steps from each other, where utilities that move one way by at most 1 may
 * move by one. The first outcome has probability 4/5 without her and 1/3 with her, the second 1/5 and 2/3.
 * @module
 */
import type { Entropy } from "../../entropy/entropy.js";
import { eta } from "../../privacy/base2-parameter.js";
import { base2Exponential } from "../../select/base2/base2-exponential.js";
import { defineAttack } from "./attack.js";
import type { World } from "./distinguishing-game.js";
import { swappedRounding as roundSwapped } from "./victims/swapped-rounding.js";

/** The utilities without Alice and with her. */
const WORLDS = [
  [0.999, 1.001],
  [1.001, 1.999],
] as const;

export const swappedRounding = defineAttack({
  id: "swapped-rounding",
  title: "The rounding as printed",
  mistake: "rounds utilities with the two probabilities exchanged, as the paper prints them",
  trick: "chooses utilities beside integers, which the rounding drives to the far ones",
  defence:
    "the fraction is the probability of rounding up, exactly; nobody moves a rounded utility by more than 1",
  source: "[Ilv20, Mechanism 4]",
  epsilon: "0.6932", // ln 2, rounded up: η = 1 in base 2, utilities move one way
  rounds: 20_000,
  textbook: {
    name: "base-2 exponential mechanism, rounding as printed",
    prepare: () => (world, entropy) => guess(drawSwapped(WORLDS[world], entropy), { first: 0, second: 1 }),
  },
  ours: {
    name: "base2Exponential",
    // Rightly rounded, Alice makes the first outcome the better one: 1/2 without her and 2/3 with her.
    prepare: () => (world, entropy) => guess(draw(WORLDS[world], entropy), { first: 1, second: 0 }),
  },
});

function drawSwapped(utilities: readonly number[], entropy: Entropy): number {
  return draw(
    utilities.map((utility) => roundSwapped(utility, entropy)),
    entropy,
  );
}

function draw(utilities: readonly number[], entropy: Entropy): number {
  const range = { utilityMin: 0, utilityMax: 2, maxOutcomes: 2 };
  const options = { eta: eta(1, 1, 1), monotone: true, ...range, entropy };
  return base2Exponential(utilities, (utility) => utility, options).index;
}

/** The world that each outcome speaks for. */
function guess(outcome: number, worlds: { readonly first: World; readonly second: World }): World {
  return outcome === 0 ? worlds.first : worlds.second;
}
