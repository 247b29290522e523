/**
 * `bernoulliExp(γ)`: true with probability exactly e^(−γ), for any rational γ ≥ 0.
 *
 * One uniform U against one threshold: U < e^(−γ) ⇔ −ln U > γ. A word of U is drawn and −ln U enclosed with a
 * certified logarithm; only when the enclosure contains γ (about once in 2³¹) are more digits of the same U
 * drawn and e^(−γ) enclosed in BigInt, as finely as it takes.
 *
 * Cost: one word of 32 bits, 2⁻²⁶ more on average; none for γ = 0. Proof: bernoulli-exp.proof.md.
 * @module
 */

import type { Entropy } from "../entropy.js";
import { Interval } from "../exact/interval.js";
import { Rational, type RationalLike } from "../exact/rational.js";
import { integer, nonNegativeRational } from "../options.js";
import { withEntropy } from "../system-entropy.js";
import { fastMinusLn, MINUS_LN_SLACK } from "./minus-ln.js";
import { PartialUniform } from "./partial-uniform.js";

/**
 * True with probability e^(−gamma).
 *
 * Proof: bernoulli-exp.proof.md.
 *
 * @param gamma A rational ≥ 0.
 * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
 *
 * @example
 * ```ts
 * import { bernoulliExp } from "winnow-dp/sample";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * bernoulliExp("7/3", seededEntropy("a coin")); // → false
 * bernoulliExp(0); // → true
 * ```
 */
export function bernoulliExp(gamma: RationalLike, entropy?: Entropy): boolean {
  const checked = nonNegativeRational("gamma", gamma);
  return withEntropy(entropy, (bits) => drawBernoulliExp(checked, bits));
}

/**
 * `bernoulliExp(p/q)` for safe integers p ≥ 0 and q ≥ 1: nothing is parsed, nothing is allocated.
 *
 * @param p The numerator of γ.
 * @param q The denominator of γ.
 * @param entropy Where the fair bits come from.
 *
 * @example
 * ```ts
 * import { bernoulliExpRatio } from "winnow-dp/sample";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * bernoulliExpRatio(7, 3, seededEntropy("a coin")); // → false
 * ```
 */
export function bernoulliExpRatio(p: number, q: number, entropy: Entropy): boolean {
  integer("p", p, 0);
  integer("q", q);
  if (p === 0) return true;
  const word = entropy.word();
  const decided = compareWithExp(word, entropy.wordBits, p / q);
  if (decided !== UNDECIDED) return decided === BELOW;
  return isRestBelowExp(word, Rational.of(BigInt(p), BigInt(q)), entropy);
}

/** `bernoulliExp` for a checked γ. */
export function drawBernoulliExp(gamma: Rational, entropy: Entropy): boolean {
  if (gamma.numerator === 0n) return true;
  const word = entropy.word();
  const decided = compareWithExp(word, entropy.wordBits, gamma.toNumber());
  return decided === UNDECIDED ? isRestBelowExp(word, gamma, entropy) : decided === BELOW;
}

export const UNDECIDED = 0;
export const BELOW = 1;
export const NOT_BELOW = 2;

/**
 * Where U ∈ [word, word + 1)·2^−bits, 1 ≤ bits ≤ 32, lies in relation to e^(−γ), if that is certain. `gamma` is a
 * double that differs from γ by at most 2^−50·γ or 2^−50; for a γ beyond the doubles it is Infinity.
 *
 * `fastMinusLn` is within 2^−44 of an L with L − 1/word < −ln U ≤ L ≤ 32·ln 2 < 23.
 * - Where the first test passes, γ ≥ L and so U ≥ e^(−γ): for γ > 24 whatever the test says, and for γ ≤ 24
 *   because the errors of L, of γ and of the sum are below 2^−44 + 2^−45 + 2^−48 together, far below the slack.
 * - Where the second passes, γ < 24 too. 1 is a double, so the product exceeded it before it was rounded: the
 *   computed margin is above 1/word, and L − γ is above that by the slack less 2^−44 + 2^−45 + 2·2^−48. Hence
 *   γ < L − 1/word < −ln U and U < e^(−γ).
 */
export function compareWithExp(word: number, bits: number, gamma: number): 0 | 1 | 2 {
  if (word === 0) return UNDECIDED;
  const most = fastMinusLn(word, bits);
  if (most + MINUS_LN_SLACK < gamma) return NOT_BELOW;
  return (most - gamma - MINUS_LN_SLACK) * word > 1 ? BELOW : UNDECIDED;
}

/** Whether U < e^(−γ), where `word` is all that was drawn of U. */
function isRestBelowExp(word: number, gamma: Rational, entropy: Entropy): boolean {
  return isBelowExp(new PartialUniform(entropy, BigInt(word), entropy.wordBits), gamma);
}

/** Whether U < e^(−γ), drawing as many more digits of U as it takes. */
export function isBelowExp(u: PartialUniform, gamma: Rational): boolean {
  const exponent = gamma.negated();
  for (;;) {
    const cell = u.enclosure();
    const threshold = Interval.from(exponent, cell.precision).exp();
    if (cell.hi <= threshold.lo) return true; // U < cell.hi
    if (cell.lo >= threshold.hi) return false;
    u.reveal();
  }
}
