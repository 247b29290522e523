/**
 * Bits that are expanded from a seed: for a release whose randomness is committed to before the rows are read, so that someone who
 * may see the rows and the seed can draw the same answer again, bit for bit.
 *
 * The stream is ChaCha20 (RFC 8439) under the seed as its key, with nonce 0 and the counter starting at 0; word i of the stream is word
 * i mod 16 of block ⌊i/16⌋, however the bits are asked for. After 2³² blocks (256 GiB) the count carries on in the nonce's first word.
 *
 * Guarantee: if the seed is 256 fair bits that no one else knows, no one can tell the bits from fair ones without breaking ChaCha20. A
 * privacy loss that is stated for fair bits then holds against everyone who can't, and no longer against an unbounded adversary. The
 * seed is as secret as the rows: with it, anyone can compute the noise in an answer ([proof](./expanded-entropy.proof.md)).
 * @module
 */
import { CHACHA20_BLOCK, chacha20Block, chacha20State } from "./chacha20.js";
import { Entropy } from "./entropy.js";
import { invalidParameter } from "./errors.js";

const SEED_BYTES = 32;
const NO_NONCE = new Uint8Array(12);

/**
 * Bits that are expanded from a seed of 32 bytes, the same on every platform.
 *
 * Private only if the seed is fresh from a cryptographic source and stays as secret as the data: anyone who has it can compute every
 * bit, and with them the noise in an answer. One seed is for one answer.
 *
 * @param seed 32 secret bytes.
 *
 * @example
 * ```ts
 * import { expandedEntropy, topK } from "winnow-dp";
 *
 * const seed = crypto.getRandomValues(new Uint8Array(32));
 * const draw = () => topK([900, 1, 700], { k: 2, epsilon: 1, entropy: expandedEntropy(seed) });
 * String(draw().winners) === String(draw().winners); // → true
 * ```
 */
export function expandedEntropy(seed: Uint8Array): Entropy {
  if (!(seed instanceof Uint8Array) || seed.length !== SEED_BYTES)
    throw invalidParameter("seed", `${SEED_BYTES} bytes`); // never shown
  const stream = new Keystream(seed);
  return new Entropy({ fill: (words) => stream.fill(words) });
}

/** The words of the ChaCha20 keystream of a key, in order. */
export class Keystream {
  readonly #state: Uint32Array;
  readonly #block = new Uint32Array(CHACHA20_BLOCK);
  #next = CHACHA20_BLOCK;

  constructor(key: Uint8Array) {
    this.#state = chacha20State(key, 0, NO_NONCE);
  }

  fill(words: Uint32Array): void {
    for (let i = 0; i < words.length; i++) {
      if (this.#next === CHACHA20_BLOCK) this.#nextBlock();
      words[i] = this.#block[this.#next++];
    }
  }

  #nextBlock(): void {
    chacha20Block(this.#state, this.#block);
    this.#next = 0;
    // After 2^32 blocks (256 GiB) the count carries on in the nonce's first word, as in Bernstein's original.
    if (++this.#state[12] === 0) this.#state[13]++;
  }
}
