/**
 * NOT PRIVATE. Reproducible bits for tests, simulations and debugging: whoever knows the seed knows every bit
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

const NO_NONCE = new Uint8Array(12);

/**
 * NOT PRIVATE: a reproducible entropy. Whoever knows the seed knows every bit, and with them the noise in an answer.
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
 * topK([5, 1, 9], { k: 1, epsilon: 1, entropy: seededEntropy("a test") }).winners; // → [{ index: 2 }]
 * ```
 */
export function seededEntropy(seed: string | number | bigint | Uint8Array): Entropy {
  const stream = new Keystream(sha256(seedBytes(seed)));
  return new Entropy({ fill: (words) => stream.fill(words) });
}

function seedBytes(seed: string | number | bigint | Uint8Array): Uint8Array {
  if (seed instanceof Uint8Array) return seed;
  if (typeof seed === "string" || typeof seed === "bigint" || Number.isFinite(seed))
    return new TextEncoder().encode(String(seed));
  throw invalidParameter("seed", "a text, a finite number, a bigint or a Uint8Array", seed);
}

/** The words of the ChaCha20 keystream, in order. */
class Keystream {
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

/*
 * The ChaCha20 block function (RFC 8439, §2.3): 512 bits of keystream from a 256-bit key, a block counter and
 * a nonce. Key and nonce are bytes as in the RFC; the keystream is left in words, of which the RFC writes the
 * least significant byte first.
 */

/** Words in a block. */
const CHACHA20_BLOCK = 16;

/** "expand 32-byte k", read as four words. */
const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];
const DOUBLE_ROUNDS = 10;

/** Words 0–3 of the state are constants, 4–11 the key, 12 the block counter, 13–15 the nonce. */
export function chacha20State(key: Uint8Array, counter: number, nonce: Uint8Array): Uint32Array {
  return Uint32Array.of(...CONSTANTS, ...littleEndianWords(key), counter, ...littleEndianWords(nonce));
}

function littleEndianWords(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint32Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i, true));
}

/** Writes the keystream block of `state` into `block`; the state is left as it is. */
export function chacha20Block(state: Uint32Array, block: Uint32Array): void {
  block.set(state);
  for (let round = 0; round < DOUBLE_ROUNDS; round++) {
    quarterRound(block, 0, 4, 8, 12); // columns
    quarterRound(block, 1, 5, 9, 13);
    quarterRound(block, 2, 6, 10, 14);
    quarterRound(block, 3, 7, 11, 15);
    quarterRound(block, 0, 5, 10, 15); // diagonals
    quarterRound(block, 1, 6, 11, 12);
    quarterRound(block, 2, 7, 8, 13);
    quarterRound(block, 3, 4, 9, 14);
  }
  for (let i = 0; i < CHACHA20_BLOCK; i++) block[i] += state[i];
}

/** RFC 8439, §2.1, on four words of `x`: add, exclusive-or, rotate. */
export function quarterRound(x: Uint32Array, ia: number, ib: number, ic: number, id: number): void {
  let a = x[ia];
  let b = x[ib];
  let c = x[ic];
  let d = x[id];
  a = (a + b) | 0;
  d = rotateLeft(d ^ a, 16);
  c = (c + d) | 0;
  b = rotateLeft(b ^ c, 12);
  a = (a + b) | 0;
  d = rotateLeft(d ^ a, 8);
  c = (c + d) | 0;
  b = rotateLeft(b ^ c, 7);
  x[ia] = a;
  x[ib] = b;
  x[ic] = c;
  x[id] = d;
}

function rotateLeft(word: number, count: number): number {
  return (word << count) | (word >>> (32 - count));
}

/*
 * SHA-256 (FIPS 180-4), only to turn a seed of any length into the key of the seeded stream. Written for
 * short inputs and for reading; nothing secret passes through it.
 */

const BLOCK_BYTES = 64;
const ROUNDS = 64;

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes (§4.2.2). */
const ROUND_CONSTANTS = Uint32Array.from([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
]);

/** The same of the square roots of the first 8 primes (§5.3.3). */
const INITIAL_HASH = Uint32Array.from([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);

/** The 32 bytes of the digest. */
export function sha256(message: Uint8Array): Uint8Array {
  const hash = INITIAL_HASH.slice();
  const padded = pad(message);
  for (let offset = 0; offset < padded.byteLength; offset += BLOCK_BYTES)
    compress(hash, schedule(padded, offset));
  const digest = new DataView(new ArrayBuffer(4 * hash.length));
  for (const [i, word] of hash.entries()) digest.setUint32(4 * i, word);
  return new Uint8Array(digest.buffer);
}

/** The message, a 1 bit, zeros to the end of a block, and the message's length in bits (§5.1.1). */
function pad(message: Uint8Array): DataView {
  const blocks = Math.ceil((message.length + 9) / BLOCK_BYTES);
  const bytes = new Uint8Array(blocks * BLOCK_BYTES);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setBigUint64(bytes.length - 8, BigInt(message.length) * 8n);
  return view;
}

/** The block's sixteen words, expanded to one word for each round (§6.2.2, step 1). */
function schedule(padded: DataView, offset: number): Uint32Array {
  const words = new Uint32Array(ROUNDS);
  for (let t = 0; t < 16; t++) words[t] = padded.getUint32(offset + 4 * t);
  for (let t = 16; t < ROUNDS; t++) {
    const [early, late] = [words[t - 15], words[t - 2]];
    const sigma0 = rotateRight(early, 7) ^ rotateRight(early, 18) ^ (early >>> 3);
    const sigma1 = rotateRight(late, 17) ^ rotateRight(late, 19) ^ (late >>> 10);
    words[t] = sigma1 + words[t - 7] + sigma0 + words[t - 16]; // the typed array reduces modulo 2^32
  }
  return words;
}

/** One block into the hash value (§6.2.2, steps 2 to 4). */
function compress(hash: Uint32Array, words: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = hash;
  for (let t = 0; t < ROUNDS; t++) {
    const sum1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + sum1 + choice + ROUND_CONSTANTS[t] + words[t]) | 0;
    const sum0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + sum0 + majority) | 0];
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) hash[i] += value;
}

function rotateRight(word: number, count: number): number {
  return (word >>> count) | (word << (32 - count));
}
