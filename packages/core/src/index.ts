/**
 * Winnow: differentially private selection, exact to the last bit.
 * @module winnow-dp
 */

// biome-ignore-all assist/source/organizeImports: a table of contents has an order of its own

// The k largest
export {
  type TopKOptions,
  topK,
} from "./select/top-k.js";
export { type TopKApprox, type TopKApproxOptions, topKApprox } from "./select/top-k-approx.js";
export {
  type TopKWithGap,
  type TopKWithGapOptions,
  topKWithGap,
} from "./select/top-k-with-gap.js";
export {
  type FinishOptions,
  TopKStream,
  type TopKStreamOptions,
} from "./select/top-k-stream.js";
export type { StreamState } from "./select/stream-state.js";
export type { AbortOptions } from "./until-aborted.js";
export {
  makeNoisyTopK,
  type NoisyTopK,
  type NoisyTopKOptions,
} from "./select/noisy-top-k.js";
export type { Domain, Measurement, Metric } from "./select/measurement.js";
export { type CombinedGaps, type CombineGapsOptions, combineGaps } from "./select/combine-gaps.js";

// Candidates by position or by name
export type { Chosen, Ranked } from "./select/answers.js";
export type { Scores } from "./race/scores.js";
export type {
  CandidateOf,
  ChosenSet,
  NamedCounts,
  NamedScores,
  Winner,
} from "./race/candidates.js";

// Budgets, of which exactly one is given
export type { Budgets, Spend } from "./accounting/spend.js";
export type { SelectionOptions } from "./select/options.js";

// The largest
export {
  type PermuteAndFlipOptions,
  permuteAndFlip,
} from "./select/permute-and-flip.js";
export { type ReportNoisyMaxOptions, reportNoisyMax } from "./select/report-noisy-max.js";
export { type NoisyMaxLoss, type NoisyMaxLossOptions, noisyMaxLoss } from "./select/noisy-max-loss.js";
export type {
  GaussianNoise,
  NoisyMaxBudget,
  NoisyMaxNoise,
  PureNoiseBudget,
  ScaledNoise,
  ZcdpNoiseBudget,
} from "./select/noisy-max-noise.js";

// How many: k chosen by the data
export {
  stableTopK,
  makeStableTopK,
  type StableTopKMeasurement,
  type StableTopK,
  type StableTopKOptions,
  type StableTopKParameters,
  type StableRelease,
} from "./standout/stable-top-k.js";
export {
  stableTopKFixed,
  makeStableTopKFixed,
  type StableTopKFixedMeasurement,
  type StableTopKFixed,
  type StableTopKFixedAnswer,
  type StableTopKFixedOptions,
  type StableTopKFixedParameters,
} from "./standout/stable-top-k-fixed.js";
export {
  type DefaultNoise,
  type LargestGap,
  type LargestGapOptions,
  largestGap,
} from "./standout/largest-gap.js";
export type { CountOptions } from "./standout/gap-sensitivity.js";
export type { GapOptions } from "./standout/gap-choice.js";
export type { Regulariser } from "./standout/regulariser.js";
export {
  proposeTestRelease,
  type ProposeTestRelease,
  type ProposeTestReleaseOptions,
} from "./standout/propose-test-release.js";
export type { PrivateStep, Recorder } from "./standout/recorder.js";
export type { Histogram } from "./standout/largest-counts.js";
export type { FailureOptions, TestBudget } from "./standout/stability-test.js";
export type { ThresholdRule } from "./accounting/profile/tails.js";

// Unknown domains: names that no one listed
export {
  limitedTopK,
  makeLimitedTopK,
  type LimitedTopKMeasurement,
  type LimitedTopK,
  type LimitedTopKOptions,
  type LimitedTopKParameters,
  type LimitedAnswer,
} from "./discover/limited-top-k.js";
export { LimitedTopKStream } from "./discover/limited-top-k-stream.js";
export {
  topKWithCounts,
  makeTopKWithCounts,
  type TopKWithCountsMeasurement,
  type TopKWithCounts,
  type TopKWithCountsOptions,
  type TopKWithCountsParameters,
  type CountedAnswer,
  type CountedWinner,
} from "./discover/top-k-with-counts.js";
export {
  measureCounts,
  nonIncreasingFit,
  orderedIntervals,
  type MeasureCountsOptions,
  type MeasuredCount,
  type MeasuredCounts,
  type SharedNoise,
} from "./discover/measure-counts.js";
export {
  countNoise,
  type CountBudget,
  type CountNoise,
  type CountNoiseOptions,
  type IntervalOptions,
  type NoiseSharing,
  type SharedPart,
} from "./discover/count-noise.js";
export {
  selectPartitions,
  type SelectPartitions,
  type SelectPartitionsOptions,
  type Partition,
  type PartitionMethod,
} from "./discover/select-partitions.js";
export {
  boundContributions,
  type BoundOptions,
  type ContributionRow,
} from "./discover/bound-contributions.js";
export type {
  LimitedLosses,
  LimitedCharge,
  LimitedQuestion,
  NamedCountDomain,
  NamedCountMetric,
  Neighbours,
} from "./discover/limited-losses.js";
export type { LimitedNoise } from "./discover/limited-threshold.js";

// The base-2 exponential mechanism
export {
  type Base2ExponentialMeasurement,
  type Base2ExponentialOptions,
  type Base2Selection,
  base2Exponential,
  type MakeBase2ExponentialOptions,
  makeBase2Exponential,
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
} from "./numbers/above-threshold.js";
export {
  makeAboveThreshold,
  type AboveThresholdMeasurement,
  type ThresholdBounds,
} from "./numbers/threshold-measurement.js";
export type {
  AboveThresholdParameters,
  ThresholdLevel,
  ThresholdQuestion,
} from "./numbers/threshold-parameters.js";
export type {
  AboveAnswer,
  BelowAnswer,
  ListedAnswer,
  ThresholdAnswer,
  ThresholdRun,
  ThresholdStream,
} from "./numbers/threshold-stream.js";
export {
  noisyThreshold,
  type NoisyThreshold,
  type NoisyThresholdOptions,
} from "./numbers/noisy-threshold.js";

