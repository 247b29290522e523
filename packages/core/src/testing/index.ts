/**
 * Winnow's test bench: reproducible bits and exhaustive walks. Nothing in here is private.
 * @module winnow-dp/testing
 */

// Exact laws by exhaustion
// Bits that repeat
export {
  type BitTree,
  type BitTreeOptions,
  bitTree,
  NotDeterministic,
  OutOfBits,
  replayEntropy,
} from "./bit-tree.js";
export { type ChoiceTree, type ChoiceTreeOptions, type Choose, choiceTree } from "./choice-tree.js";
export { seededEntropy } from "./seeded-entropy.js";
