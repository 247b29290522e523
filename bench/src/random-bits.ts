/**
 * How many random bits the exact samplers use for a draw, beside the entropy of its law: fewer no algorithm can use on
 * average. Counted twice, with words of 32 bits as in production, where a draw takes whole words because they are
 * cheap, and with words of one bit, where the same code draws no more than it looks at.
 *
 *     npm run bench -- --bits
 * @module
 */
import { Entropy } from "winnow-dp";
import {
  bernoulli,
  bernoulliExp,
  discreteGaussian,
  discreteLaplace,
  geometric,
  uniformBelow,
} from "winnow-dp/sample";

const DRAWS = 20_000;

export interface BitsUsed {
  readonly sampler: string;
  /** The entropy of the law, in bits. */
  readonly entropy: number;
  /** Bits on average for a draw, with words of one bit. */
  readonly single: number;
  /** Bits on average for a draw, with words of 32 bits. */
  readonly words: number;
}

interface Sampler {
  readonly name: string;
  draw(entropy: Entropy): unknown;
  /** The probabilities of the law, each once. */
  law(): Iterable<number>;
}

const SAMPLERS: readonly Sampler[] = [
  coin("bernoulli 1/3", 1 / 3, (entropy) => bernoulli("1/3", entropy)),
  coin("bernoulliExp 1", Math.exp(-1), (entropy) => bernoulliExp(1, entropy)),
  ...[6, 1000, 1_000_003].map((n) => ({
    name: `uniformBelow ${n.toLocaleString("en")}`,
    draw: (entropy: Entropy) => uniformBelow(n, entropy),
    law: () => new Float64Array(n).fill(1 / n),
  })),
  ...["1", "1/10", "1/1000"].map((rate) => ({
    name: `geometric, rate ${rate}`,
    draw: (entropy: Entropy) => geometric(rate, entropy),
    law: () => tail((y) => Math.exp(-y * value(rate))),
  })),
  ...["1/2", "10", "1000"].map((scale) => ({
    name: `discreteLaplace, scale ${scale}`,
    draw: (entropy: Entropy) => discreteLaplace(scale, entropy),
    law: () => twoSided((y) => Math.exp(-y / value(scale))),
  })),
  ...["1/4", "100", "1000000"].map((variance) => ({
    name: `discreteGaussian, σ² ${Number(value(variance)).toLocaleString("en")}`,
    draw: (entropy: Entropy) => discreteGaussian(variance, entropy),
    law: () => twoSided((y) => Math.exp(-(y * y) / (2 * value(variance)))),
  })),
];

export function bitsUsed(draws = DRAWS): BitsUsed[] {
  return SAMPLERS.map(({ name, draw, law }) => ({
    sampler: name,
    entropy: entropyOf(law()),
    single: meanBits(1, draws, draw),
    words: meanBits(32, draws, draw),
  }));
}

function meanBits(wordBits: number, draws: number, draw: (entropy: Entropy) => unknown): number {
  const entropy = new Entropy({
    wordBits,
    fill(words) {
      globalThis.crypto.getRandomValues(words as Uint32Array<ArrayBuffer>);
      if (wordBits < 32) for (let i = 0; i < words.length; i++) words[i] >>>= 32 - wordBits;
    },
  });
  for (let i = 0; i < draws; i++) draw(entropy);
  return entropy.bitsUsed / draws;
}

function entropyOf(law: Iterable<number>): number {
  let sum = 0;
  for (const p of law) sum -= p > 0 ? p * Math.log2(p) : 0;
  return sum;
}

function coin(name: string, p: number, draw: Sampler["draw"]): Sampler {
  return { name, draw, law: () => [p, 1 - p] };
}

/** "1/10" as a number. */
function value(text: string): number {
  const [numerator, denominator = 1] = text.split("/").map(Number);
  return numerator / denominator;
}

/** Weights of 0, 1, 2, …, until they vanish, made probabilities. */
function tail(weight: (y: number) => number): number[] {
  return normalised(weights(weight));
}

/** The probabilities of 0, ±1, ±2, … */
function twoSided(weight: (y: number) => number): number[] {
  const [zero, ...others] = weights(weight);
  return normalised([zero, ...others, ...others]);
}

function weights(weight: (y: number) => number): number[] {
  const list: number[] = [];
  for (let y = 0; weight(y) > 1e-18; y++) list.push(weight(y));
  return list;
}

function normalised(weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((each) => each / sum);
}
