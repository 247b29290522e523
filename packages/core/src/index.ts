/**
 * Winnow: differentially private selection, exact to the last bit.
 * @module winnow-dp
 */

// biome-ignore-all assist/source/organizeImports: a table of contents has an order of its own

// The k largest
export {
  type TopK,
  type TopKOptions,
  type TopKSettings,
  topK,
  type TopKWithGap,
  type TopKWithGapOptions,
  type TopKWithGapSettings,
  topKWithGap,
} from "./select/top-k.js";
export {
  type FinishOptions,
  type StreamAnswer,
  TopKStream,
  type TopKStreamConstructor,
  type TopKStreamOptions,
  type TopKStreamSettings,
} from "./select/top-k-stream.js";
export type { StreamState } from "./select/stream-state.js";
export type { AbortOptions } from "./select/until-aborted.js";
export {
  makeNoisyTopK,
  type NoisyTopK,
  type NoisyTopKAnswer,
  type NoisyTopKOptions,
} from "./select/noisy-top-k.js";
export type { Domain, Measurement, Metric } from "./select/measurement.js";
export { type CombinedGaps, type CombineGapsOptions, combineGaps } from "./select/combine-gaps.js";

// Candidates by position or by name
export type { Scores } from "./race/scores.js";
export type {
  ByIndex,
  ByName,
  ChoiceOf,
  IndexSet,
  NamedCount,
  NamedCounts,
  NamedScores,
  NamedWinner,
  NameOf,
  NameSet,
  SetOf,
  Winner,
  WinnerOf,
} from "./race/candidates.js";

// Budgets, of which exactly one is given
export type { BudgetAs, Budgets } from "./privacy/budget-as.js";
export type { SelectionOptions } from "./select/options.js";

// The largest
export {
  type PermuteAndFlip,
  type PermuteAndFlipOptions,
  type PermuteAndFlipSettings,
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
  type PureNoiseBudget,
  type ScaledNoise,
  type ZcdpNoiseBudget,
} from "./select/report-noisy-max.js";

// How many: k chosen by the data
export {
  stableTopK,
  makeStableTopK,
  type StableTopKMeasurement,
  type StableTopK,
  type StableTopKOptions,
  type StableTopKParameters,
  type StableTopKSettings,
  type StableRelease,
} from "./stable/stable-top-k.js";
export {
  stableTopKFixed,
  makeStableTopKFixed,
  type StableTopKFixedMeasurement,
  type StableTopKFixed,
  type StableTopKFixedAnswer,
  type StableTopKFixedOptions,
  type StableTopKFixedParameters,
  type StableTopKFixedSettings,
} from "./stable/stable-top-k-fixed.js";
export {
  type DefaultNoise,
  type LargestGap,
  type LargestGapOptions,
  type LargestGapSettings,
  largestGap,
  type CountOptions,
  type GapOptions,
  type Regulariser,
} from "./stable/largest-gap.js";
export {
  proposeTestRelease,
  type ProposeTestRelease,
  type ProposeTestReleaseOptions,
  type ProposeTestReleaseSettings,
  type Release,
} from "./stable/propose-test-release.js";
export type { Histogram } from "./stable/largest-counts.js";
export type { FailureOptions, TestBudget, ThresholdRule } from "./stable/stability-test.js";

// Unknown domains: names that no one listed
export {
  limitedTopK,
  makeLimitedTopK,
  type LimitedTopKMeasurement,
  type LimitedTopK,
  type LimitedTopKOptions,
  type LimitedTopKParameters,
  type LimitedAnswer,
} from "./unknown/limited-top-k.js";
export { LimitedTopKStream } from "./unknown/limited-top-k-stream.js";
export {
  topKWithCounts,
  makeTopKWithCounts,
  type TopKWithCountsMeasurement,
  type TopKWithCounts,
  type TopKWithCountsOptions,
  type TopKWithCountsParameters,
  type CountedAnswer,
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
export type {
  LimitedLosses,
  LimitedCharge,
  LimitedQuestion,
  NamedCountDomain,
  NamedCountMetric,
  Neighbours,
} from "./unknown/limited-losses.js";
export type { LimitedNoise } from "./unknown/limited-threshold.js";

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

// Above a threshold: sparse vector with gaps
export {
  AboveThreshold,
  type AboveThresholdOptions,
  type AboveThresholdSettings,
} from "./threshold/above-threshold.js";
export {
  makeAboveThreshold,
  type AboveThresholdMeasurement,
  type ThresholdBounds,
} from "./threshold/threshold-measurement.js";
export type {
  AboveThresholdParameters,
  ThresholdLevel,
  ThresholdQuestion,
} from "./threshold/threshold-parameters.js";
export type {
  AboveAnswer,
  BelowAnswer,
  ListedAnswer,
  ThresholdAnswer,
  ThresholdRun,
  ThresholdStream,
} from "./threshold/threshold-stream.js";
export {
  noisyThreshold,
  type NoisyThreshold,
  type NoisyThresholdOptions,
} from "./threshold/noisy-threshold.js";

// Quantiles and bounds of private numbers
export {
  quantile,
  type Quantile,
  type QuantileOptions,
  type QuantileSettings,
  type RecordOptions,
} from "./quantile/quantile.js";
export {
  quantiles,
  type Quantiles,
  type QuantilesOptions,
  type QuantilesSettings,
} from "./quantile/quantiles.js";
export {
  upperBound,
  type UpperBound,
  type UpperBoundOptions,
  type UpperBoundSettings,
} from "./quantile/upper-bound.js";
export type { GridOptions, GridValues } from "./quantile/grid-data.js";
export { boundValues, type BoundValuesOptions, type ValueRow } from "./unknown/bound-contributions.js";

// Frequency lists without names
export {
  integerPartition,
  type IntegerPartition,
  type IntegerPartitionOptions,
  type IntegerPartitionSettings,
} from "./partition/integer-partition.js";

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
