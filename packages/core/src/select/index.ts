/**
 * Selections: which candidates have the largest scores.
 * @module
 */
// biome-ignore-all assist/source/organizeImports: a table of contents has an order of its own

// The k largest
export { type TopK, type TopKOptions, topK } from "./top-k.js";
export { type TopKWithGap, type TopKWithGapOptions, topKWithGap } from "./top-k-with-gap.js";
export { type StreamAnswer, TopKStream, type TopKStreamOptions } from "./top-k-stream.js";
export type { StreamState } from "./stream-state.js";
export { makeNoisyTopK, NoisyTopK, type NoisyTopKOptions } from "./make-noisy-top-k.js";
export { type CombinedGaps, type CombineGapsOptions, combineGaps } from "./combine-gaps.js";
export type { Scores } from "./scores.js";
export type { SelectionOptions } from "./options.js";
export type { Winner } from "./winners.js";

// The largest
export { type PermuteAndFlip, type PermuteAndFlipOptions, permuteAndFlip } from "./permute-and-flip.js";
export { type NoisyMax, type ReportNoisyMaxOptions, reportNoisyMax } from "./report-noisy-max.js";
export { type NoisyMaxLoss, type NoisyMaxLossOptions, noisyMaxLoss } from "./noisy-max-loss.js";
export type { GaussianNoise, NoisyMaxBudget, NoisyMaxNoise, ScaledNoise } from "./noisy-max-noise.js";

// How many: k chosen by the data
export * from "./adaptive/index.js";

// The base-2 exponential mechanism
export {
  type Base2ExponentialOptions,
  type Base2Selection,
  base2Exponential,
} from "./base2/base2-exponential.js";
export type { Utility } from "./base2/utilities.js";
export {
  type ClampedLaplaceOptions,
  type ClampedLaplaceRelease,
  clampedLaplace,
} from "./base2/clamped-laplace.js";
export { type PrecisionRules, type PrecisionRulesOptions, precisionRules } from "./base2/precision-rules.js";
