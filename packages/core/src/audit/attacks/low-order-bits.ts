/**
 * The low-order bits of a noisy gap [Mir12]. Doubles below 2^30 are half as far apart as those above. If Alice lifts both
 * counts from 2^30 − 1 to 2^30, every noisy count is a multiple of 2^−22, and so is the gap; without her a gap that is an odd
 * multiple of 2^−23 gives her absence away for certain. The winner and the size of the gap tell nothing.
 * @module
 */
import { topKWithGap } from "../../select/top-k-with-gap.js";
import { floatTopKWithGap } from "../float-top-k-with-gap.js";
import { defineAttack } from "./attack.js";
import type { World } from "./distinguishing-game.js";

const EDGE = 0x4000_0000; // 2^30
const COARSE = 4194304; // 2^22 multiples in 1
const WORLDS = [
  [EDGE - 1, EDGE - 1],
  [EDGE, EDGE],
];

export const lowOrderBits = defineAttack({
  id: "low-order-bits",
  title: "The last bits of a gap",
  mistake: "releases gaps between noisy scores as doubles, whose spacing depends on the scores",
  trick: "looks at a single bit of the gap, 23 places after the binary point",
  defence: "a gap is a multiple of the resolution with exactly the stated law, whatever size the scores have",
  source: "[Mir12]",
  epsilon: "1/2",
  rounds: 20_000,
  textbook: {
    name: "top k with gaps in doubles",
    prepare: () => (world, entropy) => {
      const [{ gap }] = floatTopKWithGap(WORLDS[world], { k: 1, scale: 2, entropy });
      return guess(Number.isInteger(gap * COARSE));
    },
  },
  ours: {
    name: "topKWithGap, as many digits",
    prepare: () => (world, entropy) => {
      const options = { k: 1, epsilon: "1/2", monotone: true, resolution: `1/${2 * COARSE}`, entropy };
      const [{ gap }] = topKWithGap(WORLDS[world], options).winners;
      return guess(gap.times(BigInt(COARSE)).isInteger());
    },
  },
});

function guess(isCoarse: boolean): World {
  return isCoarse ? 1 : 0;
}
