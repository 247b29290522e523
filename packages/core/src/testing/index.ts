/**
 * Winnow's test bench: reproducible bits and exhaustive walks. Nothing in here is private.
 * @module winnow-dp/testing
 */
// biome-ignore-all assist/source/organizeImports: a table of contents has an order of its own

// Exact laws by exhaustion
export { type BitTree, type BitTreeOptions, bitTree, NotDeterministic } from "./bit-tree.js";
export { type ChoiceTree, type ChoiceTreeOptions, type Choose, choiceTree } from "./choice-tree.js";

// Bits that repeat
export { OutOfBits, replayEntropy } from "./bit-tree.js";
export { seededEntropy } from "./seeded-entropy.js";
