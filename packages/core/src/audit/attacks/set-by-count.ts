/**
 * A set that is listed by count. Propose-test-release shows a set without noise once it is certain that nobody could have changed
 * which candidates are in it. Nothing protects their order: listed with the largest count first, and ties by index, one
 * person turns it round with certainty.
 * @module
 */
import type { Entropy } from "../../entropy/entropy.js";
import { proposeTestRelease } from "../../select/adaptive/propose-test-release.js";
import { defineAttack } from "./attack.js";
import type { World } from "./distinguishing-game.js";

/** Without Alice, and with her. */
const WORLDS = [
  [50, 50, 1],
  [50, 51, 1],
];
const DELTA = "1e-6";

export const setByCount = defineAttack({
  id: "set-by-count",
  title: "A stable set in the order of its counts",
  mistake: "lists a set that was tested for stability with the largest count first, ties by index",
  trick: "looks who stands first",
  defence: "a stable set is a set: it comes in the order of the candidates, never of their counts",
  source: "[ZW22, Alg 4]",
  epsilon: 1,
  delta: DELTA,
  rounds: 2000,
  textbook: {
    name: "propose-test-release, largest first",
    prepare: () => (world, entropy) => {
      const counts = WORLDS[world];
      return guess([...stableSet(counts, entropy)].sort((a, b) => counts[b] - counts[a]));
    },
  },
  ours: {
    name: "proposeTestRelease",
    prepare: () => (world, entropy) => guess(stableSet(WORLDS[world], entropy)),
  },
});

function stableSet(counts: readonly number[], entropy: Entropy): readonly number[] {
  const options = { k: 2, epsilon: 1, delta: DELTA, monotone: true, entropy };
  const release = proposeTestRelease(counts, options);
  return release.released ? release.indices : [];
}

function guess(listed: readonly number[]): World {
  return listed[0] === 1 ? 1 : 0;
}
