/**
 * Non-identical supports [Mir12]. A noisy count is the count plus one of 2^32 values of noise. The adversary takes the count
 * that each world would have, and looks whether the released double can come of it at all: almost always only the true
 * count can.
 * @module
 */
import { discreteLaplace } from "../../sample/discrete-laplace.js";
import { defineAttack } from "./attack.js";
import type { World } from "./distinguishing-game.js";
import { floatLaplace } from "./victims/float-laplace.js";

/** Without Alice, and with her. */
const COUNTS = [1000, 1001];

export const nonIdenticalSupports = defineAttack({
  id: "non-identical-supports",
  title: "Values that only one world can give",
  mistake: "makes Laplace noise from a 32-bit number and a logarithm, and adds it to a count",
  trick: "asks of each possible count whether it can give the released number at all",
  defence: "noise is an integer, every integer is possible, and its probability is exact",
  source: "[Mir12]",
  epsilon: 1,
  rounds: 2000,
  textbook: {
    name: "Laplace noise in doubles",
    prepare: () => (world, entropy) => guess(COUNTS[world] + floatLaplace(entropy.bits(32), 1)),
  },
  ours: {
    name: "discreteLaplace",
    prepare: () => (world, entropy) => guess(COUNTS[world] + Number(discreteLaplace(1, entropy))),
  },
});

function guess(released: number): World {
  const [without, withAlice] = COUNTS.map((count) => canCome(released, count));
  if (without !== withAlice) return withAlice ? 1 : 0;
  return released >= COUNTS[1] ? 1 : 0; // no proof: the likelier one
}

/** How many neighbours of the word that would give exactly this noise are tried. */
const NEIGHBOURS = 2;

/** Whether some word of 32 bits gives noise that makes this of the count. */
function canCome(released: number, count: number): boolean {
  const noise = released - count;
  const fromMiddle = (Math.sign(noise) * (1 - Math.exp(-Math.abs(noise)))) / 2;
  const word = Math.round((0.5 + fromMiddle) * 0x1_0000_0000);
  for (let near = word - NEIGHBOURS; near <= word + NEIGHBOURS; near++)
    if (count + floatLaplace(near, 1) === released) return true;
  return false;
}
