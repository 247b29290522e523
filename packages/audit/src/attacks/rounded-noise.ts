/**
 * Rounding that is too fine. UNSAFE, for study only: the victim knows that the low-order bits of noise in doubles are dangerous [Mir12] and
 * rounds the noisy count to a fixed number of digits. There are 2^32 values of noise, 2^−31 and more apart, so most multiples of
 * 2^−34 are out of reach from the other count. The snapping mechanism rounds to a step that is not below the scale of the noise, where
 * every multiple can come from every count.
 * @module
 */
import { clampedLaplace } from "winnow-dp";
import { defineAttack } from "./attack.js";
import { canComeBy, floatLaplace, guessBySupport } from "./float-noise.js";

/** Without Alice, and with her. */
const COUNTS = [1000, 1001];
/** Multiples of the step in 1. */
const FINE = 0x4_0000_0000; // 2^34

export const roundingTooFine = defineAttack({
  id: "rounding-too-fine",
  title: "Rounding that is too fine",
  mistake: "rounds a count with noise in doubles to ten digits after the point",
  trick: "asks of each possible count whether it can give the released number after rounding",
  defence: "noise is drawn on the public grid of the answers; no double is rounded",
  source: "[Mir12], on rounding that is not its snapping mechanism",
  epsilon: 1,
  rounds: 1000,
  textbook: {
    name: "Laplace noise in doubles, rounded to multiples of 2^−34",
    prepare: () => (world, entropy) =>
      guessBySupport(rounded(COUNTS[world] + floatLaplace(entropy.bits(32), 1)), COUNTS, canCome),
  },
  ours: {
    name: "clampedLaplace",
    prepare: () => (world, entropy) => {
      const options = { epsilon: 1, lower: 0, upper: 2000, step: 1, entropy };
      return guessBySupport(clampedLaplace(COUNTS[world], options).value.toNumber(), COUNTS, canCome);
    },
  },
});

function rounded(value: number): number {
  return Math.round(value * FINE) / FINE;
}

function canCome(released: number, count: number): boolean {
  return canComeBy(released, count, rounded);
}
