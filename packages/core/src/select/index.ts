/** Selections: which candidates have the largest scores. */

export { makeNoisyTopK, NoisyTopK, type NoisyTopKOptions } from "./make-noisy-top-k.js";
export type { SelectionOptions } from "./options.js";
export type { Scores } from "./scores.js";
export { type TopK, type TopKOptions, topK } from "./top-k.js";
export { type StreamAnswer, TopKStream, type TopKStreamOptions } from "./top-k-stream.js";
export { type TopKWithGap, type TopKWithGapOptions, topKWithGap } from "./top-k-with-gap.js";
export type { Winner } from "./winners.js";
