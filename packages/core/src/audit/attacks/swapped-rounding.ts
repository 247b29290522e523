/**
 * The swapped rounding of [Ilv20, Mechanism 4]. One outcome has utility 0.999 and the others 1.001, or the other way round: Alice
 * moves nothing by more than 0.002. Rounded with the probabilities exchanged they are 0 and 2, or 2 and 0, and the ratio of
 * probabilities is up to 16 where a sensitivity of at most 1 allows 4.
 * @module
 */
import type { Entropy } from "../../entropy/entropy.js";
import { eta } from "../../privacy/base2-parameter.js";
import { base2Exponential } from "../../select/base2/base2-exponential.js";
import { defineAttack } from "./attack.js";
import type { World } from "./distinguishing-game.js";
import { swappedRounding as roundSwapped } from "./victims/swapped-rounding.js";

const OUTCOMES = 9;
const WORLDS = [
  { first: 0.999, others: 1.001 },
  { first: 1.001, others: 0.999 },
];

export const swappedRounding = defineAttack({
  id: "swapped-rounding",
  title: "The rounding as printed",
  mistake: "rounds utilities with the two probabilities exchanged, as the paper prints them",
  trick: "chooses utilities on both sides of an integer, which the rounding drives two apart",
  defence:
    "the fraction is the probability of rounding up, exactly; nobody moves a rounded utility by more than 1",
  source: "[Ilv20, Mechanism 4]",
  epsilon: "1.3863", // 2 ln 2, rounded up: twice η = 1 in base 2
  rounds: 20_000,
  textbook: {
    name: "base-2 exponential mechanism, rounding as printed",
    prepare: () => (world, entropy) =>
      guess(
        draw(
          utilitiesOf(world).map((u) => roundSwapped(u, entropy)),
          entropy,
        ),
      ),
  },
  ours: {
    name: "base2Exponential",
    prepare: () => (world, entropy) => guess(draw(utilitiesOf(world), entropy)),
  },
});

function utilitiesOf(world: World): number[] {
  const { first, others } = WORLDS[world];
  return Array.from({ length: OUTCOMES }, (_, index) => (index === 0 ? first : others));
}

function draw(utilities: readonly number[], entropy: Entropy): number {
  const options = { eta: eta(1, 1, 1), utilityMin: 0, utilityMax: 2, maxOutcomes: OUTCOMES, entropy };
  return base2Exponential(utilities, (utility) => utility, options).index;
}

function guess(outcome: number): World {
  return outcome === 0 ? 0 : 1;
}
