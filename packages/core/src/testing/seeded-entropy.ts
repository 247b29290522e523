/**
 * NOT PRIVATE. Reproducible bits for tests, simulations and debugging: anyone who knows the seed knows every bit
 * that was ever drawn, and with them the noise in an answer. Never release an answer that was computed with a
 * seeded entropy about anyone's data; releases take `systemEntropy()`.
 *
 * The stream is ChaCha20 (RFC 8439) under the key SHA-256(seed), nonce 0, the counter starting at 0. It is
 * the same on every platform and does not depend on how the bits are asked for: word i of the stream is word
 * i mod 16 of block ⌊i/16⌋.
 * @module
 */

import { Entropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { Keystream } from "../expanded-entropy.js";
import { sha256 } from "../sha256.js";

/**
 * NOT PRIVATE: a reproducible entropy. Anyone who knows the seed knows every bit, and with them the noise in an answer.
 *
 * @param seed Numbers and bigints are read as the text they print as, text as its UTF-8 bytes, so `7`, `7n` and `"7"`
 * are one seed.
 *
 * @example
 * ```ts
 * import { topK } from "winnow-dp";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * // The same every time: for tests, never for a release.
 * topK([5, 1, 9], { k: 1, epsilon: 1, entropy: seededEntropy("a test") }).winners; // → [{ candidate: 2 }]
 * ```
 */
export function seededEntropy(seed: string | number | bigint | Uint8Array): Entropy {
  const stream = new Keystream(digestBytes(seedBytes(seed)));
  return new Entropy({ fill: (words) => stream.fill(words) });
}

function seedBytes(seed: string | number | bigint | Uint8Array): Uint8Array {
  if (seed instanceof Uint8Array) return seed;
  if (typeof seed === "string" || typeof seed === "bigint" || Number.isFinite(seed))
    return new TextEncoder().encode(String(seed));
  throw invalidParameter("seed", "a text, a finite number, a bigint or a Uint8Array", seed);
}

/** The key: SHA-256 of the seed, its words with the most significant byte first. */
function digestBytes(seed: Uint8Array): Uint8Array {
  const digest = new DataView(new ArrayBuffer(32));
  for (const [i, word] of sha256(seed).entries()) digest.setUint32(4 * i, word);
  return new Uint8Array(digest.buffer);
}
