/**
 * Winnow's audit: the laws of its selections in closed form, what they prove about privacy, and other mechanisms to
 * compare with. It is for study, not for releases.
 * @module winnow-audit
 */

// biome-ignore-all assist/source/organizeImports: a table of contents has an order of its own

// What laws prove
export {
  type LikelihoodRatio,
  likelihoodRatio,
  hockeyStick,
  renyiDivergence,
  type NeighbourOptions,
  neighboursOf,
} from "./likelihood-ratio.js";

// What runs prove
export {
  auditByRuns,
  type RunsAudit,
  type RunsAuditOptions,
  type ShownLoss,
  type ShownLossOptions,
  shownDelta,
  shownLoss,
} from "./statistics/audit-by-runs.js";
export { type ConfidenceInterval, clopperPearson, type Tally } from "./statistics/clopper-pearson.js";

// Other implementations
export {
  type AccountingCase,
  checkConformance,
  type ConformanceAnswer,
  type ConformanceFile,
  type ConformanceRequest,
  type ConformanceResponse,
  type ConformanceVerdict,
  type DistributionCase,
  type Implementation,
} from "./conformance.js";

// Claims of every mechanism
export { exactClaims } from "./claims/exact-claims.js";
export type { ExactClaim, ExactFinding } from "./claims/check-claim.js";
export { type RunClaim, type RunClaimOptions, runClaims } from "./claims/run-claims.js";

// Attacks on textbook code
export { attacks } from "./attacks/attacks.js";
export {
  type Attack,
  type AttackDefinition,
  type AttackOptions,
  type AttackResult,
  type Contestant,
  defineAttack,
  type Adversary,
  type GameOptions,
  type GameResult,
  mostSuccess,
  type PrivacyPromise,
  playGame,
  type World,
} from "./attacks/attack.js";

// Replay on neighbouring inputs
export {
  type RecordedMechanism,
  type Replay,
  type ReplayOptions,
  replay,
  type Violation,
} from "./replay/replay.js";
export {
  type RecordedWay,
  recordedWays,
  countListed,
  countUsers,
  type Row,
  withoutEachUser,
} from "./replay/recorded-mechanisms.js";

// Laws in closed form
export { type Law, lawOf, type Tree, type LawOptions } from "./laws/law.js";
export { exponentialTopKLaw, type GapLawOptions, topKWithGapLaw } from "./laws/top-k-laws.js";
export {
  peeledLaw,
  type Round,
  permuteAndFlipRound,
  exponentialMechanismRound,
  noisyMaxLaw,
} from "./laws/noisy-max-laws.js";
export { type SetLawOptions, type SetUtility, setLaw, setUtility } from "./laws/set-laws.js";
export { type Base2LawOptions, base2ExponentialLaw, clampedLaplaceLaw } from "./laws/base2-laws.js";
export {
  type ChoiceLawOptions,
  discreteGaussianTail,
  discreteLaplaceTail,
  largestGapLaw,
  proposeTestReleaseLaw,
  stableTopKLaw,
  type Tail,
  type TestLawOptions,
  type FixedLawOptions,
  stableTopKFixedLaw,
  multiLabelLaw,
} from "./laws/stable-laws.js";
export {
  keepProbabilities,
  type LimitedLawOptions,
  limitedTopKLaw,
  type OrderedHistogram,
  selectPartitionsLaw,
} from "./laws/unknown-laws.js";

export {
  type AboveThresholdLawOptions,
  aboveThresholdLaw,
  type Base2ThresholdLawOptions,
  base2AboveThresholdLaw,
} from "./laws/threshold-laws.js";
export {
  type QuantileLawOptions,
  quantileLaw,
  type QuantilesLawOptions,
  quantilesLaw,
  upperBoundLaw,
  type ValueCounts,
} from "./laws/quantile-laws.js";
export { integerPartitionLaw, type PartitionLawOptions } from "./laws/partition-laws.js";

// Samplers as their papers write them
export {
  gapFloor,
  isAbove,
  type LazyExponential,
  type LazyGumbel,
  type LazyReal,
  type LazyUniform,
  noisyScore,
  Reference,
} from "./reference-samplers.js";

// Unsafe: what textbooks do
export { type FloatOptions, type FloatWinner, floatTopKWithGap } from "./attacks/float-top-k-with-gap.js";
export { type SnappingOptions, snappingMechanism } from "./attacks/snapping.js";
export {
  ArithmeticConfig,
  type ArithmeticError,
  FixedPrecisionError,
  type PrecisionOptions,
} from "./attacks/arithmetic-config.js";
export {
  type FixedPrecisionMechanismOptions,
  type FixedPrecisionOptions,
  type FixedPrecisionOutcome,
  fixedPrecisionBase2,
  fixedPrecisionMechanism,
  type SamplingError,
} from "./attacks/fixed-precision-base2.js";
export { naiveExponentialMechanism } from "./attacks/lost-weights.js";
