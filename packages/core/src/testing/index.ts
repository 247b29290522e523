/**
 * Winnow's test bench: reproducible bits and exhaustive walks. Nothing in here is private.
 * @module winnow-dp/testing
 */
// biome-ignore-all assist/source/organizeImports: a table of contents has an order of its own

// Exact laws by exhaustion
export { type BitTree, type BitTreeOptions, bitTree } from "./bit-tree.js";
export { NotDeterministic } from "./tree-walk.js";
export { type ChoiceTree, type ChoiceTreeOptions, type Choose, choiceTree } from "./choice-tree.js";

// What a law is compared with
export { normalCdfEnclosure } from "../exact/normal-cdf.js";

// Bits that repeat
export { OutOfBits, replayEntropy } from "./replay-entropy.js";
export { seededEntropy } from "./seeded-entropy.js";
