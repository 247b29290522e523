/**
 * Exact samplers, each with its proof beside it. See docs/proofs/index.md.
 * @module winnow-dp/sample
 */
// biome-ignore-all assist/source/organizeImports: a table of contents has an order of its own

// One draw at any rational parameter
export { uniformBelow } from "./uniform-below.js";
export { type MutableArray, shuffle } from "./shuffle.js";
export { bernoulli } from "./bernoulli.js";
export { bernoulliExp, bernoulliExpRatio } from "./bernoulli-exp.js";
export { geometric } from "./geometric.js";
export { truncatedGeometric } from "./truncated-geometric.js";
export { discreteLaplace } from "./discrete-laplace.js";
export { discreteGaussian } from "./discrete-gaussian.js";
export { normalizedSample } from "./normalized-sample.js";

// Many draws at one parameter
export { DiscreteGaussian, DiscreteLaplace, Geometric } from "./prepared.js";

// Real numbers, revealed as far as a decision needs
export { type LazyVariate, lazyExponential, lazyGumbel } from "./lazy-variate.js";
export { type LazyGaussian, lazyGaussian } from "./lazy-gaussian.js";
