/**
 * SHA-256 (FIPS 180-4) in plain JavaScript, because Web Crypto has it only asynchronously. It turns a seed into the key of
 * a reproducible stream, and chooses which items of a person are counted. No privacy guarantee rests on it.
 * @module
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

/** The first 32 bits of the fractional parts of the square roots of the first 8 primes (§5.3.3). */
const INITIAL_HASH = Uint32Array.from([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);

/**
 * The eight words of the SHA-256 digest of these parts, one after the other. In plain JavaScript and at once, where Web Crypto
 * answers later. No privacy guarantee rests on it.
 *
 * @example
 * ```ts
 * import { sha256 } from "winnow-dp";
 *
 * sha256(new TextEncoder().encode("abc"))[0].toString(16); // → "ba7816bf"
 * ```
 */
export function sha256(...parts: readonly Uint8Array[]): Uint32Array {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const message = new Uint8Array(Math.ceil((size + 9) / BLOCK_BYTES) * BLOCK_BYTES);
  let end = 0;
  for (const part of parts) {
    message.set(part, end);
    end += part.length;
  }
  message[size] = 0x80;
  const view = new DataView(message.buffer);
  view.setBigUint64(message.length - 8, BigInt(size) * 8n);
  const hash = INITIAL_HASH.slice();
  const words = new Int32Array(ROUNDS);
  for (let offset = 0; offset < message.length; offset += BLOCK_BYTES) {
    for (let t = 0; t < 16; t++) words[t] = view.getInt32(offset + 4 * t);
    compress(hash, words);
  }
  return hash;
}

/** FIPS 180-4, §6.2.2. */
function compress(hash: Uint32Array, words: Int32Array): void {
  for (let t = 16; t < ROUNDS; t++) {
    const [x, y] = [words[t - 15], words[t - 2]];
    const sigma0 = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
    const sigma1 = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
    words[t] = sigma1 + words[t - 7] + sigma0 + words[t - 16];
  }
  let [a, b, c, d, e, f, g, h] = hash;
  for (let t = 0; t < ROUNDS; t++) {
    const sum1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const first = (h + sum1 + ((e & f) ^ (~e & g)) + ROUND_CONSTANTS[t] + words[t]) | 0;
    const sum0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const second = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  const state = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) hash[i] += state[i];
}

function turned(word: number, count: number): number {
  return (word >>> count) | (word << (32 - count));
}
