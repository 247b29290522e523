/**
 * Winnow: differentially private selection, exact to the last bit.
 * @module winnow-dp
 */

// Fair bits
export { Entropy, type EntropySource } from "./entropy/entropy.js";
export { systemEntropy } from "./entropy/system-entropy.js";
// Errors
export { type ErrorCode, type ErrorFields, WinnowError } from "./errors.js";
// Exact numbers
export { Rational, type RationalLike, type Rounding, rational } from "./exact/rational.js";
// Labels from teachers
export * from "./pate/index.js";
// Privacy loss
export * from "./privacy/index.js";
// Selections
export * from "./select/index.js";
