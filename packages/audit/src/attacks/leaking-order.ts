/**
 * Two attacks on the order of candidates.
 *
 * Ties broken by index. UNSAFE, for study only: the victim is permute-and-flip [MS20] without the permutation. Its
 * coins are exact, but everything depends on the order, which must be uniformly random and unknown to everyone. Here
 * candidates flip their coins in the order of the list: the first of several that lead wins for certain, so any other
 * winner proves that the first was behind.
 *
 * A set that is listed by count. Propose-test-release shows a set without noise once it is certain that no one could
 * have changed which candidates are in it. Nothing protects their order: if the set is listed with the largest count
 * first and ties by index, one person turns it round with certainty.
 * @module
 */
import { type Entropy, permuteAndFlip, proposeTestRelease } from "winnow-dp";
import { bernoulliExp } from "winnow-dp/sample";
import { defineAttack, type World } from "./attack.js";

/** Without Alice, and with her. */
const TIED_WORLDS = [
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
    prepare: () => (world, entropy) => guessByWinner(flipInOrder([0, 1], TIED_WORLDS[world], 1, entropy)),
  },
  ours: {
    name: "permuteAndFlip",
    prepare: () => (world, entropy) =>
      guessByWinner(permuteAndFlip(TIED_WORLDS[world], { epsilon: 1, monotone: true, entropy }).index),
  },
});

function guessByWinner(winner: number): World {
  return winner === 1 ? 1 : 0;
}

/** Without Alice, and with her. */
const SET_WORLDS = [
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
      const counts = SET_WORLDS[world];
      return guessByOrder([...stableSet(counts, entropy)].sort((a, b) => counts[b] - counts[a]));
    },
  },
  ours: {
    name: "proposeTestRelease",
    prepare: () => (world, entropy) => guessByOrder(stableSet(SET_WORLDS[world], entropy)),
  },
});

function stableSet(counts: readonly number[], entropy: Entropy): readonly number[] {
  const options = { k: 2, epsilon: 1, delta: DELTA, monotone: true, entropy };
  const release = proposeTestRelease(counts, options);
  return release.released ? release.indices : [];
}

function guessByOrder(listed: readonly number[]): World {
  return listed[0] === 1 ? 1 : 0;
}

/** UNSAFE: the first candidate in this order whose coin, of bias e^(−(largest − score)/scale), shows heads. */
export function flipInOrder(
  order: readonly number[],
  scores: readonly number[],
  scale: number,
  entropy: Entropy,
): number {
  const largest = Math.max(...scores);
  const winner = order.find((index) => bernoulliExp((largest - scores[index]) / scale, entropy));
  return winner ?? order[0]; // a candidate with the largest score always shows heads
}
