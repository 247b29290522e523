/** Exact samplers. Each has a proof page of its name in docs/proofs. */

// One draw, any rational parameter; `fill…` is many of them
export { bernoulli, fillBernoulli } from "./bernoulli.js";
export { bernoulliExp, bernoulliExpRatio, fillBernoulliExp } from "./bernoulli-exp.js";
export { discreteGaussian } from "./discrete-gaussian.js";
export { discreteLaplace } from "./discrete-laplace.js";
export { geometric } from "./geometric.js";
// Real numbers, revealed as far as a decision needs
export { LazyGaussian, lazyGaussian } from "./lazy-gaussian.js";
export { LazyVariate, lazyExponential, lazyGumbel } from "./lazy-variate.js";
// Many draws at one parameter
export { DiscreteGaussian, DiscreteLaplace, Geometric } from "./prepared.js";
// The slow and short oracle
export { Reference } from "./reference.js";
export { shuffle } from "./shuffle.js";
export { truncatedGeometric } from "./truncated-geometric.js";
export { fillUniformBelow, type IntegerArray, uniformBelow } from "./uniform-below.js";
