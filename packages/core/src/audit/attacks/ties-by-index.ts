/**
 * Ties broken by index. Permute-and-flip without the permutation: candidates flip their coins in the order of the list. The
 * first of several that lead wins for certain, so anybody else who wins proves that the first was behind.
 * @module
 */
import { permuteAndFlip } from "../../select/permute-and-flip.js";
import { defineAttack } from "./attack.js";
import type { World } from "./distinguishing-game.js";
import { flipInOrder } from "./victims/flip-in-order.js";

/** Without Alice, and with her. */
const WORLDS = [
  [10, 10],
  [10, 11],
];

export const tiesByIndex = defineAttack({
  id: "ties-by-index",
  title: "Ties broken by index",
  mistake: "flips the coins of permute-and-flip in the order of the list: of equal scores the first wins",
  trick: "waits for the second of two candidates, who cannot win against an equal",
  defence: "equal scores have equal chances: noise is continuous, and ties do not exist",
  source: "[MS20]",
  epsilon: 1,
  rounds: 4000,
  textbook: {
    name: "permute-and-flip without the permutation",
    prepare: () => (world, entropy) => guess(flipInOrder([0, 1], WORLDS[world], 1, entropy)),
  },
  ours: {
    name: "permuteAndFlip",
    prepare: () => (world, entropy) =>
      guess(permuteAndFlip(WORLDS[world], { epsilon: 1, monotone: true, entropy }).index),
  },
});

function guess(winner: number): World {
  return winner === 1 ? 1 : 0;
}
