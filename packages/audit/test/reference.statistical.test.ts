import { describe, expect, it } from "vitest";
import type { Entropy } from "../../core/src/entropy.js";
import { tally } from "../../core/test/support/tally.js";
import { isAbove, type LazyReal, Reference } from "../src/reference-samplers.js";

describe("The mean number of random bits", () => {
  const shuffled = (n: number) => (reference: Reference) => reference.shuffle(Array.from({ length: n }));
  const compared = (draw: (reference: Reference) => LazyReal) => (reference: Reference) =>
    isAbove(draw(reference), draw(reference));

  it.each<{ name: string; bits: number; draw: (reference: Reference) => unknown }>([
    { name: "uniformBelow(10)", bits: 4.6, draw: (reference) => reference.uniformBelow(10n) },
    { name: "uniformBelow(1000003)", bits: 20.3, draw: (reference) => reference.uniformBelow(1000003n) },
    { name: "bernoulli(1/3)", bits: 2, draw: (reference) => reference.bernoulli(1n, 3n) },
    {
      name: "bernoulli of 200 digits",
      bits: 2,
      draw: (reference) => reference.bernoulli(10n ** 199n, 10n ** 200n + 7n),
    },
    { name: "bernoulli(1/2)", bits: 1, draw: (reference) => reference.bernoulli(1n, 2n) },
    { name: "bernoulliExp(1/10)", bits: 2.2, draw: (reference) => reference.bernoulliExp(1n, 10n) },
    { name: "bernoulliExp(1)", bits: 2.4, draw: (reference) => reference.bernoulliExp(1n, 1n) },
    { name: "bernoulliExp(7/3)", bits: 3.6, draw: (reference) => reference.bernoulliExp(7n, 3n) },
    { name: "bernoulliExp(50)", bits: 3.7, draw: (reference) => reference.bernoulliExp(50n, 1n) },
    { name: "bernoulliExp(10⁹)", bits: 3.7, draw: (reference) => reference.bernoulliExp(10n ** 9n, 1n) },
    { name: "geometric(1)", bits: 3.7, draw: (reference) => reference.geometric(1n, 1n) },
    { name: "geometric(1/10)", bits: 15.1, draw: (reference) => reference.geometric(1n, 10n) },
    { name: "geometric(1/1000)", bits: 25.2, draw: (reference) => reference.geometric(1n, 1000n) },
    {
      name: "truncatedGeometric(1/10, 2)",
      bits: 2.2,
      draw: (reference) => reference.truncatedGeometric(1n, 10n, 2n),
    },
    {
      name: "truncatedGeometric(1/10, 4)",
      bits: 4.4,
      draw: (reference) => reference.truncatedGeometric(1n, 10n, 4n),
    },
    { name: "discreteLaplace(1)", bits: 6.9, draw: (reference) => reference.discreteLaplace(1n, 1n) },
    { name: "discreteLaplace(3)", bits: 13.2, draw: (reference) => reference.discreteLaplace(1n, 3n) },
    { name: "discreteLaplace(1000)", bits: 26.3, draw: (reference) => reference.discreteLaplace(1n, 1000n) },
    { name: "discreteGaussian(1/4)", bits: 18.7, draw: (reference) => reference.discreteGaussian(1n, 4n) },
    { name: "discreteGaussian(1)", bits: 21.5, draw: (reference) => reference.discreteGaussian(1n, 1n) },
    {
      name: "discreteGaussian(2500)",
      bits: 30.2,
      draw: (reference) => reference.discreteGaussian(2500n, 1n),
    },
    { name: "shuffle of 10", bits: 28.6, draw: shuffled(10) },
    { name: "lazyExponential", bits: 9.3, draw: (reference) => reference.lazyExponential() },
    {
      name: "two exponentials compared",
      bits: 23,
      draw: compared((reference) => reference.lazyExponential()),
    },
    { name: "two Gumbels compared", bits: 24, draw: compared((reference) => reference.lazyGumbel()) },
  ])("of $name is $bits within 5 %", ({ name, bits, draw }) => {
    const sample = (entropy: Entropy) => draw(new Reference(entropy));
    const { bitsPerRun } = tally({ seed: `bits of ${name}`, runs: 20_000, sample, key: () => "" });
    expect(Math.abs(bitsPerRun / bits - 1)).toBeLessThan(0.05);
  });

  it("of a shuffle of 1000 is 9560 within 5 %", () => {
    const sample = (entropy: Entropy) => shuffled(1000)(new Reference(entropy));
    const { bitsPerRun } = tally({ seed: "bits of a long shuffle", runs: 20, sample, key: () => "" });
    expect(Math.abs(bitsPerRun / 9560 - 1)).toBeLessThan(0.05);
  });
});
