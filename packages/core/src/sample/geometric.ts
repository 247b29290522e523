/**
 * `geometric(rate)`: y = 0, 1, 2, … with P(y) = (1 − a)·a^y, a = e^(−rate), for any rational rate > 0.
 *
 * By inversion: Y = ⌊−ln U / rate⌋ [Ding23, Alg 5 draws the same law]. A word of U is drawn and −ln U enclosed
 * with a certified logarithm; where both ends have the same floor that is the answer, else more digits of the
 * same U are drawn and the logarithm is enclosed in BigInt. For many draws at one rate, `Geometric` is faster.
 *
 * Cost: one word of 32 bits for rates down to 10⁻⁷, 50 bits at 10⁻⁹, 64 at 10⁻¹²: beyond 2³⁰ the result has
 * log₂(1/rate) bits, and they are drawn in whole words. Proof: geometric.proof.md.
 * @module
 */

import type { Entropy } from "../entropy.js";
import { bitLength } from "../exact/integers.js";
import { Rational, type RationalLike } from "../exact/rational.js";
import { positiveRational } from "../options.js";
import { withEntropy } from "../system-entropy.js";
import { fastScaledFloor, minusLn, UNKNOWN_FLOOR } from "./minus-ln.js";
import { PartialUniform } from "./partial-uniform.js";

/**
 * The number of e^(−rate)-coins that come up heads before the first tails.
 *
 * P(y) is proportional to e^(−rate·y) for y = 0, 1, 2, …. Proof: geometric.proof.md.
 *
 * @param rate A rational > 0.
 * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
 *
 * @example
 * ```ts
 * import { geometric } from "winnow-dp/sample";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * geometric("1/10", seededEntropy("winnow")); // → 6n
 * ```
 */
export function geometric(rate: RationalLike, entropy?: Entropy): bigint {
  const scale = Rational.ONE.dividedBy(positiveRational("rate", rate));
  return withEntropy(entropy, (bits) => drawGeometric(scale, bits));
}

/** ⌊scale·(−ln U)⌋ for scale = 1/rate. */
export function drawGeometric(scale: Rational, entropy: Entropy): bigint {
  const word = entropy.word();
  const floor = fastScaledFloor(word, entropy.wordBits, scale.toNumber());
  if (floor !== UNKNOWN_FLOOR) return BigInt(floor);
  return scaledFloor(new PartialUniform(entropy, BigInt(word), entropy.wordBits), scale);
}

function scaledFloor(u: PartialUniform, scale: Rational): bigint {
  u.reveal(bitLength(scale.floor()) - u.bits); // with fewer digits of U no two ends have the same floor
  for (;;) {
    const { lo, hi, precision } = minusLn(u);
    const divisor = scale.denominator << BigInt(precision);
    const low = lo <= 0n ? 0n : (lo * scale.numerator) / divisor; // −ln U > 0 in any case
    if (low === (hi * scale.numerator) / divisor) return low;
    u.reveal();
  }
}
