/** Seeded draws of every sampler, and how many random bits they took. */
import { describe } from "vitest";
import type { Entropy } from "../../src/entropy.js";
import * as sample from "../../src/sample/index.js";
import { frozen } from "../support/frozen.js";
import { drawn } from "./drawn.js";

/** Eight draws each; three times, as every case. */
const eight = (draw: (entropy: Entropy) => unknown) => (entropy: Entropy) =>
  Array.from({ length: 8 }, () => draw(entropy));

const SAMPLERS: Readonly<Record<string, (entropy: Entropy) => unknown>> = {
  "uniformBelow 1000": eight((bits) => sample.uniformBelow(1000, bits)),
  "uniformBelow 10^15": eight((bits) => sample.uniformBelow(10n ** 15n, bits)),
  shuffle: (bits) => sample.shuffle(Array.from("winnow"), bits).join(""),
  "bernoulli 1/3": eight((bits) => sample.bernoulli("1/3", bits)),
  "bernoulli 1e-30": eight((bits) => sample.bernoulli("1e-30", bits)),
  "bernoulliExp 1/3": eight((bits) => sample.bernoulliExp("1/3", bits)),
  "bernoulliExp 7/2": eight((bits) => sample.bernoulliExp("7/2", bits)),
  "bernoulliExpRatio 2, 3": eight((bits) => sample.bernoulliExpRatio(2, 3, bits)),
  "geometric 1/10": eight((bits) => sample.geometric("1/10", bits)),
  "geometric 1e-20": eight((bits) => sample.geometric("1e-20", bits)),
  "truncatedGeometric 1/10, 7": eight((bits) => sample.truncatedGeometric("1/10", 7, bits)),
  "discreteLaplace 3/2": eight((bits) => sample.discreteLaplace("3/2", bits)),
  "discreteLaplace 1e9": eight((bits) => sample.discreteLaplace("1e9", bits)),
  "discreteGaussian 9/4": eight((bits) => sample.discreteGaussian("9/4", bits)),
  "discreteGaussian 1e12": eight((bits) => sample.discreteGaussian("1e12", bits)),
  normalizedSample: eight((bits) => sample.normalizedSample(["1/3", 2, 0, "0.7"], bits)),
  "Geometric 1/1000": (bits) => [...new sample.Geometric("1/1000").fill(new Int32Array(20), bits)],
  "DiscreteLaplace 3/2": (bits) => [...new sample.DiscreteLaplace("3/2").fill(new Int32Array(20), bits)],
  "DiscreteLaplace 5, singly": eight((bits) => new sample.DiscreteLaplace(5).sample(bits)),
  "DiscreteGaussian 1e6": (bits) => [...new sample.DiscreteGaussian("1e6").fill(new Float64Array(20), bits)],
  "lazyExponential below lazyGumbel": eight((bits) =>
    sample.lazyExponential(bits).isBelow(sample.lazyGumbel(bits)),
  ),
  lazyGaussian: eight((bits) => {
    const variate = sample.lazyGaussian(bits);
    for (let digit = 0; digit < 20; digit++) variate.refine();
    return variate.enclosure();
  }),
};

describe("a seeded draw of a sampler", () => {
  frozen(
    new URL("samplers.json", import.meta.url),
    Object.fromEntries(Object.entries(SAMPLERS).map(([name, draw]) => [name, () => drawn(name, draw)])),
  );
});
