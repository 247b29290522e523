/**
 * Winnow: differentially private selection, exact to the last bit.
 * @module winnow-dp
 */

// biome-ignore-all assist/source/organizeImports: a table of contents has an order of its own

// The k largest
export {
  type TopK,
  type TopKOptions,
  topK,
  type TopKWithGap,
  type TopKWithGapOptions,
  topKWithGap,
} from "./select/top-k.js";
export { type StreamAnswer, TopKStream, type TopKStreamOptions } from "./select/top-k-stream.js";
export type { StreamState } from "./select/stream-state.js";
export { makeNoisyTopK, NoisyTopK, type NoisyTopKOptions } from "./select/noisy-top-k.js";
export { type CombinedGaps, type CombineGapsOptions, combineGaps } from "./select/combine-gaps.js";
export type { Scores } from "./race/scores.js";
export type { SelectionOptions } from "./select/options.js";
export type { Winner } from "./race/winners.js";

// The largest
export {
  type PermuteAndFlip,
  type PermuteAndFlipOptions,
  permuteAndFlip,
} from "./select/permute-and-flip.js";
export {
  type NoisyMax,
  type ReportNoisyMaxOptions,
  reportNoisyMax,
  type NoisyMaxLoss,
  type NoisyMaxLossOptions,
  noisyMaxLoss,
  type GaussianNoise,
  type NoisyMaxBudget,
  type NoisyMaxNoise,
  type ScaledNoise,
} from "./select/report-noisy-max.js";

// How many: k chosen by the data
export {
  stableTopK,
  makeStableTopK,
  StableTopKMeasurement,
  type StableTopK,
  type StableTopKOptions,
  type StableTopKParameters,
  type StableRelease,
  type StableBudgetOptions,
} from "./stable/stable-top-k.js";
export {
  stableTopKFixed,
  makeStableTopKFixed,
  StableTopKFixedMeasurement,
  type StableTopKFixed,
  type StableTopKFixedOptions,
  type StableTopKFixedParameters,
  type RoundsBudget,
} from "./stable/stable-top-k-fixed.js";
export {
  type LargestGap,
  type LargestGapOptions,
  largestGap,
  type CountOptions,
  type GapOptions,
  type Regulariser,
} from "./stable/largest-gap.js";
export {
  proposeTestRelease,
  type ProposeTestRelease,
  type ProposeTestReleaseOptions,
  type Release,
} from "./stable/propose-test-release.js";
export type { Histogram } from "./stable/largest-counts.js";
export type { FailureOptions, TestBudget, ThresholdRule } from "./stable/stability-test.js";

// Unknown domains: names that nobody listed
export {
  limitedTopK,
  makeLimitedTopK,
  LimitedTopKMeasurement,
  type LimitedTopK,
  type LimitedTopKOptions,
  type LimitedTopKParameters,
  type LimitedAnswer,
  type NamedWinner,
} from "./unknown/limited-top-k.js";
export { LimitedTopKStream } from "./unknown/limited-top-k-stream.js";
export {
  topKWithCounts,
  type TopKWithCounts,
  type TopKWithCountsOptions,
  type CountedWinner,
} from "./unknown/top-k-with-counts.js";
export {
  measureCounts,
  nonIncreasingFit,
  type IntervalOptions,
  type MeasureCountsOptions,
  type MeasuredCount,
  type MeasuredCounts,
} from "./unknown/measure-counts.js";
export {
  selectPartitions,
  type SelectPartitions,
  type SelectPartitionsOptions,
  type Partition,
  type PartitionMethod,
} from "./unknown/select-partitions.js";
export {
  boundContributions,
  type BoundOptions,
  type ContributionRow,
} from "./unknown/bound-contributions.js";
export type { LimitedBudget } from "./unknown/limited-calibration.js";
export {
  LimitedLosses,
  type LimitedCharge,
  type LimitedLossParameters,
  type LimitedQuestion,
  type Neighbours,
} from "./unknown/limited-losses.js";
export type { LimitedNoise } from "./unknown/limited-threshold.js";
export type { NamedCount, NamedCounts } from "./unknown/named-counts.js";

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

// Labels from teachers
export {
  labelByTeachers,
  type TeacherLabels,
  type TeacherOptions,
  type TeacherReport,
  TeacherRun,
  type Votes,
  type TeacherAnswer,
  type QueryVotes,
} from "./pate/label-by-teachers.js";
export type { MultiClassOptions, MultiLabelOptions } from "./pate/teacher-tasks.js";
export type { Accounting, AccountOptions, Spent } from "./pate/query-account.js";

// Privacy loss

// Budget
export { Budget, type BudgetOptions, type Charge } from "./privacy/budget.js";
export type { Reservation } from "./privacy/reservation.js";

// Losses
export {
  pure,
  base2,
  zcdp,
  renyi,
  approx,
  type PureLoss,
  type Base2Loss,
  type ZcdpLoss,
  type RenyiLoss,
  type ApproxLoss,
  type Loss,
  type LossOf,
  type Measure,
  type Extended,
  isBounded,
} from "./privacy/loss.js";
export {
  type LossJson,
  type LossLike,
  lossFromJson,
  lossToJson,
  readLoss,
  type DescribeOptions,
  describeLoss,
} from "./privacy/loss-json.js";
export type { Direction } from "./privacy/rounding.js";

// Composition and conversion
export { compose, repeat } from "./privacy/compose.js";
export { type ConvertOptions, convert, zcdpOfBoundedRange } from "./privacy/convert.js";
export type { ApproxOptions, Method } from "./privacy/to-approx.js";
export { type GaussianApproxOptions, gaussianToApprox } from "./privacy/gaussian-to-approx.js";

// Calibration: from a target to what meets it
export {
  epsilonAtMost,
  type RoundsOptions,
  rhoAtMost,
  type ScaleOptions,
  scaleAtLeast,
  type VarianceOptions,
  varianceAtLeast,
} from "./privacy/calibrate.js";

// The parameter of the base-2 mechanisms
export {
  eta,
  etaAtMost,
  base2LossOf,
  epsilonOfBase2,
  type Base2Parameter,
  type EtaAtMostOptions,
  type UtilityOptions,
} from "./privacy/base2-parameter.js";

// Rényi curves
export { type CurveBounds, type CurveFormula, RenyiCurve } from "./privacy/renyi-curve.js";
export {
  pureCurve,
  zcdpCurve,
  boundedRangeCurve,
  gaussianCurve,
  type GaussianOptions,
  type GaussianMaxOptions,
  gaussianMaxCurve,
  noisyMaxCurve,
} from "./privacy/curves.js";

// Exact numbers
export { type Fraction, Rational, type RationalLike, type Rounding, rational } from "./exact/rational.js";
export { Interval, type IntervalLike } from "./exact/interval.js";

// Fair bits
export { Entropy, type EntropySource, systemEntropy } from "./entropy.js";

// Errors
export { type ErrorCode, type ErrorFields, WinnowError } from "./errors.js";
