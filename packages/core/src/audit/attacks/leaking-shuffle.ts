/**
 * A leaking shuffle. The coins of permute-and-flip are exact, but the order of the candidates comes from `Math.random`. The
 * adversary has seen four other numbers from the same generator, computes its state, knows the order before it is drawn,
 * and asks about the candidate that will come first: if all scores are equal it wins for certain, and if Alice lifts the
 * others it may not.
 * @module
 */
import { permuteAndFlip } from "../../select/permute-and-flip.js";
import { type Attack, defineAttack } from "./attack.js";
import { NUMBERS_NEEDED, stateRecovery } from "./recover-state.js";
import { flipInOrder } from "./victims/flip-in-order.js";
import { leakingShuffle, STATE_BITS, Xorshift128Plus } from "./victims/xorshift128plus.js";

const CANDIDATES = 16;

export const leakingShuffleAttack: Attack = defineAttack({
  id: "leaking-shuffle",
  title: "A shuffle by Math.random",
  mistake: "visits the candidates of permute-and-flip in an order made with Math.random",
  trick: "computes the generator's state from four numbers it gave elsewhere, and so the order beforehand",
  defence: "all randomness is fair bits of the system's cryptographic generator, also in a shuffle",
  source: "[MS20], with the generator of V8",
  epsilon: 1,
  rounds: 4000,
  textbook: {
    name: "permute-and-flip with Math.random",
    prepare: () => {
      const recover = stateRecovery();
      return (world, entropy) => {
        const generator = new Xorshift128Plus(entropy.bigBits(STATE_BITS));
        const first = predictedFirst(generator, recover);
        const winner = flipInOrder(leakingShuffle(CANDIDATES, generator), scoresOf(world, first), 1, entropy);
        return winner === first ? 0 : 1;
      };
    },
  },
  ours: {
    name: "permuteAndFlip",
    prepare: () => {
      const recover = stateRecovery();
      return (world, entropy) => {
        const first = predictedFirst(new Xorshift128Plus(entropy.bigBits(STATE_BITS)), recover);
        const { index } = permuteAndFlip(scoresOf(world, first), { epsilon: 1, monotone: true, entropy });
        return index === first ? 0 : 1;
      };
    },
  },
});

/** Who will come first in the next shuffle, from numbers that the generator gave before. */
function predictedFirst(generator: Xorshift128Plus, recover: (numbers: readonly bigint[]) => bigint): number {
  const seen = Array.from({ length: NUMBERS_NEEDED }, () => generator.bits());
  const copy = new Xorshift128Plus(recover(seen));
  for (let number = 0; number < NUMBERS_NEEDED; number++) copy.bits();
  return leakingShuffle(CANDIDATES, copy)[0];
}

/** All equal without Alice; with her, everyone but this candidate has one more. */
function scoresOf(world: number, first: number): number[] {
  return Array.from({ length: CANDIDATES }, (_, index) => (index === first ? 0 : world));
}
