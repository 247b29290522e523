import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Entropy, rational } from "winnow-dp";
import {
  bernoulli,
  bernoulliExp,
  discreteGaussian,
  discreteLaplace,
  geometric,
  truncatedGeometric,
  uniformBelow,
} from "winnow-dp/sample";
import { bitTree } from "winnow-dp/testing";
import { Reference } from "../../packages/audit/src/reference-samplers.js";
import { Fuzzer } from "./fuzzer.js";

/** Parameters of a sampler: small integers, of which it takes as many as it needs. */
type Case = readonly [s: number, t: number, m: number, wordBits: number];

/** The closed forms are computed in doubles; a leaf of a tree is far larger than their error. */
const ERROR = 1e-11;

interface Sampler {
  readonly name: string;
  readonly production: (s: bigint, t: bigint, m: bigint, entropy: Entropy) => unknown;
  readonly reference: (s: bigint, t: bigint, m: bigint, reference: Reference) => unknown;
  readonly law: (x: number, s: number, t: number, m: number) => number;
  /** How many bits are tried; most draws must need fewer. Default 11. */
  readonly depth?: number;
  /** One step off: it must be noticed. */
  readonly broken: (s: bigint, t: bigint, m: bigint, entropy: Entropy) => unknown;
}

const ratio = (s: bigint, t: bigint) => rational(s).dividedBy(t);
const indicator = (x: number, p: number) => (x === 1 ? p : 1 - p);

/** Of discrete Gaussian noise, up to where nothing is left. */
function gaussian(x: number, variance: number): number {
  let sum = 1;
  for (let i = 1; i < 400; i++) sum += 2 * Math.exp((-i * i) / (2 * variance));
  return Math.exp((-x * x) / (2 * variance)) / sum;
}

const SAMPLERS: readonly Sampler[] = [
  {
    name: "uniformBelow",
    production: (s, _, __, entropy) => uniformBelow(s, entropy),
    reference: (s, _, __, reference) => reference.uniformBelow(s),
    law: (_, s) => 1 / s,
    broken: (s, _, __, entropy) => uniformBelow(s + 1n, entropy) % s,
  },
  {
    name: "bernoulli",
    production: (s, t, _, entropy) => Number(bernoulli(ratio(s, s + t), entropy)),
    reference: (s, t, _, reference) => Number(reference.bernoulli(s, s + t)),
    law: (x, s, t) => indicator(x, s / (s + t)),
    broken: (s, t, _, entropy) => Number(bernoulli(ratio(s, s + t + 1n), entropy)),
  },
  {
    name: "bernoulliExp",
    production: (s, t, _, entropy) => Number(bernoulliExp(ratio(s, t), entropy)),
    reference: (s, t, _, reference) => Number(reference.bernoulliExp(s, t)),
    law: (x, s, t) => indicator(x, Math.exp(-s / t)),
    broken: (s, t, _, entropy) => Number(bernoulliExp(ratio(s + 1n, t), entropy)),
  },
  {
    name: "geometric",
    production: (s, t, _, entropy) => geometric(ratio(s, t), entropy),
    reference: (s, t, _, reference) => reference.geometric(s, t),
    law: (x, s, t) => Math.exp((-s / t) * x) * -Math.expm1(-s / t),
    broken: (s, t, _, entropy) => BigInt(geometric(ratio(s, t), entropy)) + 1n,
  },
  {
    name: "truncatedGeometric",
    production: (s, t, m, entropy) => truncatedGeometric(ratio(s, t), m, entropy),
    reference: (s, t, m, reference) => reference.truncatedGeometric(s, t, m),
    law: (x, s, t, m) => (Math.exp((-s / t) * x) * -Math.expm1(-s / t)) / -Math.expm1((-s / t) * m),
    broken: (s, t, m, entropy) => truncatedGeometric(ratio(s, t), m + 1n, entropy),
  },
  {
    name: "discreteLaplace",
    production: (s, t, _, entropy) => discreteLaplace(ratio(s, t), entropy),
    reference: (s, t, _, reference) => reference.discreteLaplace(t, s),
    law: (x, s, t) => Math.exp((-t / s) * Math.abs(x)) * Math.tanh(t / s / 2),
    // Zero has two signs, of which one must be refused.
    broken: (s, t, _, entropy) => {
      const size = BigInt(geometric(ratio(t, s), entropy));
      return bernoulli(rational("1/2"), entropy) ? -size : size;
    },
  },
  {
    name: "discreteGaussian", // of a variance below 1, which 14 bits mostly decide
    production: (s, t, _, entropy) => discreteGaussian(ratio(s, s + t), entropy),
    reference: (s, t, _, reference) => reference.discreteGaussian(s, s + t),
    law: (x, s, t) => gaussian(x, s / (s + t)),
    depth: 14,
    broken: (s, t, _, entropy) => BigInt(discreteGaussian(ratio(s, s + t), entropy)) + 1n,
  },
];

const cases: fc.Arbitrary<Case> = fc.tuple(
  fc.integer({ min: 1, max: 9 }),
  fc.integer({ min: 1, max: 9 }),
  fc.integer({ min: 1, max: 4 }),
  fc.integer({ min: 1, max: 3 }),
);

/** Every string of so many bits: no outcome may have more than its probability, nor less than what is left allows. */
function expectLaw(
  sample: (s: bigint, t: bigint, m: bigint, entropy: Entropy) => unknown,
  law: Sampler["law"],
  [s, t, m, wordBits]: Case,
  depth: number,
): void {
  const { mass, undecided } = bitTree((entropy) => sample(BigInt(s), BigInt(t), BigInt(m), entropy), {
    depth,
    wordBits,
  });
  const rest = undecided.toNumber();
  expect(rest).toBeLessThan(1);
  for (const [outcome, found] of mass) {
    const [least, exact] = [found.toNumber(), law(Number(outcome), s, t, m)];
    expect(least, `P(${outcome})`).toBeLessThanOrEqual(exact + ERROR);
    expect(least + rest, `P(${outcome})`).toBeGreaterThanOrEqual(exact - ERROR);
  }
}

describe.each(SAMPLERS)("$name", ({ name, production, reference, law, broken, depth = 11 }) => {
  const fuzzer = new Fuzzer(name, cases, depth > 11 ? 3 : 8);

  it("and its reference have the closed form at random parameters, on every string of bits", () =>
    fuzzer.holds((example) => {
      expectLaw(production, law, example, depth);
      expectLaw((s, t, m, entropy) => reference(s, t, m, new Reference(entropy)), law, example, depth);
    }));

  it("one step off is noticed", async () => {
    expect(await fuzzer.refutes((example) => expectLaw(broken, law, example, depth))).toBe(true);
  });
});
