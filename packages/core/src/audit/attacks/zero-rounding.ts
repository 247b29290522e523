/**
 * Zero-rounding [Ilv20, Attack 1]. All utilities are x, where e^(−x/2) is the smallest number that is not rounded to zero. If
 * Alice is in the data, all but the first are x + 1: nobody's utility moves by more than 1, but all weights but the first
 * vanish, and the first outcome is certain where it was one of a thousand.
 * @module
 */
import { topK } from "../../select/top-k.js";
import { defineAttack } from "./attack.js";
import type { World } from "./distinguishing-game.js";
import { naiveExponentialMechanism } from "./victims/naive-exponential-mechanism.js";

const OUTCOMES = 1000;
const EPSILON = 1;

export const zeroRounding = defineAttack({
  id: "zero-rounding",
  title: "Weights rounded to zero",
  mistake: "computes e^(−ε·utility/2) as a double, which is 0 from a utility of about 1,490 on",
  trick: "asks for utilities at that edge, so that Alice turns all weights but one to zero",
  defence:
    "no weight is ever computed: candidates race with exact noise, and only differences of scores matter",
  source: "[Ilv20, Attack 1]",
  epsilon: EPSILON,
  rounds: 2000,
  textbook: {
    name: "exponential mechanism in doubles",
    prepare: () => {
      const worlds = utilitiesOfWorlds();
      return (world, entropy) => guess(naiveExponentialMechanism(worlds[world], EPSILON, entropy));
    },
  },
  ours: {
    name: "topK with ρ = ε²/8, the exponential mechanism",
    prepare: () => {
      const worlds = utilitiesOfWorlds();
      return (world, entropy) => {
        const { winners } = topK(worlds[world], { k: 1, rho: "1/8", negate: true, entropy });
        return guess(winners[0].index);
      };
    },
  },
});

/** Without Alice, and with her. */
function utilitiesOfWorlds(): [number[], number[]] {
  let edge = 0;
  while (Math.exp(-(EPSILON / 2) * (edge + 1)) > 0) edge++;
  const without = Array.from({ length: OUTCOMES }, () => edge);
  return [without, without.map((utility, index) => (index === 0 ? utility : utility + 1))];
}

function guess(outcome: number): World {
  return outcome === 0 ? 1 : 0;
}
