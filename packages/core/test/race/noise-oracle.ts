/**
 * The noises of the race once more, from rational end points and certified logarithms of 192 digits: what
 * their bounds in doubles are measured against. `decimal.js` has its say on the logarithms elsewhere.
 * @module
 */

import { asInterval, Interval } from "../../src/exact/interval.js";
import { ln2 } from "../../src/exact/ln.js";
import { Rational } from "../../src/exact/rational.js";
import { exponential, gumbel, laplace, type Noise } from "../../src/race/noise.js";

const PRECISION = 192;

export const NOISES: readonly Noise[] = [exponential, gumbel, laplace];

/** The noise at U = u for 0 < u < 1, in units of the scale. */
export function noiseAt({ name }: Noise, u: Rational): Interval {
  if (name === "exponential") return minusLn(u);
  const complement = minusLn(Rational.ONE.minus(u));
  if (name === "gumbel") return complement.ln().negated();
  const half = asInterval(ln2(PRECISION));
  return u.compare("1/2") < 0 ? minusLn(u).minus(half) : half.minus(complement);
}

/** U = word·2^−bits. */
export function uniformAt(word: number | bigint, bits: number): Rational {
  return Rational.of(BigInt(word), 1n << BigInt(bits));
}

/** The largest value that noise takes on the cell of U from word·2^−bits on; undefined if it is unbounded. */
export function supremum(noise: Noise, word: number, bits: number): Interval | undefined {
  return word === 0 ? undefined : noiseAt(noise, uniformAt(word, bits));
}

/** What noise stays above on that cell; undefined if it is unbounded. */
export function infimum(noise: Noise, word: number, bits: number): Interval | undefined {
  const end = uniformAt(word + 1, bits);
  if (!end.equals(1n)) return noiseAt(noise, end);
  return noise.name === "exponential" ? Interval.from(0, PRECISION) : undefined;
}

function minusLn(u: Rational): Interval {
  return Interval.from(u, PRECISION).ln().negated();
}