// Quantiles and bounds of private numbers
export {
  quantile,
  type Quantile,
  type QuantileOptions,
  type RecordOptions,
} from "./numbers/quantile.js";
export {
  quantiles,
  type Quantiles,
  type QuantilesOptions,
} from "./numbers/quantiles.js";
export {
  upperBound,
  type UpperBound,
  type UpperBoundOptions,
} from "./numbers/upper-bound.js";
export type { GridOptions, GridValues } from "./numbers/grid-data.js";
export { boundValues, type BoundValuesOptions, type ValueRow } from "./discover/bound-contributions.js";

// Frequency lists without names
export {
  integerPartition,
  type IntegerPartition,
  type IntegerPartitionOptions,
} from "./numbers/integer-partition.js";

// Labels from teachers
export {
  labelByTeachers,
  type TeacherLabels,
  type TeacherOptions,
  type TeacherReport,
  TeacherRun,
  type Votes,
} from "./pate/label-by-teachers.js";
export type { TeacherAnswer } from "./pate/teacher-task.js";
export type { QueryVotes } from "./pate/votes.js";
export type { MultiClassOptions } from "./pate/multi-class.js";
export type { MultiLabelOptions } from "./pate/multi-label.js";
export type { Accounting, AccountOptions, Spent } from "./pate/query-account.js";

// Privacy loss

// Budget
export { Budget, type BudgetOptions, type Charge } from "./accounting/budget.js";
export type { Reservation } from "./accounting/reservation.js";

// Losses
export {
  pure,
  base2,
  zcdp,
  approx,
  type Loss,
  type LossOf,
  type Measure,
} from "./accounting/loss.js";
export { renyi } from "./accounting/curve.js";
export { type Extended, isBounded } from "./accounting/extended.js";
export { type LossJson, type LossLike, lossFromJson, lossToJson, readLoss } from "./accounting/loss-json.js";
export { type DescribeOptions, describeLoss } from "./accounting/describe-loss.js";
export type { Direction } from "./exact/rational.js";

// Composition and conversion
export { compose, repeat } from "./accounting/compose.js";
export { type ConvertOptions, convert } from "./accounting/convert.js";
export { zcdpOfBoundedRange } from "./accounting/price.js";
export type { ApproxOptions } from "./accounting/approx.js";
export type { Method } from "./accounting/curve-to-approx.js";
export type { GaussianApproxOptions } from "./accounting/approx.js";
export { gaussianToApprox } from "./accounting/gaussian-approx.js";
export {
  type DiscreteGaussianOptions,
  discreteGaussianDelta,
} from "./accounting/profile/discrete-gaussian.js";
export { boundedRangeDelta, type BoundedRangeDeltaOptions } from "./accounting/profile/bounded-range.js";

// Calibration: from a target to what meets it
export { type RoundsOptions, rhoAtMost } from "./accounting/calibrate.js";
export {
  type ScaleOptions,
  scaleAtLeast,
  type VarianceOptions,
  varianceAtLeast,
} from "./accounting/least-noise.js";

// The parameter of the base-2 mechanisms
export {
  eta,
  etaAtMost,
  base2LossOf,
  type Base2Parameter,
  type EtaAtMostOptions,
  type UtilityOptions,
} from "./accounting/base2-parameter.js";

// Rényi curves
export { type CurveBounds, type CurveFormula, RenyiCurve } from "./accounting/renyi-curve.js";
export {
  pureCurve,
  zcdpCurve,
  boundedRangeCurve,
  gaussianCurve,
  type GaussianOptions,
} from "./accounting/curve.js";
export {
  laplaceCurve,
  noisyMaxCurve,
} from "./accounting/noisy-max-curve.js";

// Exact numbers
export { type Fraction, Rational, type RationalLike, rational } from "./exact/rational.js";
export type { Rounding } from "./exact/round-to-double.js";
export { Interval, type IntervalLike } from "./exact/interval.js";

// Fair bits
export { Entropy, type EntropySource } from "./entropy.js";
export { expandedEntropy } from "./expanded-entropy.js";
export { systemEntropy, withEntropy } from "./system-entropy.js";
export { sha256 } from "./sha256.js";

// Errors, and how parameters are read
export { type ErrorCode, type ErrorFields, invalidParameter, WinnowError } from "./errors.js";
export { readOptions } from "./options.js";
export { readers } from "./readers.js";
export { topKSet, type TopKSet, type TopKSetOptions } from "./select/top-k-set.js";
export {
  type Candidate,
  type CandidateOptions,
  type PrivateCandidate,
  selectPrivateCandidate,
} from "./over-time/select-private-candidate.js";
export type { RunsLaw } from "./sample/runs-law.js";
export {
  type ListRenewal,
  type ListStep,
  type RenewalBounds,
  renewList,
  type RenewListOptions,
  type RenewListQuestion,
  type TestScales,
} from "./over-time/renew-list.js";
export {
  type GroupBudget,
  groupBudgets,
  type GroupBudgetsOptions,
  inGroups,
  type InGroupsOptions,
} from "./accounting/in-groups.js";
export { boundGroups, type BoundGroupsOptions, type GroupRow } from "./discover/bound-groups.js";
export {
  type GroupAnswer,
  topKInGroups,
  type TopKInGroups,
  type TopKInGroupsOptions,
} from "./discover/top-k-in-groups.js";
