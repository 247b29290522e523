/**
 * Three attacks on the order of candidates.
 *
 * Ties broken by index. UNSAFE, for study only: the victim is permute-and-flip [MS20] without the permutation. Its
 * coins are exact, but everything depends on the order, which must be uniformly random and unknown to everyone. Here
 * candidates flip their coins in the order of the list: the first of several that lead wins for certain, so any other
 * winner proves that the first was behind.
 *
 * A set that is listed by count. Propose-test-release shows a set without noise once it is certain that no one could
 * have changed which candidates are in it. Nothing protects their order: if the set is listed with the largest count
 * first and ties by index, one person turns it round with certainty.
 *
 * A leaking shuffle. The coins of permute-and-flip are exact, but the order of the candidates comes from
 * `Math.random`. The adversary has seen four other numbers from the same generator, computes its state, knows the
 * order before it is drawn, and asks about the candidate that will come first: if all scores are equal it wins for
 * certain, and if Alice lifts the others it may not.
 *
 * The state is recovered by linear algebra over bits: running the generator on each bit of the state alone shows what
 * that bit adds to the numbers, and the numbers seen are then taken apart into these contributions.
 *
 * UNSAFE, for study only: the generator behind `Math.random` in Chrome, Node and Edge, xorshift128+ as in V8. It
 * has two words of 64 bits, and every number shows the upper 52 bits of one. Each step only shifts and adds without
 * carry, so a few numbers that anyone has seen are linear equations for the state, and the state determines every
 * number before and after. (V8 hands out its numbers in blocks of 64, each from the last to the first; that changes
 * their order and nothing else.)
 * @module
 */
import { type Entropy, permuteAndFlip, proposeTestRelease } from "winnow-dp";
import { bernoulliExp } from "winnow-dp/sample";
import { type Attack, defineAttack, type World } from "./attack.js";

/** Without Alice, and with her. */
const TIED_WORLDS = [
  [10, 10],
  [10, 11],
];

export const tiesByIndex = defineAttack({
  id: "ties-by-index",
  title: "Ties broken by index",
  mistake: "flips the coins of permute-and-flip in the order of the list: of equal scores the first wins",
  trick: "waits for the second of two candidates, who cannot win against an equal",
  defence: "equal scores have equal chances: noise is continuous, and ties do not exist",
  source: "[MS20]",
  epsilon: 1,
  rounds: 4000,
  textbook: {
    name: "permute-and-flip without the permutation",
    prepare: () => (world, entropy) => guessByWinner(flipInOrder([0, 1], TIED_WORLDS[world], 1, entropy)),
  },
  ours: {
    name: "permuteAndFlip",
    prepare: () => (world, entropy) =>
      guessByWinner(permuteAndFlip(TIED_WORLDS[world], { epsilon: 1, monotone: true, entropy }).candidate),
  },
});

function guessByWinner(winner: number): World {
  return winner === 1 ? 1 : 0;
}

/** Without Alice, and with her. */
const SET_WORLDS = [
  [50, 50, 1],
  [50, 51, 1],
];
const DELTA = "1e-6";

export const setByCount = defineAttack({
  id: "set-by-count",
  title: "A stable set in the order of its counts",
  mistake: "lists a set that was tested for stability with the largest count first, ties by index",
  trick: "looks who stands first",
  defence: "a stable set is a set: it comes in the order of the candidates, never of their counts",
  source: "[ZW22, Alg 4]",
  epsilon: 1,
  delta: DELTA,
  rounds: 2000,
  textbook: {
    name: "propose-test-release, largest first",
    prepare: () => (world, entropy) => {
      const counts = SET_WORLDS[world];
      return guessByOrder([...stableSet(counts, entropy)].sort((a, b) => counts[b] - counts[a]));
    },
  },
  ours: {
    name: "proposeTestRelease",
    prepare: () => (world, entropy) => guessByOrder(stableSet(SET_WORLDS[world], entropy)),
  },
});

function stableSet(counts: readonly number[], entropy: Entropy): readonly number[] {
  const options = { k: 2, epsilon: 1, delta: DELTA, monotone: true, entropy };
  const release = proposeTestRelease(counts, options);
  return release.released ? release.candidates : [];
}

function guessByOrder(listed: readonly number[]): World {
  return listed[0] === 1 ? 1 : 0;
}

/** UNSAFE: the first candidate in this order whose coin, of bias e^(−(largest − score)/scale), shows heads. */
function flipInOrder(
  order: readonly number[],
  scores: readonly number[],
  scale: number,
  entropy: Entropy,
): number {
  const largest = Math.max(...scores);
  const winner = order.find((index) => bernoulliExp((largest - scores[index]) / scale, entropy));
  return winner ?? order[0]; // a candidate with the largest score always shows heads
}

const CANDIDATES = 16;

export const leakingShuffleAttack: Attack = defineAttack({
  id: "leaking-shuffle",
  title: "A shuffle by Math.random",
  mistake: "visits the candidates of permute-and-flip in an order made with Math.random",
  trick: "computes the generator's state from four numbers it gave elsewhere, and so the order beforehand",
  defence: "all randomness is fair bits of the system's cryptographic generator, also in a shuffle",
  source: "[MS20], with the generator of V8",
  epsilon: 1,
  rounds: 4000,
  textbook: {
    name: "permute-and-flip with Math.random",
    prepare: () => {
      const recover = stateRecovery();
      return (world, entropy) => {
        const generator = new Xorshift128Plus(entropy.bigBits(STATE_BITS));
        const first = predictedFirst(generator, recover);
        const winner = flipInOrder(leakingShuffle(CANDIDATES, generator), scoresOf(world, first), 1, entropy);
        return winner === first ? 0 : 1;
      };
    },
  },
  ours: {
    name: "permuteAndFlip",
    prepare: () => {
      const recover = stateRecovery();
      return (world, entropy) => {
        const first = predictedFirst(new Xorshift128Plus(entropy.bigBits(STATE_BITS)), recover);
        const { candidate: index } = permuteAndFlip(scoresOf(world, first), {
          epsilon: 1,
          monotone: true,
          entropy,
        });
        return index === first ? 0 : 1;
      };
    },
  },
});

/** Who will come first in the next shuffle, from numbers that the generator gave before. */
function predictedFirst(generator: Xorshift128Plus, recover: (numbers: readonly bigint[]) => bigint): number {
  const seen = Array.from({ length: NUMBERS_NEEDED }, () => generator.bits());
  const copy = new Xorshift128Plus(recover(seen));
  for (let number = 0; number < NUMBERS_NEEDED; number++) copy.bits();
  return leakingShuffle(CANDIDATES, copy)[0];
}

/** All equal without Alice; with her, everyone but this candidate has one more. */
function scoresOf(world: number, first: number): number[] {
  return Array.from({ length: CANDIDATES }, (_, index) => (index === first ? 0 : world));
}

/** This many numbers determine the state. */
export const NUMBERS_NEEDED = 4;
const BITS_OF_A_NUMBER = 52n;

/** A combination of bits of the state, and what it adds to the numbers; no other combination has its highest bit. */
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
