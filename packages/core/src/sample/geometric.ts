/**
 * `geometric(rate)`: y = 0, 1, 2, … with P(y) = (1 − a)·a^y, a = e^(−rate), for any rational rate > 0.
 *
 * By inversion: Y = ⌊−ln U / rate⌋ [Ding23, Alg 5 draws the same law]. A word of U is drawn and −ln U enclosed
 * with a certified logarithm; where both ends have the same floor that is the answer, else more digits of the
 * same U are drawn and the logarithm is enclosed in BigInt. For many draws at one rate, `Geometric` is faster.
 *
 * Cost: one word of 32 bits, plus about log₂(1/rate) − 20 bits for rates below 2^−30. Proof: docs/proofs/geometric.md.
 * @module
 */

import type { Entropy } from "../entropy/entropy.js";
import { withEntropy } from "../entropy/system-entropy.js";
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
const LARGEST_FAST_SCALE = 1073741824;
/** 1 + 2^−50: more than the rounding of the scale and of three operations. */
const WIDEN = 1.0000000000000009;

/** ⌊scale·(−ln U)⌋ for scale = 1/rate. */
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
  for (;;) {
    const exponential = minusLn(u).times(scale);
    const high = exponential.upper().floor();
    const low = exponential.lo <= 0n ? 0n : exponential.lower().floor(); // −ln U > 0 in any case
    if (low === high) return low;
    u.reveal();
  }
}
