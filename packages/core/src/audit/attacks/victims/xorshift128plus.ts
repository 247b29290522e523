/**
 * UNSAFE, for study only: the generator behind `Math.random` in Chrome, Node and Edge, xorshift128+ as V8 has it: two words of
 * 64 bits, of which every number shows the upper 52 of one. Each step only shifts and adds without carry, so a few numbers
 * that anybody has seen are linear equations for the state, and the state tells every number before and after.
 *
 * (V8 hands out its numbers in blocks of 64, each from the last to the first; that changes their order and nothing else.)
 * @module
 */
const WORD = (1n << 64n) - 1n;
/** Bits of the state, and of what a number shows. */
export const STATE_BITS = 128;
const SHOWN_BITS = 52n;

export class Xorshift128Plus {
  #state0: bigint;
  #state1: bigint;

  /** From 128 bits of state. */
  constructor(state: bigint) {
    this.#state0 = state >> 64n;
    this.#state1 = state & WORD;
  }

  /** The next number as 52 bits. */
  bits(): bigint {
    let s1 = this.#state0;
    const s0 = this.#state1;
    this.#state0 = s0;
    s1 ^= (s1 << 23n) & WORD;
    s1 ^= s1 >> 17n;
    s1 ^= s0;
    s1 ^= s0 >> 26n;
    this.#state1 = s1;
    return this.#state0 >> (64n - SHOWN_BITS);
  }

  /** UNSAFE: the next number in [0, 1), as `Math.random` gives it. */
  random(): number {
    return Number(this.bits()) / 0x10_0000_0000_0000;
  }
}

/** UNSAFE: 0 … n − 1 in an order by "multiply and floor". */
export function leakingShuffle(n: number, generator: Xorshift128Plus): number[] {
  const items = Array.from({ length: n }, (_, index) => index);
  for (let last = n - 1; last > 0; last--) {
    const chosen = Math.floor(generator.random() * (last + 1));
    [items[last], items[chosen]] = [items[chosen], items[last]];
  }
  return items;
}
