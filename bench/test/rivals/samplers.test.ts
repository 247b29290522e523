import { describe, expect, it } from "vitest";
import type { Entropy } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { coarseFloatBernoulliExp, floatBernoulliExp } from "../../src/rivals/float-bernoulli-exp.js";
import { CoarseFloatGaussian, FloatGaussian } from "../../src/rivals/float-gaussian.js";
import { CoarseFloatGeometric, FloatGeometric } from "../../src/rivals/float-geometric.js";
import { CoarseFloatLaplace, FloatLaplace } from "../../src/rivals/float-laplace.js";
import { floatSoftmax } from "../../src/rivals/float-softmax.js";

const DRAWS = 100_000;

interface Sampler {
  sample(entropy: Entropy): number;
  fill(target: Float64Array, entropy: Entropy): void;
}

function moments(draws: Float64Array): { mean: number; variance: number } {
  const mean = draws.reduce((sum, x) => sum + x, 0) / draws.length;
  return { mean, variance: draws.reduce((sum, x) => sum + (x - mean) ** 2, 0) / draws.length };
}

/** The samplers at scale 10, with mean and variance of the rounded or floored variate. */
const SAMPLERS: readonly (readonly [string, Sampler, number, number])[] = [
  ["FloatLaplace", new FloatLaplace(10), 0, 200 + 1 / 12],
  ["CoarseFloatLaplace", new CoarseFloatLaplace(10), 0, 200 + 1 / 12],
  ["FloatGaussian", new FloatGaussian(10), 0, 100 + 1 / 12],
  ["CoarseFloatGaussian", new CoarseFloatGaussian(10), 0, 100 + 1 / 12],
  ["FloatGeometric", new FloatGeometric(1 / 10), 9.508, 99.92],
  ["CoarseFloatGeometric", new CoarseFloatGeometric(1 / 10), 9.508, 99.92],
];

describe.each(SAMPLERS)("%s", (name, sampler, mean, variance) => {
  it("draws integers with the mean and the variance of its law", () => {
    const draws = new Float64Array(DRAWS);
    sampler.fill(draws, seededEntropy(name));
    expect(draws.every(Number.isInteger)).toBe(true);
    const seen = moments(draws);
    expect(Math.abs(seen.mean - mean)).toBeLessThan(5 * Math.sqrt(variance / DRAWS));
    expect(Math.abs(seen.variance / variance - 1)).toBeLessThan(0.05);
  });

  it("draws the same one by one as in a batch", () => {
    const entropy = seededEntropy(name);
    const one = Float64Array.from({ length: 100 }, () => sampler.sample(entropy));
    const batch = new Float64Array(100);
    sampler.fill(batch, seededEntropy(name));
    expect(one).toEqual(batch);
  });
});

it.each([
  ["floatBernoulliExp", floatBernoulliExp] as const,
  ["coarseFloatBernoulliExp", coarseFloatBernoulliExp] as const,
])("%s comes up e^(-x) of the time", (name, flip) => {
  const entropy = seededEntropy(name);
  let heads = 0;
  for (let i = 0; i < DRAWS; i++) if (flip(0.7, entropy)) heads++;
  expect(Math.abs(heads / DRAWS - Math.exp(-0.7))).toBeLessThan(0.01);
});

it("floatSoftmax draws outcomes in proportion to e^(-rate·cost), also where every weight alone would vanish", () => {
  const entropy = seededEntropy("softmax");
  const wins = new Float64Array(3);
  for (let i = 0; i < DRAWS; i++) wins[floatSoftmax([5000, 5002, 5001], (cost) => cost, Math.LN2, entropy)]++;
  const expected = [4 / 7, 1 / 7, 2 / 7];
  wins.forEach((count, i) => {
    expect(Math.abs(count / DRAWS - expected[i])).toBeLessThan(0.01);
  });
});
