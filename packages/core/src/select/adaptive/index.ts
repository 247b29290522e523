/**
 * Selections that find their own size: the k after which there is a gap, and the k candidates before it.
 * @module
 */
// biome-ignore-all assist/source/organizeImports: a table of contents has an order of its own

export {
  stableTopK,
  makeStableTopK,
  StableTopKMeasurement,
  type StableTopK,
  type StableTopKOptions,
  type StableTopKParameters,
  type StableRelease,
} from "./stable-top-k.js";
export {
  stableTopKFixed,
  makeStableTopKFixed,
  StableTopKFixedMeasurement,
  type StableTopKFixed,
  type StableTopKFixedOptions,
  type StableTopKFixedParameters,
} from "./stable-top-k-fixed.js";
export { type LargestGap, type LargestGapOptions, largestGap } from "./largest-gap.js";
export {
  proposeTestRelease,
  type ProposeTestRelease,
  type ProposeTestReleaseOptions,
  type Release,
} from "./propose-test-release.js";
export type { Histogram } from "./largest-counts.js";
export type { CountOptions } from "./gap-sensitivity.js";
export type { GapOptions } from "./gap-choice.js";
export type { Regulariser } from "./regulariser.js";
export type { StableBudgetOptions } from "./stable-budget.js";
export type { FailureOptions, TestBudget } from "./stability-test.js";
export type { RoundsBudget } from "./shared-rounds.js";
export type { ThresholdRule } from "./ptr-threshold.js";
