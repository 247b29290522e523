/**
 * Winnow's audit: the laws of its selections in closed form, what they prove about privacy, and other mechanisms to
 * compare with. It is for study, not for releases.
 * @module winnow-audit
 */

// biome-ignore-all assist/source/organizeImports: a table of contents has an order of its own

// What laws prove
export {
  likelihoodRatio,
  hockeyStick,
  renyiDivergence,
  neighboursOf,
} from "./likelihood-ratio.js";

// What runs prove
export {
  auditByRuns,
  shownDelta,
  shownLoss,
} from "./statistics/audit-by-runs.js";
export { clopperPearson, type Tally } from "./statistics/clopper-pearson.js";

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
export type { ExactClaim } from "./claims/check-claim.js";
export { type RunClaim, runClaims } from "./claims/run-claims.js";

// Attacks on textbook code
export { attacks } from "./attacks/attacks.js";
export {
  type Attack,
  defineAttack,
  type Adversary,
  type GameResult,
  mostSuccess,
  playGame,
  type World,
} from "./attacks/attack.js";

// Replay on neighbouring inputs
export {
  type RecordedMechanism,
  type Replay,
  replay,
  type Violation,
} from "./replay/replay.js";
export {
  recordedWays,
  countListed,
  countUsers,
  type Row,
  withoutEachUser,
} from "./replay/recorded-mechanisms.js";

// Laws in closed form
export { type Law, lawOf } from "./laws/law.js";
export { exponentialTopKLaw, topKWithGapLaw } from "./laws/top-k-laws.js";
export {
  peeledLaw,
  permuteAndFlipRound,
  exponentialMechanismRound,
  noisyMaxLaw,
} from "./laws/noisy-max-laws.js";
export { setLaw, setUtility } from "./laws/set-laws.js";
export { base2ExponentialLaw, clampedLaplaceLaw } from "./laws/base2-laws.js";
export {
  discreteGaussianTail,
  discreteLaplaceTail,
  largestGapLaw,
  proposeTestReleaseLaw,
  stableTopKLaw,
  type Tail,
  stableTopKFixedLaw,
  multiLabelLaw,
} from "./laws/stable-laws.js";
export {
  keepProbabilities,
  limitedTopKLaw,
  selectPartitionsLaw,
} from "./laws/unknown-laws.js";

export {
  aboveThresholdLaw,
  base2AboveThresholdLaw,
} from "./laws/threshold-laws.js";
export {
  quantileLaw,
  quantilesLaw,
  upperBoundLaw,
} from "./laws/quantile-laws.js";
export { integerPartitionLaw } from "./laws/partition-laws.js";

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
export { floatTopKWithGap } from "./attacks/float-top-k-with-gap.js";
export { snappingMechanism } from "./attacks/snapping.js";
export {
  ArithmeticConfig,
  FixedPrecisionError,
} from "./attacks/arithmetic-config.js";
export {
  fixedPrecisionBase2,
  fixedPrecisionMechanism,
} from "./attacks/fixed-precision-base2.js";
export { naiveExponentialMechanism } from "./attacks/lost-weights.js";
