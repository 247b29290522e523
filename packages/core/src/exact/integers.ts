/**
 * Integer arithmetic that BigInt leaves out: division that rounds towards −∞ or +∞ (BigInt's `/` truncates
 * towards zero, which is wrong for negative numbers), greatest common divisor, bit length, integer square root. And the
 * powers of two as doubles.
 * @module
 */

/** ⌊a/b⌋ for b > 0. */
export function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

/** ⌈a/b⌉ for b > 0. */
export function ceilDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b > 0n ? quotient + 1n : quotient;
}

/** ⌈a / 2^shift⌉; BigInt's own `>>` already floors. Both multiply where the shift is negative. */
export function ceilShift(a: bigint, shift: bigint): bigint {
  return -(-a >> shift);
}

export function abs(a: bigint): bigint {
  return a < 0n ? -a : a;
}

/** By Euclid, in doubles from where they are exact: that is several times as fast. */
export function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [abs(a), abs(b)];
  while (y >> 53n) [x, y] = [y, x % y];
  if (!y) return x;
  let [m, n] = [Number(y), Number(x % y)];
  while (n) [m, n] = [n, m % n];
  return BigInt(m);
}

/** The number of binary digits of |a|: 0 for 0, and n for 2^(n−1) ≤ |a| < 2^n. */
export function bitLength(a: bigint): number {
  const hex = abs(a).toString(16);
  return hex.length * 4 - Math.clz32(Number.parseInt(hex[0], 16)) + 28; // the first digit has 32 − clz32 of its four
}

/** ⌊√a⌋ for a ≥ 0, by Newton's iteration from above, which decreases until it is done. */
export function integerSqrt(a: bigint): bigint {
  if (a < 2n) return a;
  let root = 1n << BigInt((bitLength(a) + 1) >> 1); // at least √a
  for (;;) {
    const next = (root + a / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/**
 * 2^0 … 2^128 as doubles, exactly: what words, octaves and counts are scaled by. By doubling, because `**` on doubles is the
 * engine's affair. 1/TWO_TO[n] is exact too.
 */
export const TWO_TO = /* @__PURE__ */ powersOfTwo(129);

function powersOfTwo(count: number): Float64Array {
  const table = new Float64Array(count).fill(1);
  for (let exponent = 1; exponent < count; exponent++) table[exponent] = 2 * table[exponent - 1];
  return table;
}
