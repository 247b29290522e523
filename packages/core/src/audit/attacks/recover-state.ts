/**
 * From a few numbers of `Math.random` to the state of its generator, by linear algebra over bits. What each bit of the state
 * adds to the numbers is found by running the generator on that bit alone; the numbers seen are then taken apart into
 * these contributions.
 * @module
 */
import { STATE_BITS, Xorshift128Plus } from "./victims/xorshift128plus.js";

/** So many numbers determine the state. */
export const NUMBERS_NEEDED = 4;
const BITS_OF_A_NUMBER = 52n;

/** A combination of bits of the state, and what it adds to the numbers; the highest bit of that is nobody else's. */
interface Contribution {
  readonly state: bigint;
  readonly shown: bigint;
}

/** A function from numbers seen, 52 bits each, to the state before the first of them. */
export function stateRecovery(): (numbers: readonly bigint[]) => bigint {
  const byHighestBit = new Map<number, Contribution>();
  for (let bit = 0; bit < STATE_BITS; bit++) {
    const state = 1n << BigInt(bit);
    const rest = reduce({ state, shown: joined(numbersFrom(state)) }, byHighestBit);
    if (rest.shown > 0n) byHighestBit.set(highestBit(rest.shown), rest);
  }
  return (numbers) => reduce({ state: 0n, shown: joined(numbers) }, byHighestBit).state;
}

/** Takes out every contribution that there is, from the highest bit down. */
function reduce(from: Contribution, byHighestBit: ReadonlyMap<number, Contribution>): Contribution {
  let { state, shown } = from;
  for (let bit = NUMBERS_NEEDED * Number(BITS_OF_A_NUMBER) - 1; bit >= 0; bit--) {
    const known = (shown >> BigInt(bit)) & 1n ? byHighestBit.get(bit) : undefined;
    if (known === undefined) continue;
    state ^= known.state;
    shown ^= known.shown;
  }
  return { state, shown };
}

function numbersFrom(state: bigint): bigint[] {
  const generator = new Xorshift128Plus(state);
  return Array.from({ length: NUMBERS_NEEDED }, () => generator.bits());
}

function joined(numbers: readonly bigint[]): bigint {
  return numbers.reduce((text, number) => (text << BITS_OF_A_NUMBER) | number, 0n);
}

function highestBit(value: bigint): number {
  return value.toString(2).length - 1;
}
