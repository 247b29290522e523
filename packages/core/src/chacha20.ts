/**
 * The ChaCha20 block function (RFC 8439, §2.3): 512 bits of keystream from a 256-bit key, a block counter and
 * a nonce. Key and nonce are bytes as in the RFC; the keystream is left in words, of which the RFC writes the
 * least significant byte first.
 * @module
 */

/** Words in a block. */
export const CHACHA20_BLOCK = 16;

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
