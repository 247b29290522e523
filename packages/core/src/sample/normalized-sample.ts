/**
 * `normalizedSample(weights)`: index i with probability exactly w_i/Σw, for any rational weights ≥ 0. The weights are brought to integers by
 * their common denominator, a uniform integer below their sum is drawn, and a binary search finds where it falls [Ilv20, Alg 4 draws the
 * same law].
 *
 * It samples; it does not protect. The weights decide what an outcome reveals.
 *
 * Cost: log₂ Σw + 2 bits. Proof: normalized-sample.proof.md.
 * @module
 */
import type { Entropy } from "../entropy.js";
import { invalidData, type WinnowError } from "../errors.js";
import { gcd } from "../exact/integers.js";
import type { Rational, RationalLike } from "../exact/rational.js";
import { arrayLike, rationalDatum } from "../options.js";
import { withEntropy } from "../system-entropy.js";
import { drawBigBelow } from "./uniform-below.js";

/**
 * An index, with a probability proportional to its weight. Not private by itself.
 *
 * Proof: normalized-sample.proof.md.
 *
 * @param weights Rationals ≥ 0, of which at least one is above 0.
 * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
 *
 * @example
 * ```ts
 * import { normalizedSample } from "winnow-dp/sample";
 *
 * normalizedSample([0, "1/3", 0]); // → 1
 * normalizedSample(["0.1", "0.2", 1n]) < 3; // → true
 * ```
 */
export function normalizedSample(weights: ArrayLike<RationalLike>, entropy?: Entropy): number {
  const list = arrayLike("weights", weights).map(weightOf);
  const over = list.reduce(
    (common, { denominator }) => (common / gcd(common, denominator)) * denominator,
    1n,
  );
  let total = 0n;
  const upTo = list.map(({ numerator, denominator }) => {
    total += numerator * (over / denominator);
    return total;
  });
  if (total === 0n) throw invalidWeights("a list with at least one weight > 0");
  return withEntropy(entropy, (bits) => {
    const place = drawBigBelow(total, bits);
    let [low, high] = [0, upTo.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (upTo[middle] <= place) low = middle + 1;
      else high = middle;
    }
    return low;
  });
}

function weightOf(given: RationalLike): Rational {
  const weight = rationalDatum("weights", given);
  if (weight.numerator < 0n) throw invalidWeights("rationals >= 0");
  return weight;
}

/** A refusal says nothing about the weights: they may stand for data. */
function invalidWeights(expected: string): WinnowError {
  return invalidData("weights", expected, "invalid-parameter");
}
