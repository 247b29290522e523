/**
 * `uniformBelow(n)`: each of 0, 1, …, n − 1 with probability exactly 1/n, for any n.
 *
 * Lumbroso's "fast dice roller" [Lum13]: c is uniform on [0, v); when v reaches n, c < n is the answer, and
 * otherwise c − n is uniform on [0, v − n), so that the randomness of a miss is not thrown away. The bits
 * between two tests are fetched together; bit for bit it is the algorithm that draws them one by one.
 *
 * Cost: at most log₂ n + 2 bits on average (4.6 for n = 10, 20.3 for 1,000,003, 66 for 2⁶⁴ + 1). Proof: uniform-below.proof.md.
 * @module
 */

import type { Entropy } from "../entropy.js";
import { bitLength } from "../exact/integers.js";
import { bigInteger } from "../options.js";
import { withEntropy } from "../system-entropy.js";

/** 2^52: up to here doubling v < n stays below 2^53. */
const LARGEST_NUMBER = 4503599627370496;

/**
 * Uniform on 0 … n − 1; a number for a number, a bigint for a bigint.
 *
 * Proof: uniform-below.proof.md.
 *
 * @param n An integer ≥ 1.
 * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
 *
 * @example
 * ```ts
 * import { uniformBelow } from "winnow-dp/sample";
 *
 * uniformBelow(6) < 6; // → true
 * uniformBelow(10n ** 30n) < 10n ** 30n; // → true
 * ```
 */
export function uniformBelow(n: number, entropy?: Entropy): number;

export function uniformBelow(n: bigint, entropy?: Entropy): bigint;

export function uniformBelow(n: number | bigint, entropy?: Entropy): number | bigint {
  if (!(Number.isSafeInteger(n) && n >= 1)) bigInteger("n", n);
  return withEntropy(entropy, (bits) => (typeof n === "bigint" ? drawBigBelow(n, bits) : drawBelow(n, bits)));
}

/** `uniformBelow` for a checked number. */
export function drawBelow(n: number, entropy: Entropy): number {
  if (n > LARGEST_NUMBER) return Number(drawBigBelow(BigInt(n), entropy));
  let v = 1;
  let c = 0; // uniform on [0, v)
  for (;;) {
    let missing = 0;
    for (; v < n; v *= 2) {
      c *= 2;
      missing++;
    }
    c += entropy.bits(missing);
    if (c < n) return c;
    v -= n;
    c -= n;
  }
}

/** `uniformBelow` for a checked bigint. */
export function drawBigBelow(n: bigint, entropy: Entropy): bigint {
  let v = 1n;
  let c = 0n; // uniform on [0, v)
  for (;;) {
    let missing = Math.max(bitLength(n) - bitLength(v), 0);
    if (v << BigInt(missing) < n) missing++; // now the fewest doublings that bring v to n
    v <<= BigInt(missing);
    c = (c << BigInt(missing)) | entropy.bigBits(missing);
    if (c < n) return c;
    v -= n;
    c -= n;
  }
}
