/**
 * Three attacks on noise in doubles [Mir12].
 *
 * The low-order bits of a noisy gap. Doubles below 2^30 are half as far apart as those above. If Alice lifts both
 * counts from 2^30 − 1 to 2^30, every noisy count is a multiple of 2^−22, and so is the gap; without her, a gap that
 * is an odd multiple of 2^−23 proves her absence. The winner and the size of the gap reveal nothing.
 *
 * Non-identical supports. UNSAFE, for study only: the victim is Laplace noise as JavaScript code on the web draws it,
 * one word of the system's generator turned into a uniform number and that into noise by a logarithm. There are 2^32
 * values of noise among 2^62 doubles, and a noisy count is one of them plus the count. The adversary takes the count
 * that each world would have and checks whether the released double can come from it at all: almost always only the
 * true count can.
 *
 * Inverse transform, a reconstruction. Burke showed a poster on the exponential mechanism for the price of a digital good; it
 * was not to be had, so this is what its idea leads to and not the original. UNSAFE, for study only: where k bidders would
 * buy at a price p in [0, 1], the victim draws p with density proportional to e^(c·k·p) by the inverse of its distribution
 * function in doubles. It is the attack above *inside* an exponential mechanism: the prices that k and k + 1 bidders can
 * give are nearly disjoint, and the adversary inverts the formula for both.
 * @module
 */
import { base2Exponential, type Entropy, topKWithGap } from "winnow-dp";
import { discreteLaplace } from "winnow-dp/sample";
import { defineAttack, type World } from "./attack.js";
import { floatTopKWithGap } from "./float-top-k-with-gap.js";

const EDGE = 0x4000_0000; // 2^30
const COARSE = 4194304; // 2^22 multiples in 1
const EDGE_WORLDS = [
  [EDGE - 1, EDGE - 1],
  [EDGE, EDGE],
];

export const lowOrderBits = defineAttack({
  id: "low-order-bits",
  title: "The last bits of a gap",
  mistake: "releases gaps between noisy scores as doubles, whose spacing depends on the scores",
  trick: "looks at a single bit of the gap, 23 places after the binary point",
  defence: "a gap is a multiple of the resolution with exactly the stated law, whatever size the scores have",
  source: "[Mir12], on [Ding23, Algorithm 1] in doubles",
  epsilon: "1/2",
  rounds: 20_000,
  textbook: {
    name: "top k with gaps in doubles",
    prepare: () => (world, entropy) => {
      const [{ gap }] = floatTopKWithGap(EDGE_WORLDS[world], { k: 1, scale: 2, entropy });
      return guessByLastBit(Number.isInteger(gap * COARSE));
    },
  },
  ours: {
    name: "topKWithGap, as many digits",
    prepare: () => (world, entropy) => {
      const options = { k: 1, epsilon: "1/2", monotone: true, resolution: `1/${2 * COARSE}`, entropy };
      const [{ gap }] = topKWithGap(EDGE_WORLDS[world], options).winners;
      return guessByLastBit(gap.times(BigInt(COARSE)).isInteger());
    },
  },
});

function guessByLastBit(isCoarse: boolean): World {
  return isCoarse ? 1 : 0;
}

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
    prepare: () => (world, entropy) =>
      guessBySupport(COUNTS[world] + floatLaplace(entropy.bits(32), 1), COUNTS, canCome),
  },
  ours: {
    name: "discreteLaplace",
    prepare: () => (world, entropy) =>
      guessBySupport(COUNTS[world] + Number(discreteLaplace(1, entropy)), COUNTS, canCome),
  },
});

/** The world whose count alone can give the released number, or else the likelier one. */
export function guessBySupport(
  released: number,
  counts: readonly number[],
  canCome: (released: number, count: number) => boolean,
): World {
  const [without, withAlice] = counts.map((count) => canCome(released, count));
  if (without !== withAlice) return withAlice ? 1 : 0;
  return released >= counts[1] ? 1 : 0; // no proof
}

function canCome(released: number, count: number): boolean {
  return canComeBy(released, count, (value) => value);
}

/** How many neighbours of the word that would give exactly this noise are tried. */
const NEIGHBOURS = 2;

/** Whether some word of 32 bits gives noise that makes this of the count, after what is done to the sum. */
export function canComeBy(released: number, count: number, finish: (value: number) => number): boolean {
  const noise = released - count;
  const fromMiddle = (Math.sign(noise) * (1 - Math.exp(-Math.abs(noise)))) / 2;
  const word = Math.round((0.5 + fromMiddle) * 0x1_0000_0000);
  for (let near = word - NEIGHBOURS; near <= word + NEIGHBOURS; near++)
    if (finish(count + floatLaplace(near, 1)) === released) return true;
  return false;
}

/** UNSAFE: the noise for this word of 32 bits. */
export function floatLaplace(word: number, scale: number): number {
  const uniform = word / 0x1_0000_0000 - 0.5;
  return -scale * Math.sign(uniform) * Math.log(1 - 2 * Math.abs(uniform));
}

/** How steeply revenue counts, and how many would buy without Alice and with her. */
const STEEPNESS = 0.05;
const BIDDERS = [10, 11];
/** A public grid of prices. */
const PRICES = Array.from({ length: 101 }, (_, cents) => cents / 100);

export const inverseTransform = defineAttack({
  id: "inverse-transform",
  title: "A price by inverse transform (reconstructed)",
  mistake: "draws a price with density e^(c·k·p) from a 32-bit number, by a logarithm",
  trick: "inverts the formula for k and for k + 1 bidders: which of them can give the published double?",
  defence: "prices are on a public grid, every one is possible in both worlds, and its probability is exact",
  source: "after a poster by Burke, reconstructed; [Mir12]",
  epsilon: "1/10", // 2c
  rounds: 1000,
  textbook: {
    name: "exponential mechanism over prices in doubles",
    prepare: () => (world, entropy) => guessByPrice(floatPrice(entropy.bits(32), BIDDERS[world])),
  },
  ours: {
    name: "base2Exponential over 101 prices",
    prepare: () => (world, entropy) => guessByPrice(gridPrice(BIDDERS[world], entropy)),
  },
});

/** UNSAFE: the price for this word of 32 bits. */
function floatPrice(word: number, bidders: number): number {
  const rate = STEEPNESS * bidders;
  return Math.log1p((word / 0x1_0000_0000) * Math.expm1(rate)) / rate;
}

/** The revenue lost against the best price is the utility, which a bidder moves by at most 1. */
function gridPrice(bidders: number, entropy: Entropy): number {
  const options = { epsilon: "1/10", lower: 0, upper: 100, maxCandidates: PRICES.length, entropy };
  return base2Exponential(PRICES, (price) => bidders * (1 - price), options).outcome;
}

function guessByPrice(price: number): World {
  const [without, withAlice] = BIDDERS.map((bidders) => canGive(price, bidders));
  if (without !== withAlice) return withAlice ? 1 : 0;
  return price >= 0.5 ? 1 : 0; // no proof: the likelier one
}

/** How many words around the inverse are tried. */
const WORDS = 4;

function canGive(price: number, bidders: number): boolean {
  const rate = STEEPNESS * bidders;
  const word = Math.round((Math.expm1(rate * price) / Math.expm1(rate)) * 0x1_0000_0000);
  for (let near = Math.max(0, word - WORDS); near <= word + WORDS; near++)
    if (floatPrice(near, bidders) === price) return true;
  return false;
}
