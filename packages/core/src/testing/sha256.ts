/**
 * SHA-256 (FIPS 180-4), only to turn a seed of any length into the key of the seeded stream. Written for
 * short inputs and for reading; nothing secret passes through it.
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
