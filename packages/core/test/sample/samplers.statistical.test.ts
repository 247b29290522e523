import { describe, expect, it } from "vitest";
import type { Entropy } from "../../src/entropy.js";
import {
  bernoulli,
  bernoulliExp,
  bernoulliExpRatio,
  DiscreteGaussian,
  DiscreteLaplace,
  discreteGaussian,
  discreteLaplace,
  Geometric,
  geometric,
  type LazyVariate,
  lazyExponential,
  lazyGumbel,
  shuffle,
  truncatedGeometric,
  uniformBelow,
} from "../../src/sample/index.js";
import { expectAccepts, expectRejects, type Tally, tally, tallyBatch } from "../support/tally.js";
import { Bins, gaussianMass, geometricMass, type IntegerLaw, laplaceMass } from "./binned-laws.js";

/** The seed's name, then draws in bins that suit the scale. */
type Draw = (name: string, key: (x: number | bigint) => string) => Tally;

const oneByOne =
  (runs: number, sample: (entropy: Entropy) => number | bigint): Draw =>
  (name, key) =>
    tally({ seed: `${name}, one by one`, runs, sample, key });

const inBatches =
  (sampler: { fill(target: Int32Array, entropy: Entropy): Int32Array }): Draw =>
  (name, key) =>
    tallyBatch({
      seed: `${name}, batch`,
      runs: 25_000,
      batch: (entropy, runs) => sampler.fill(new Int32Array(runs), entropy),
      key,
    });

const SCALES = [
  { scale: "1/2", square: "1/4", rate: "2", double: 0.5 },
  { scale: "10", square: "100", rate: "1/10", double: 10 },
  { scale: "1000", square: "1000000", rate: "1/1000", double: 1e3 },
  { scale: "1000000", square: "1e12", rate: "1e-6", double: 1e6 },
];

const EXPERIMENTS: readonly {
  name: string;
  law: (scale: number) => IntegerLaw;
  scale: number;
  draw: Draw;
}[] = SCALES.flatMap(({ scale, square, rate, double }) => {
  const geometrics = { law: (size: number) => geometricMass(1 / size), scale: double };
  const laplaces = { law: laplaceMass, scale: double };
  const gaussians = { law: gaussianMass, scale: double };
  const [prepared, laplace, gaussian] = [
    new Geometric(rate),
    new DiscreteLaplace(scale),
    new DiscreteGaussian(square),
  ];
  return [
    { name: `geometric(${rate})`, ...geometrics, draw: oneByOne(20_000, (e) => geometric(rate, e)) },
    { name: `Geometric(${rate})`, ...geometrics, draw: oneByOne(25_000, (e) => prepared.sample(e)) },
    { name: `Geometric(${rate}).fill`, ...geometrics, draw: inBatches(prepared) },
    {
      name: `discreteLaplace(${scale})`,
      ...laplaces,
      draw: oneByOne(20_000, (e) => discreteLaplace(scale, e)),
    },
    { name: `DiscreteLaplace(${scale})`, ...laplaces, draw: oneByOne(25_000, (e) => laplace.sample(e)) },
    { name: `DiscreteLaplace(${scale}).fill`, ...laplaces, draw: inBatches(laplace) },
    {
      name: `discreteGaussian(${square})`,
      ...gaussians,
      draw: oneByOne(20_000, (e) => discreteGaussian(square, e)),
    },
    { name: `DiscreteGaussian(${square})`, ...gaussians, draw: oneByOne(25_000, (e) => gaussian.sample(e)) },
    { name: `DiscreteGaussian(${square}).fill`, ...gaussians, draw: inBatches(gaussian) },
  ];
});

describe("χ²", () => {
  it.each(EXPERIMENTS)(
    "accepts $name and rejects a scale that is off by 10 %",
    ({ name, law, scale, draw }) => {
      const bins = new Bins(scale);
      const draws = draw(name, bins.nameOf);
      expectAccepts(draws, bins.lawOf(law(scale)));
      expectRejects(draws, bins.lawOf(law(1.1 * scale)));
      expectRejects(draws, bins.lawOf(law(0.9 * scale)));
    },
  );

  const coins: readonly [string, number, (entropy: Entropy, runs: number) => Iterable<unknown>][] = [
    ["bernoulli", 2 / 7, (e, runs) => Array.from({ length: runs }, () => Number(bernoulli("2/7", e)))],
    [
      "bernoulliExp",
      Math.exp(-3 / 7),
      (e, runs) => Array.from({ length: runs }, () => +bernoulliExp("3/7", e)),
    ],
    [
      "bernoulliExpRatio",
      Math.exp(-3 / 7),
      (e, runs) => Array.from({ length: runs }, () => +bernoulliExpRatio(3, 7, e)),
    ],
  ];
  it.each(coins)("accepts %s and rejects a probability that is off by 10 %", (name, p, batch) => {
    const draws = tallyBatch({ seed: name, runs: 30_000, batch });
    expectAccepts(draws, { 0: 1 - p, 1: p });
    expectRejects(draws, { 0: 1 - 1.1 * p, 1: 1.1 * p });
  });

  it("accepts uniformBelow and rejects a face that is off by 10 %", () => {
    const batch = (entropy: Entropy, runs: number) =>
      Array.from({ length: runs }, () => uniformBelow(6, entropy));
    const draws = tallyBatch({ seed: "dice", runs: 60_000, batch });
    const fair = { 0: 1 / 6, 1: 1 / 6, 2: 1 / 6, 3: 1 / 6, 4: 1 / 6, 5: 1 / 6 };
    expectAccepts(draws, fair);
    expectRejects(draws, { ...fair, 0: 0.9 / 6, 1: 1.1 / 6 });
  });
});

