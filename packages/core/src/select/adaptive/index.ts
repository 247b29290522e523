/** Selections that find their own size: the k after which there is a gap, and the k candidates before it. */

export type { GapOptions } from "./gap-choice.js";
export type { CountOptions } from "./gap-sensitivity.js";
export type { Histogram } from "./largest-counts.js";
export { type LargestGap, type LargestGapOptions, largestGap } from "./largest-gap.js";
export {
  type ProposeTestRelease,
  type ProposeTestReleaseOptions,
  proposeTestRelease,
  type Release,
} from "./propose-test-release.js";
export type { ThresholdRule } from "./ptr-threshold.js";
export type { Regulariser } from "./regulariser.js";
export type { RoundsBudget } from "./shared-rounds.js";
export type { FailureOptions, TestBudget } from "./stability-test.js";
export type { StableBudgetOptions } from "./stable-budget.js";
export {
  makeStableTopK,
  type StableRelease,
  type StableTopK,
  StableTopKMeasurement,
  type StableTopKOptions,
  type StableTopKParameters,
  stableTopK,
} from "./stable-top-k.js";
export {
  makeStableTopKFixed,
  type StableTopKFixed,
  StableTopKFixedMeasurement,
  type StableTopKFixedOptions,
  type StableTopKFixedParameters,
  stableTopKFixed,
} from "./stable-top-k-fixed.js";
