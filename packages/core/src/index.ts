/**
 * Winnow: differentially private selection, exact to the last bit.
 * @module winnow-dp
 */

// biome-ignore-all assist/source/organizeImports: a table of contents has an order of its own

// From a public list
export { topK, type TopKOptions } from "./select/top-k.js";
export { topKApprox, type TopKApproxOptions, type TopKApprox } from "./select/top-k-approx.js";
export { topKWithGap, type TopKWithGapOptions } from "./select/top-k-with-gap.js";
export { topKSet, type TopKSetOptions } from "./select/top-k-set.js";
export { permuteAndFlip, type PermuteAndFlipOptions } from "./select/permute-and-flip.js";
export { reportNoisyMax, type ReportNoisyMaxOptions } from "./select/report-noisy-max.js";
export type { NoisyMaxBudget } from "./select/noisy-max-noise.js";
export { noisyMaxLoss } from "./select/noisy-max-loss.js";
export { TopKStream, type TopKStreamOptions } from "./select/top-k-stream.js";
export type { StreamState } from "./select/stream-state.js";
export { combineGaps } from "./select/combine-gaps.js";
export { makeNoisyTopK, type NoisyTopK, type NoisyTopKOptions } from "./select/noisy-top-k.js";
export type { Measurement } from "./select/measurement.js";

// Without a list
export {
  limitedTopK,
  type LimitedTopKOptions,
  type LimitedTopK,
  makeLimitedTopK,
  type LimitedTopKMeasurement,
} from "./discover/limited-top-k.js";
export { LimitedTopKStream } from "./discover/limited-top-k-stream.js";
export {
  topKWithCounts,
  type TopKWithCountsOptions,
  type TopKWithCounts,
  makeTopKWithCounts,
  type TopKWithCountsMeasurement,
} from "./discover/top-k-with-counts.js";
export {
  measureCounts,
  type MeasureCountsOptions,
  type MeasuredCounts,
  nonIncreasingFit,
  orderedIntervals,
} from "./discover/measure-counts.js";
export { countNoise, type CountNoise } from "./discover/count-noise.js";
export {
  selectPartitions,
  type SelectPartitionsOptions,
  type SelectPartitions,
} from "./discover/select-partitions.js";
export {
  histogramTopK,
  type HistogramTopK,
  type HistogramTopKOptions,
} from "./discover/histogram-top-k.js";
export { boundContributions } from "./discover/bound-contributions.js";
export { boundGroups } from "./discover/bound-groups.js";
export { topKInGroups, type TopKInGroupsOptions, type TopKInGroups } from "./discover/top-k-in-groups.js";

// The data choose k
export {
  stableTopK,
  type StableTopKOptions,
  type StableTopK,
  makeStableTopK,
  type StableTopKMeasurement,
} from "./standout/stable-top-k.js";
export {
  stableTopKFixed,
  type StableTopKFixedOptions,
  type StableTopKFixed,
  makeStableTopKFixed,
  type StableTopKFixedMeasurement,
} from "./standout/stable-top-k-fixed.js";
export { largestGap, type LargestGapOptions } from "./standout/largest-gap.js";
export {
  proposeTestRelease,
  type ProposeTestReleaseOptions,
  type ProposeTestRelease,
} from "./standout/propose-test-release.js";
export type { Recorder, PrivateStep } from "./standout/recorder.js";

// Numbers
export { quantile, type QuantileOptions } from "./numbers/quantile.js";
export { quantiles, type QuantilesOptions, type Quantiles } from "./numbers/quantiles.js";
export { upperBound, type UpperBoundOptions, type UpperBound } from "./numbers/upper-bound.js";
export { boundValues } from "./discover/bound-contributions.js";
export {
  integerPartition,
  type IntegerPartitionOptions,
  type IntegerPartition,
} from "./numbers/integer-partition.js";
export { AboveThreshold, type AboveThresholdOptions } from "./numbers/above-threshold.js";
export type { ThresholdStream } from "./numbers/threshold-stream.js";
export { makeAboveThreshold, type AboveThresholdMeasurement } from "./numbers/threshold-measurement.js";
export { noisyThreshold } from "./numbers/noisy-threshold.js";

// Over time
export { renewList, type RenewListOptions, type ListRenewal } from "./over-time/renew-list.js";
export {
  selectPrivateCandidate,
  type CandidateOptions,
  type PrivateCandidate,
} from "./over-time/select-private-candidate.js";

// Base 2
export {
  base2Exponential,
  type Base2ExponentialOptions,
  type Base2Selection,
  makeBase2Exponential,
  type Base2ExponentialMeasurement,
} from "./base2/base2-exponential.js";
export { clampedLaplace, type ClampedLaplaceOptions } from "./base2/clamped-laplace.js";
export { precisionRules } from "./base2/precision-rules.js";
export { eta, etaAtMost, base2LossOf, type Base2Parameter } from "./accounting/base2-parameter.js";

// Labels from teachers
export {
  labelByTeachers,
  TeacherRun,
  type TeacherOptions,
  type TeacherLabels,
} from "./pate/label-by-teachers.js";

// Candidates and budgets
export type { Scores } from "./race/scores.js";
export type { NamedScores, NamedCounts, CandidateOf, Winner, ChosenSet } from "./race/candidates.js";
export type { Ranked, Chosen } from "./select/answers.js";
export type { Spend, Budgets } from "./accounting/spend.js";
export type { Neighbours } from "./discover/limited-losses.js";

// Losses
export { pure, base2, zcdp, approx, type Loss, type LossOf, type Measure } from "./accounting/loss.js";
export { renyi } from "./accounting/curve.js";
export { type Extended, isBounded } from "./accounting/extended.js";
export { readLoss, type LossLike, lossToJson, lossFromJson, type LossJson } from "./accounting/loss-json.js";
export { describeLoss } from "./accounting/describe-loss.js";

// Composition, conversion, calibration
export { compose, repeat } from "./accounting/compose.js";
export { inGroups, groupBudgets } from "./accounting/in-groups.js";
export { convert, type ConvertOptions } from "./accounting/convert.js";
export { gaussianToApprox } from "./accounting/gaussian-approx.js";
export { rhoAtMost } from "./accounting/calibrate.js";
export { scaleAtLeast, varianceAtLeast } from "./accounting/least-noise.js";
export { Budget, type Charge } from "./accounting/budget.js";
export type { Reservation } from "./accounting/reservation.js";

// Prices and curves
export { boundedRangeDelta } from "./accounting/profile/bounded-range.js";
export { discreteGaussianDelta } from "./accounting/profile/discrete-gaussian.js";
export { RenyiCurve } from "./accounting/renyi-curve.js";
export { pureCurve, zcdpCurve, boundedRangeCurve, gaussianCurve } from "./accounting/curve.js";
export { laplaceCurve, noisyMaxCurve } from "./accounting/noisy-max-curve.js";

// Exact numbers
export { rational, Rational, type RationalLike } from "./exact/rational.js";
export { Interval } from "./exact/interval.js";

// Fair bits
export { Entropy, type EntropySource } from "./entropy.js";
export { expandedEntropy } from "./expanded-entropy.js";
export { systemEntropy, withEntropy } from "./system-entropy.js";
export { sha256 } from "./sha256.js";

// Errors, and how parameters are read
export { WinnowError, type ErrorCode, invalidParameter } from "./errors.js";
export { readOptions } from "./options.js";
export { readers } from "./readers.js";
export { editDistance, nearest } from "./nearest.js";
