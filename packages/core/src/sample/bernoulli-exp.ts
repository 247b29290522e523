/**
 * `bernoulliExp(γ)`: true with probability exactly e^(−γ), for any rational γ ≥ 0.
 *
 * One uniform U against one threshold: U < e^(−γ) ⇔ −ln U > γ. A word of U is drawn and −ln U enclosed with a
 * certified logarithm; only when the enclosure contains γ (about once in 2³¹) are more digits of the same U
 * drawn and e^(−γ) enclosed in BigInt, as finely as it takes.
 *
 * Cost: one word of 32 bits, 2⁻³¹ more on average. Proof: docs/proofs/bernoulli-exp.md.
 * @module
 */
import type { Entropy } from "../entropy/entropy.js";
import { withEntropy } from "../entropy/system-entropy.js";
import { invalidParameter } from "../errors.js";
import { Interval } from "../exact/interval.js";
import { Rational, type RationalLike } from "../exact/rational.js";
import { fastMinusLn, MINUS_LN_SLACK } from "./minus-ln.js";
import { nonNegativeRational } from "./parameters.js";
import { PartialUniform } from "./partial-uniform.js";

/** True with probability e^(−gamma). */
export function bernoulliExp(gamma: RationalLike, entropy?: Entropy): boolean {
  const checked = nonNegativeRational("gamma", gamma);
  return withEntropy(entropy, (bits) => drawBernoulliExp(checked, bits));
}

/** `bernoulliExp(p/q)` for safe integers p ≥ 0 and q ≥ 1: nothing is parsed, nothing is allocated. */
export function bernoulliExpRatio(p: number, q: number, entropy: Entropy): boolean {
  if (!(Number.isSafeInteger(p) && p >= 0)) throw invalidParameter("p", "an integer from 0 to 2^53 - 1", p);
  if (!(Number.isSafeInteger(q) && q >= 1)) throw invalidParameter("q", "an integer from 1 to 2^53 - 1", q);
  if (p === 0) return true;
  const word = entropy.word();
  const decided = compareWithExp(word, entropy.wordBits, p / q);
  if (decided !== UNDECIDED) return decided === BELOW;
  return isBelowExp(
    new PartialUniform(entropy, BigInt(word), entropy.wordBits),
    Rational.of(BigInt(p), BigInt(q)),
  );
}

/** `bernoulliExp` for a checked γ. */
export function drawBernoulliExp(gamma: Rational, entropy: Entropy): boolean {
  if (gamma.numerator === 0n) return true;
  const word = entropy.word();
  const decided = compareWithExp(word, entropy.wordBits, gamma.toNumber());
  if (decided !== UNDECIDED) return decided === BELOW;
  return isBelowExp(new PartialUniform(entropy, BigInt(word), entropy.wordBits), gamma);
}

export const UNDECIDED = 0;
export const BELOW = 1;
export const NOT_BELOW = 2;

/**
 * Where U ∈ [word, word + 1)·2^−bits, 1 ≤ bits ≤ 32, lies in relation to e^(−γ), if that is certain. `gamma` is
 * within 2^−50·γ of γ.
 *
 * `fastMinusLn` is within 2^−44 of L, and L − 1/word < −ln U ≤ L. Where the first test passes, γ > L: for γ ≤ 32
 * all errors together are below 2^−43, far below the slack, and for γ > 32 the distance is above 9. Where the
 * second passes, γ < 23 and the computed margin is above (1 − 2^−52)/word; the true one is larger by at least
 * the slack less 2^−43, so it is above 1/word, and γ < L − 1/word < −ln U.
 */
export function compareWithExp(word: number, bits: number, gamma: number): 0 | 1 | 2 {
  if (word === 0) return UNDECIDED;
  const most = fastMinusLn(word, bits);
  if (most + MINUS_LN_SLACK < gamma) return NOT_BELOW;
  return (most - gamma - MINUS_LN_SLACK) * word > 1 ? BELOW : UNDECIDED;
}

/** More digits of U than are needed to tell the cell from the threshold. */
const GUARD = 16;

/** Whether U < e^(−γ), drawing as many more digits of U as it takes. */
export function isBelowExp(u: PartialUniform, gamma: Rational): boolean {
  const exponent = gamma.negated();
  for (;;) {
    const cell = u.enclosure(GUARD);
    const threshold = Interval.from(exponent, cell.precision).exp();
    if (cell.hi <= threshold.lo) return true; // U < cell.hi
    if (cell.lo >= threshold.hi) return false;
    u.reveal();
  }
}
