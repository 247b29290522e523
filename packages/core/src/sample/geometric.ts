/**
 * `geometric(rate)`: y = 0, 1, 2, … with P(y) = (1 − a)·a^y, a = e^(−rate), for any rational rate > 0.
 *
 * By inversion: Y = ⌊−ln U / rate⌋ [Ding23, Alg 5 draws the same law]. A word of U is drawn and −ln U enclosed
 * with a certified logarithm; where both ends have the same floor that is the answer, else more digits of the
 * same U are drawn and the logarithm is enclosed in BigInt. For many draws at one rate, `Geometric` is faster.
 *
 * Cost: one word of 32 bits for rates down to 10⁻⁷, 50 bits at 10⁻⁹, 64 at 10⁻¹²: beyond 2³⁰ the result has
 * log₂(1/rate) bits, and they are drawn in whole words. Proof: docs/proofs/geometric.md.
 * @module
 */
import type { Entropy } from "../entropy/entropy.js";
import { withEntropy } from "../entropy/system-entropy.js";
import { bitLength } from "../exact/integers.js";
import { Rational, type RationalLike } from "../exact/rational.js";
import { fastMinusLn, MINUS_LN_SLACK, minusLn } from "./minus-ln.js";
import { positiveRational } from "./parameters.js";
import { PartialUniform } from "./partial-uniform.js";

/** The number of e^(−rate)-coins that come up heads before the first tails. */
export function geometric(rate: RationalLike, entropy?: Entropy): bigint {
  const scale = Rational.ONE.dividedBy(positiveRational("rate", rate));
  return withEntropy(entropy, (bits) => drawGeometric(scale, bits));
}

/** 2^30: beyond, one word of U does not tell the floor. */
const LARGEST_FAST_SCALE = 0x4000_0000;
/** More than the rounding of the scale and of two operations, a factor below (1 + 2^−53)³. */
const WIDEN = 1 + 1 / 0x4_0000_0000_0000; // 1 + 2^−50

/**
 * ⌊scale·(−ln U)⌋ for scale = 1/rate.
 *
 * The floats: −ln U is between the two differences, whose own rounding (below 2^−47) is far inside the slack. The
 * products then err by a relative 2^−51 at most, or by 2^−1073 where they are subnormal and both floors are 0, so
 * that after widening scale·(−ln U) is between them.
 */
export function drawGeometric(scale: Rational, entropy: Entropy): bigint {
  const word = entropy.word();
  const factor = scale.toNumber();
  if (word > 0 && factor <= LARGEST_FAST_SCALE) {
    const most = fastMinusLn(word, entropy.wordBits);
    const high = Math.floor((most + MINUS_LN_SLACK) * factor * WIDEN);
    const low = Math.floor((Math.max(most - 1 / word - MINUS_LN_SLACK, 0) * factor) / WIDEN);
    if (low === high) return BigInt(low);
  }
  return scaledFloor(new PartialUniform(entropy, BigInt(word), entropy.wordBits), scale);
}

function scaledFloor(u: PartialUniform, scale: Rational): bigint {
  u.reveal(bitLength(scale.floor()) - u.bits); // with fewer digits of U no two ends have the same floor
  for (;;) {
    const { lo, hi, precision } = minusLn(u).times(scale);
    const low = lo <= 0n ? 0n : lo >> BigInt(precision); // −ln U > 0 in any case
    if (low === hi >> BigInt(precision)) return low;
    u.reveal();
  }
}
