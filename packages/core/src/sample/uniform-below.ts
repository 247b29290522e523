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
import { invalidParameter } from "../errors.js";
import { bitLength } from "../exact/integers.js";
import { bigInteger, kindOf, typedArray } from "../options.js";
import { withEntropy } from "../system-entropy.js";

/** Doubling v < n stays below 2^53 up to here. */
const LARGEST_NUMBER = 4503599627370496;

// 2^52

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

/** How many of 0, 1, 2, … an array of each kind can hold. */
const CAPACITIES = new Map([
  ["Uint8Array", 0x100],
  ["Uint16Array", 0x1_0000],
  ["Int32Array", 0x8000_0000],
  ["Uint32Array", 0x1_0000_0000],
  ["Float64Array", 9007199254740991],
]);

/** What `fillUniformBelow` fills. */
export type IntegerArray = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array;

/**
 * Fills the array with independent draws and returns it. An n that the array has no room for is refused.
 *
 * @param target The array to fill.
 * @param n An integer ≥ 1.
 * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
 *
 * @example
 * ```ts
 * import { fillUniformBelow } from "winnow-dp/sample";
 *
 * const rolls = fillUniformBelow(new Uint8Array(100), 6);
 * rolls.every((roll) => roll < 6); // → true
 * ```
 */
export function fillUniformBelow<A extends IntegerArray>(target: A, n: number, entropy?: Entropy): A {
  typedArray("target", target, ...CAPACITIES.keys());
  const capacity = CAPACITIES.get(kindOf(target)) ?? 0;
  if (!Number.isSafeInteger(n) || n < 1 || n > capacity)
    throw invalidParameter("n", `an integer from 1 to ${capacity} for a ${kindOf(target)}`, n);
  return withEntropy(entropy, (bits) => {
    for (let index = 0; index < target.length; index++) target[index] = drawBelow(n, bits);
    return target;
  });
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
