export { Entropy, type EntropySource } from "./entropy.js";
export { systemEntropy } from "./system-entropy.js";
