/**
 * `truncatedGeometric(rate, modulus)`: a geometric variate modulo `modulus`, that is y = 0 … modulus − 1 with
 * probability proportional to e^(−rate·y). It is the next digit of an exponential variate that is known to
 * within `modulus` steps of 1/rate.
 *
 * Cost: one geometric variate, 32 bits for rates down to 10⁻⁷. Proof: truncated-geometric.proof.md.
 * @module
 */

import type { Entropy } from "../entropy.js";
import { Rational, type RationalLike } from "../exact/rational.js";
import { bigInteger, positiveRational } from "../options.js";
import { withEntropy } from "../system-entropy.js";
import { drawGeometric } from "./geometric.js";

/**
 * A geometric variate of this rate modulo an integer ≥ 1.
 *
 * Proof: truncated-geometric.proof.md.
 *
 * @param rate A rational > 0.
 * @param modulus The answer is below this.
 * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
 *
 * @example
 * ```ts
 * import { truncatedGeometric } from "winnow-dp/sample";
 *
 * truncatedGeometric("1/10", 7) < 7n; // → true
 * ```
 */
export function truncatedGeometric(rate: RationalLike, modulus: number | bigint, entropy?: Entropy): bigint {
  const scale = Rational.ONE.dividedBy(positiveRational("rate", rate));
  const divisor = BigInt(bigInteger("modulus", modulus));
  return withEntropy(entropy, (bits) => drawGeometric(scale, bits) % divisor);
}