describe("The mean number of random bits", () => {
  const compared = (draw: (entropy: Entropy) => LazyVariate) => (entropy: Entropy) =>
    draw(entropy).isBelow(draw(entropy));
  const items = () => Array.from({ length: 10 }, (_, i) => i);

  it.each<{ name: string; bits: number; sample: (entropy: Entropy) => unknown }>([
    { name: "uniformBelow(10)", bits: 4.6, sample: (e) => uniformBelow(10, e) },
    { name: "uniformBelow(1000003)", bits: 20.3, sample: (e) => uniformBelow(1_000_003, e) },
    { name: "uniformBelow(2^64 + 1)", bits: 66, sample: (e) => uniformBelow(2n ** 64n + 1n, e) },
    { name: "shuffle of 10", bits: 28.6, sample: (e) => shuffle(items(), e) },
    { name: "bernoulli(1/3)", bits: 32, sample: (e) => bernoulli("1/3", e) },
    { name: "bernoulliExp(1/3)", bits: 32, sample: (e) => bernoulliExp("1/3", e) },
    { name: "geometric(1/10)", bits: 32, sample: (e) => geometric("1/10", e) },
    { name: "geometric(10^−6)", bits: 32, sample: (e) => geometric("1e-6", e) },
    { name: "geometric(10^−7)", bits: 32, sample: (e) => geometric("1e-7", e) },
    { name: "geometric(10^−9)", bits: 50, sample: (e) => geometric("1e-9", e) },
    { name: "geometric(10^−12)", bits: 64, sample: (e) => geometric("1e-12", e) },
    { name: "truncatedGeometric(1/10, 4)", bits: 32, sample: (e) => truncatedGeometric("1/10", 4, e) },
    { name: "discreteLaplace(1/2)", bits: 58, sample: (e) => discreteLaplace("1/2", e) },
    { name: "discreteLaplace(10)", bits: 34.6, sample: (e) => discreteLaplace(10, e) },
    { name: "discreteLaplace(1000)", bits: 33, sample: (e) => discreteLaplace(1000, e) },
    { name: "discreteGaussian(1/4)", bits: 154, sample: (e) => discreteGaussian("1/4", e) },
    { name: "discreteGaussian(1)", bits: 135, sample: (e) => discreteGaussian(1, e) },
    { name: "discreteGaussian(100)", bits: 88, sample: (e) => discreteGaussian(100, e) },
    { name: "discreteGaussian(10^12)", bits: 85.5, sample: (e) => discreteGaussian("1e12", e) },
    { name: "Geometric(1/10)", bits: 32, sample: prepared(new Geometric("1/10")) },
    { name: "Geometric(1/1000)", bits: 34, sample: prepared(new Geometric("1/1000")) },
    { name: "DiscreteLaplace(10)", bits: 32, sample: prepared(new DiscreteLaplace(10)) },
    { name: "DiscreteLaplace(1000)", bits: 34, sample: prepared(new DiscreteLaplace(1000)) },
    { name: "DiscreteLaplace(10^6)", bits: 36, sample: prepared(new DiscreteLaplace("1e6")) },
    { name: "DiscreteLaplace(10^9)", bits: 65.5, sample: prepared(new DiscreteLaplace("1e9")) },
    { name: "DiscreteLaplace(2^40)", bits: 101, sample: prepared(new DiscreteLaplace(2n ** 40n)) },
    { name: "DiscreteGaussian(100)", bits: 32, sample: prepared(new DiscreteGaussian(100)) },
    { name: "DiscreteGaussian(10^6)", bits: 35, sample: prepared(new DiscreteGaussian("1e6")) },
    { name: "DiscreteGaussian(10^12)", bits: 35.5, sample: prepared(new DiscreteGaussian("1e12")) },
    { name: "two exponentials compared", bits: 64, sample: compared(lazyExponential) },
    { name: "two Gumbels compared", bits: 64, sample: compared(lazyGumbel) },
  ])("of $name is $bits within 5 %", ({ name, bits, sample }) => {
    const { bitsPerRun } = tally({ seed: `bits of ${name}`, runs: 5000, sample, key: () => "" });
    expect(bitsPerRun / bits, `${name} takes ${bitsPerRun} bits`).toBeGreaterThan(0.95);
    expect(bitsPerRun / bits, `${name} takes ${bitsPerRun} bits`).toBeLessThan(1.05);
  });
});

function prepared(sampler: { sample(entropy: Entropy): number }): (entropy: Entropy) => number {
  return (entropy) => sampler.sample(entropy);
}
