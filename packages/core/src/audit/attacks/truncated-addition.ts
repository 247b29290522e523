/**
 * Truncated addition [Ilv20, Attack 2]. The first outcome has a large weight and eight million others a tiny one each, together
 * about as much. If Alice is in the data the large one is e^(1/2) times larger and the tiny ones as much smaller, just so
 * small that adding one to the large one changes nothing, and so does adding all of them one by one.
 * @module
 */
import { topK } from "../../select/top-k.js";
import { defineAttack } from "./attack.js";
import type { World } from "./distinguishing-game.js";
import { SinglePrecisionExponentialMechanism } from "./victims/single-precision-exponential-mechanism.js";

const OUTCOMES = 1 << 23;
const EPSILON = 1;
/** The utility of all others without Alice: e^(−(SMALL + 1)/2) is just below half a unit in the last place of 1. */
const SMALL = 32.3;
/** The first outcome's utility and everyone else's, without Alice and with her. */
const WORLDS = [
  { first: 1, others: SMALL },
  { first: 0, others: SMALL + 1 },
];

export const truncatedAddition = defineAttack({
  id: "truncated-addition",
  title: "Weights lost in a sum",
  mistake: "adds weights of very different size, in single precision; all of them are positive",
  trick: "chooses utilities so that Alice makes the small weights vanish beside the large one",
  defence:
    "nothing is summed: of eight million candidates with one score, exact noise decides how many matter",
  source: "[Ilv20, Attack 2]",
  epsilon: EPSILON,
  rounds: 6000,
  textbook: {
    name: "exponential mechanism over a Float32Array",
    prepare: () => {
      const mechanisms = WORLDS.map(({ first, others }) => {
        const utility = (outcome: number) => (outcome === 0 ? first : others);
        return new SinglePrecisionExponentialMechanism(OUTCOMES, utility, EPSILON);
      });
      return (world, entropy) => guess(mechanisms[world].draw(entropy));
    },
  },
  ours: {
    name: "topK with ρ = ε²/8 and a domain size",
    // Only differences of utilities count: all others have score 0 and need not be listed.
    prepare: () => (world, entropy) => {
      const { first, others } = WORLDS[world];
      const { winners } = topK([others - first], { k: 1, rho: "1/8", domainSize: OUTCOMES, entropy });
      return guess(winners[0].index);
    },
  },
});

function guess(outcome: number): World {
  return outcome === 0 ? 1 : 0;
}
