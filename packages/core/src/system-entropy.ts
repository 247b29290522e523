/**
 * The production source of randomness: Web Crypto's generator, as Node, browsers, workers, Deno and Bun have
 * it. There is no fallback: without it, every call throws.
 *
 * Bits are fetched up to 64 KiB at a time because a call costs about 3 µs whatever its size. Bits that were fetched
 * and not used are wiped at the end of a mechanism's run, at the latest when the running script yields, so a
 * process that is cloned or restored between two runs never uses a bit that its twin uses.
 * @module
 */
import { anEntropy, Entropy } from "./entropy.js";
import { WinnowError } from "./errors.js";

/**
 * Fair bits of the system's cryptographic generator (Web Crypto), which every mechanism takes by default.
 *
 * Where there is none it throws `entropy-unavailable`: there is no fallback.
 *
 * @example
 * ```ts
 * import { systemEntropy } from "winnow-dp";
 *
 * const entropy = systemEntropy();
 * entropy.bits(10) < 1024; // → true
 * ```
 */
export function systemEntropy(): Entropy {
  const crypto = globalThis.crypto;
  if (typeof crypto?.getRandomValues !== "function")
    throw new WinnowError(
      "entropy-unavailable",
      "no cryptographic randomness: globalThis.crypto.getRandomValues is missing; use Node 20 or later, a current browser, Deno or Bun",
    );
  return new Entropy({ fill: (words) => fillFrom(crypto, words), transient: true });
}

function fillFrom(crypto: Crypto, words: Uint32Array<ArrayBuffer>): void {
  try {
    crypto.getRandomValues(words);
  } catch (cause) {
    throw new WinnowError(
      "entropy-unavailable",
      "the system's cryptographic randomness failed; nothing was released",
      { cause },
    );
  }
}

/**
 * Runs `draw` on the given entropy, or on the system's, which is then wiped whatever happens.
 *
 * @example
 * ```ts
 * import { type Entropy, withEntropy } from "winnow-dp";
 *
 * const coin = (entropy?: Entropy) => withEntropy(entropy, (bits) => bits.bit() === 1);
 * typeof coin(); // → "boolean"
 * ```
 */
export function withEntropy<T>(given: Entropy | undefined, draw: (entropy: Entropy) => T): T {
  if (given !== undefined) return draw(anEntropy("entropy", given));
  const entropy = systemEntropy();
  try {
    return draw(entropy);
  } finally {
    entropy.wipe();
  }
}
