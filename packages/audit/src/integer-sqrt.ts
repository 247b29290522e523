/** The integer square root, apart from the library's own: what checks it shares nothing with it. */

/** ⌊√a⌋ for a ≥ 0, digit by digit. */
export function integerSqrt(a: bigint): bigint {
  let root = 0n;
  for (let step = 1n << BigInt(a.toString(2).length >> 1); step > 0n; step >>= 1n)
    if ((root + step) ** 2n <= a) root += step;
  return root;
}
