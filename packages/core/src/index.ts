/**
 * Winnow: differentially private selection, exact to the last bit.
 * @module winnow-dp
 */
// biome-ignore-all assist/source/organizeImports: a table of contents has an order of its own

// Selections
export * from "./select/index.js";

// Labels from teachers
export * from "./pate/index.js";

// Privacy loss
export * from "./privacy/index.js";

// Exact numbers
export { type Fraction, Rational, type RationalLike, type Rounding, rational } from "./exact/rational.js";
export { Interval, type IntervalLike } from "./exact/interval.js";

// Fair bits
export { Entropy, type EntropySource } from "./entropy/entropy.js";
export { systemEntropy } from "./entropy/system-entropy.js";

// Errors
export { type ErrorCode, type ErrorFields, WinnowError } from "./errors.js";
