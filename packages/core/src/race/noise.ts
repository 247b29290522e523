/**
 * The noises of the race: exponential, Gumbel and Laplace, each as a decreasing function of one uniform U.
 * Bounds from the leading digits of U in IEEE arithmetic (certified, cheap) and in BigInt (certified, as fine as
 * it takes). All three are at most −ln U, which is what lets a distant candidate be dismissed by the leading
 * zeros of its U, whatever the noise.
 *
 * In units of the scale:  exponential −ln U,  Gumbel −ln(−ln(1 − U)),  Laplace −ln 2U or ln 2(1 − U).
 * Proof: race.proof.md.
 * @module
 */
import { fastLn } from "../exact/fast-ln.js";
import { TWO_TO } from "../exact/integers.js"; // a word behind up to 96 zeros
import { type Enclosure, ln2, minusLnEnclosure } from "../exact/ln.js";
import { fastMinusLn, LN_2, MINUS_LN_SLACK, minusLn } from "../sample/minus-ln.js";
import type { PartialUniform } from "../sample/partial-uniform.js";

export interface Noise {
  readonly name: "exponential" | "gumbel" | "laplace";
  /** The noise is above −depth, except with probability 10^−11 or less. Steers time only. */
  readonly depth: number;
  /** An upper bound for every U ∈ [word, word + 1)·2^−bits. */
  most(word: number, bits: number): number;
  /** A lower bound for the same U, if `most` is that upper bound. */
  least(word: number, bits: number, most: number): number;
  /** The numbers that the noise may still be; draws more digits of U if it is unbounded otherwise. */
  enclose(u: PartialUniform): Enclosure;
}

const SLACK = MINUS_LN_SLACK;

export const exponential: Noise = {
  name: "exponential",
  depth: 0,
  most: mostMinusLn,
  least: leastMinusLn,
  enclose: minusLn,
};

/** `most` is above `fastMinusLn` by the slack. */
function leastMinusLn(word: number, bits: number, most = mostMinusLn(word, bits)): number {
  return word === 0 ? bits * LN_2 - SLACK : Math.max(most - 1 / word - 2 * SLACK, 0);
}

function mostMinusLn(word: number, bits: number): number {
  return word === 0 ? Infinity : fastMinusLn(word, bits) + SLACK;
}

export const laplace: Noise = {
  name: "laplace",
  depth: 25,
  least: (word, bits) =>
    isUpperHalf(word, bits)
      ? LN_2 - mostOfComplement(word, bits) - SLACK
      : leastMinusLn(word, bits) - LN_2 - SLACK,
  most: (word, bits) =>
    isUpperHalf(word, bits)
      ? LN_2 - leastOfComplement(word, bits) + SLACK
      : mostMinusLn(word, bits) - LN_2 + SLACK,
  enclose(u) {
    if (u.bits === 0) u.reveal();
    const isUpper = u.numerator >> BigInt(u.bits - 1) === 1n;
    const { lo, hi, precision } = isUpper ? minusLnOfComplement(u) : minusLn(u);
    const half = ln2(precision);
    const [least, most] = [lo - half.hi, hi - half.lo];
    return isUpper ? { lo: -most, hi: -least, precision } : { lo: least, hi: most, precision };
  },
};

/** Whether U ≥ 1/2; every cell of a binary digit or more is on one side. */
function isUpperHalf(word: number, bits: number): boolean {
  return 2 * word >= TWO_TO[bits];
}

export const gumbel: Noise = {
  name: "gumbel",
  depth: 3.25,
  least(word, bits) {
    const highest = (word + 1) / TWO_TO[bits]; // U is below
    if (highest <= SMALL) return leastMinusLn(word, bits) - highest * (0.5 + highest) - SLACK;
    return -mostLn(mostOfComplement(word, bits));
  },
  most(word, bits) {
    const lowest = word / TWO_TO[bits];
    if (lowest <= SMALL) return mostMinusLn(word, bits) - lowest * 0.5 + SLACK;
    return -leastLn(leastOfComplement(word, bits));
  },
  enclose(u) {
    u.revealLeadingOne(); // so that −ln(1 − U) ≥ U is above 0, by 2^16 units of its last place
    return minusLnEnclosure(minusLnOfComplement(u));
  },
};

/**
 * Below 2^−12 we use −ln(−ln(1 − U)) = −ln U − ln(1 + U/2 + U²/3 + …), where the last logarithm is at least U/2 and,
 * as ln(1 + y) ≤ y, at most U/2 + U²/3·(1 + U + …) < U/2 + U².
 */
const SMALL = 1 / 4096;

/** Bounds on −ln(1 − U) for U ∈ [word, word + 1)·2^−bits, bits ≤ 53, U not small. */
function leastOfComplement(word: number, bits: number): number {
  return bits * LN_2 - fastLn(TWO_TO[bits] - word) - SLACK;
}

function mostOfComplement(word: number, bits: number): number {
  const least = TWO_TO[bits] - word - 1;
  return least === 0 ? Infinity : bits * LN_2 - fastLn(least) + SLACK;
}

/** 2^40: bounds on ln x for a double x by the logarithm of the integers around x·2^40, for x > 2^−13. */
const GRID = 1099511627776;
const LN_GRID = 40 * LN_2;

function leastLn(x: number): number {
  const below = Math.floor(x * GRID);
  return fastLn(below) - LN_GRID - SLACK;
}

function mostLn(x: number): number {
  return x === Infinity ? Infinity : fastLn(Math.ceil(x * GRID)) - LN_GRID + SLACK;
}

/** −ln(1 − U), drawing digits of U until 1 − U > 0 is certain. */
function minusLnOfComplement(u: PartialUniform): Enclosure {
  for (;;) {
    const { lo, hi, precision } = u.enclosure();
    const one = 1n << BigInt(precision);
    if (hi < one) return minusLnEnclosure({ lo: one - hi, hi: one - lo, precision });
    u.reveal();
  }
}
